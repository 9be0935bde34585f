import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { afterAll, expect, test } from 'vitest';
import { convexSpec, meshParts } from '../../../../src/core/hulls/meshParts.ts';
import { longestSide, scaled } from '../../../../src/core/hulls/pointCloud.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import { readMesh } from '../../../../src/formats/meshes/index.ts';
import { limitAfterWriting } from '../../../../src/host/node/partsCache.ts';
import { computedData, preparedData } from '../../../../src/host/node/prepared/preparedData.ts';
import { preparedMesh, type Scale } from '../../../../src/host/node/prepared/preparedMeshes.ts';

const root = mkdtempSync(join(tmpdir(), 'elbowroom-meshes-'));
afterAll(() => rmSync(root, { recursive: true }));

const folder = join(root, 'cache');
const prepare = preparedData({ folder, sources: 'a', keyFile: join(root, 'cache.key'), limit: limitAfterWriting });
const bytes = readFileSync('robots/ur5e/meshes/forearm.obj');
const scales: Scale[] = [
  [1, 1, 1],
  [0.5, 2, -1],
];
const onlyFile = (): string => join(folder, readdirSync(folder)[0]);

/** All that a robot uses of a mesh, computed without a cache. */
async function expected(content: Uint8Array, name: string) {
  const mesh = await readMesh(content, name);
  const hulls = scales.map(async (scale) => {
    const points = scaled(mesh.points, scale);
    const [hull] = await meshParts.hull(points);
    const shape = Object.entries(createShape(convexSpec(hull)));
    return { scale: scale.join(' '), length: longestSide(points), hull, shape };
  });
  return { ...mesh, hulls: await Promise.all(hulls) };
}

async function found(content: Uint8Array, name: string, with_ = prepare) {
  const { points, triangles, warnings, hulls } = await preparedMesh(content, name, scales, with_);
  const all = [...hulls!].map(([scale, { hull, length }]) => {
    return { scale, length, hull, shape: Object.entries(createShape(convexSpec(hull))) };
  });
  return { points, triangles, warnings, hulls: all };
}

test('a mesh from the cache equals the computed one to the last bit, with its hulls at each scale', async () => {
  const computed = await expected(bytes, 'forearm.obj');
  expect(await found(bytes, 'forearm.obj', computedData)).toStrictEqual(computed);
  expect(await found(bytes, 'forearm.obj')).toStrictEqual(computed);
  expect(await found(bytes, 'forearm.obj')).toStrictEqual(computed);
  expect(readdirSync(folder).length).toBe(1);
});

test('hulls of half their size, damage and forgery are computed again and replaced', async () => {
  const computed = await expected(bytes, 'forearm.obj');
  const good = readFileSync(onlyFile());
  const kept = deserialize(Buffer.from(good.subarray(32))); // clones share memory with the bytes that they are read from
  for (const hull of kept.hulls) {
    const count = Buffer.from(hull.content).readInt32LE(0);
    for (let k = 0; k < 3 * count; k++) {
      const view = new DataView(hull.content.buffer, hull.content.byteOffset + 72 + 8 * k);
      view.setFloat64(0, 0.5 * view.getFloat64(0, true), true);
    }
  }
  const flips = Array.from({ length: 60 }, (_, i) => Math.floor((i * (good.length - 1)) / 59));
  const changes = [
    Buffer.concat([good.subarray(0, 32), serialize(kept)]),
    good.subarray(0, -8),
    ...flips.map((at) => Buffer.from(good.map((byte, i) => (i === at ? byte ^ (1 << (at % 8)) : byte)))),
  ];
  const wrong: number[] = [];
  for (const [i, change] of changes.entries()) {
    writeFileSync(onlyFile(), change);
    const { hulls } = await preparedMesh(bytes, 'forearm.obj', scales, prepare);
    const isSame = computed.hulls.every(
      ({ scale, hull }) => JSON.stringify(hulls!.get(scale)?.hull) === JSON.stringify(hull),
    );
    if (!isSame || !readFileSync(onlyFile()).equals(good)) wrong.push(i);
  }
  expect(wrong).toEqual([]);
});

test('a changed byte, another name and other scales are other meshes', async () => {
  const changed = Buffer.from(bytes.toString().replace('v -0.015809', 'v -0.095809'));
  expect(await found(changed, 'forearm.obj')).toStrictEqual(await expected(changed, 'forearm.obj'));
  const flat = Buffer.from(`${bytes}f 1 1 2\n`);
  expect((await found(flat, 'a.obj')).warnings).toEqual(['a.obj: 1 of 81 triangles have no area']);
  expect((await found(flat, 'b.obj')).warnings).toEqual(['b.obj: 1 of 81 triangles have no area']);
  const { hulls } = await preparedMesh(bytes, 'forearm.obj', [[2, 2, 2]], prepare);
  expect([...hulls!.keys()]).toEqual(['2 2 2']);
});

test('a scale that is refused later has no hull, and broken files are refused at every run', async () => {
  const { hulls } = await preparedMesh(bytes, 'forearm.obj', [[1e9, 1, 1]], prepare);
  expect(hulls!.size).toBe(0);
  for (let run = 0; run < 2; run++)
    await expect(preparedMesh(Buffer.from('v 1 2'), 'x.obj', scales, prepare)).rejects.toThrow('x.obj');
});
