import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Hull } from '../../../../src/core/hulls/hull.ts';
import { convexSpec, type MeshDecomposer, meshParts } from '../../../../src/core/hulls/meshParts.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import type { ConvexShape } from '../../../../src/core/shapes/shape.ts';
import { limitAfterWriting, limitCacheFolder, preparedHulls } from '../../../../src/host/node/partsCache.ts';
import { userKeyFile } from '../../../../src/host/node/prepared/userKey.ts';

const root = mkdtempSync(join(tmpdir(), 'elbowroom-hulls-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Triples of points of an ellipsoid: triangles whose hull has nearly all points as vertices. */
function mesh(count: number, height: number): Float64Array {
  const points = Array.from({ length: count }, (_, i) => {
    const z = 1 - (2 * i + 1) / count;
    const [angle, rho] = [2.399963 * i, Math.sqrt(1 - z * z)];
    return [0.3 * rho * Math.cos(angle), 0.2 * rho * Math.sin(angle), height * z];
  });
  return Float64Array.from(
    { length: 9 * count },
    (_, k) => points[(Math.floor(k / 9) + Math.floor((k % 9) / 3)) % count][k % 3],
  );
}

const small = mesh(60, 0.4);
const other = mesh(60, 0.5);
const large = mesh(1200, 0.4);

let folders = 0;
/** A cache of its own with a key of its own. */
function cacheOf({
  folder = join(root, `${folders++}`),
  keyFile = join(root, 'key', 'cache.key'),
  sources = 'a',
} = {}) {
  const made = { count: 0 };
  const compute: MeshDecomposer = (triangles) => {
    made.count++;
    return meshParts.hull(triangles);
  };
  return { folder, made, hull: preparedHulls({ folder, sources, keyFile, limit: limitAfterWriting }, compute) };
}

const onlyFile = (folder: string): string => join(folder, readdirSync(folder)[0]);

/** Fields of a shape; functions are equal if they are the same. */
const fieldsOf = (shape: ConvexShape) => Object.entries(shape);

async function computed(triangles: Float64Array): Promise<{ hull: Hull; shape: ConvexShape }> {
  const [hull] = await meshParts.hull(triangles);
  return { hull, shape: createShape(convexSpec(hull)) };
}

test.each([
  ['a hull', small],
  ['a hull with a finer direction map', large],
])('%s that was read equals the computed one to the last bit, and so does its shape', async (_, triangles) => {
  const cache = cacheOf();
  const expected = await computed(triangles);
  for (let run = 0; run < 2; run++) {
    const [hull] = await cache.hull(triangles);
    expect(hull).toEqual(expected.hull);
    expect(fieldsOf(createShape(convexSpec(hull)))).toEqual(fieldsOf(expected.shape));
  }
  expect(cache.made.count).toBe(1);
});

/** What somebody without the key can write. */
const attacks: readonly [string, (good: Buffer, foreign: Buffer) => Buffer][] = [
  ['emptied', () => Buffer.alloc(0)],
  ['cut off within the code', (good) => good.subarray(0, 20)],
  ['the code alone', (good) => good.subarray(0, 32)],
  ['cut off', (good) => good.subarray(0, -4)],
  ['extended', (good) => Buffer.concat([good, Buffer.alloc(4)])],
  ['zeros', (good) => Buffer.alloc(good.length)],
  ['of another mesh', (_, foreign) => foreign],
  ['with the content of another mesh', (good, foreign) => Buffer.concat([good.subarray(0, 32), foreign.subarray(32)])],
  ['with a code without a key', (good) => Buffer.concat([sha256(good.subarray(32)), good.subarray(32)])],
];
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

test('changed files are computed again, and replaced', async () => {
  const cache = cacheOf();
  const foreignCache = cacheOf();
  await foreignCache.hull(other);
  await cache.hull(small);
  const file = onlyFile(cache.folder);
  const [good, foreign] = [readFileSync(file), readFileSync(onlyFile(foreignCache.folder))];
  const expected = await computed(small);
  const flips = Array.from({ length: 64 }, (_, i) => Math.floor((i * (good.length - 1)) / 63));
  const changes = [
    ...attacks,
    ...flips.map((at): (typeof attacks)[number] => [
      `byte ${at}`,
      (bytes) => Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ (1 << (at % 8)) : byte))),
    ]),
  ];
  const wrong: string[] = [];
  cache.made.count = 0;
  for (const [what, change] of changes) {
    writeFileSync(file, change(good, foreign));
    const [hull] = await cache.hull(small);
    const isSame = JSON.stringify(hull) === JSON.stringify(expected.hull);
    if (!isSame || !readFileSync(file).equals(good)) wrong.push(what);
  }
  expect(wrong).toEqual([]);
  expect(cache.made.count).toBe(changes.length);
});

test('files of other sources, of other users and under another name are not used', async () => {
  const first = cacheOf();
  await first.hull(small);
  await first.hull(other);
  const { folder } = first;
  const byOthers = [cacheOf({ folder, sources: 'b' }), cacheOf({ folder, keyFile: join(root, 'theirs') })];
  for (const cache of byOthers) {
    expect(JSON.stringify(await cache.hull(small))).toBe(JSON.stringify(await meshParts.hull(small)));
    expect(cache.made.count).toBe(1);
  }
  const again = cacheOf();
  await again.hull(small);
  const name = onlyFile(again.folder);
  const foreign = cacheOf();
  await foreign.hull(other);
  renameSync(onlyFile(foreign.folder), name); // authentic, but of another mesh
  expect(JSON.stringify(await again.hull(small))).toBe(JSON.stringify(await meshParts.hull(small)));
  expect(again.made.count).toBe(2);
});

test('links, folders and files that cannot be written are no cache', async () => {
  const cache = cacheOf();
  await cache.hull(small);
  const file = onlyFile(cache.folder);
  const content = readFileSync(file);
  writeFileSync(join(root, 'elsewhere'), content);
  rmSync(file);
  symlinkSync(join(root, 'elsewhere'), file);
  await cache.hull(small);
  expect(cache.made.count).toBe(2);
  rmSync(file);
  mkdirSync(file);
  await cache.hull(small);
  expect(cache.made.count).toBe(3);
});

test('a key that others can read, of another size or behind a link is not used', async () => {
  const cache = cacheOf({ keyFile: join(root, 'keys', 'cache.key') });
  const keyFile = join(root, 'keys', 'cache.key');
  await cache.hull(small);
  const key = readFileSync(keyFile);
  expect(key.length).toBe(32);
  const countAfter = async (): Promise<number> => {
    cache.made.count = 0;
    await cache.hull(small);
    return cache.made.count;
  };
  expect(await countAfter()).toBe(0);
  chmodSync(keyFile, 0o644);
  expect(await countAfter()).toBe(1);
  chmodSync(keyFile, 0o600);
  expect(await countAfter()).toBe(0);
  writeFileSync(keyFile, key.subarray(1));
  expect(await countAfter()).toBe(1);
  rmSync(keyFile);
  writeFileSync(join(root, 'keys', 'other'), key, { mode: 0o600 });
  symlinkSync(join(root, 'keys', 'other'), keyFile);
  expect(await countAfter()).toBe(1);
  rmSync(keyFile);
  writeFileSync(join(root, 'file'), '');
  const nowhere = cacheOf({ keyFile: join(root, 'file', 'cache.key') });
  expect(JSON.stringify(await nowhere.hull(small))).toBe(JSON.stringify(await meshParts.hull(small)));
  expect(existsSync(nowhere.folder)).toBe(false);
});

test('the key is in the data folder of the user, and the size of the folder is bounded', async () => {
  expect(userKeyFile({ XDG_DATA_HOME: '/x' })).toBe('/x/elbowroom/cache.key');
  expect(userKeyFile({})).toMatch(/\.local.share.elbowroom.cache\.key$/);
  const cache = cacheOf();
  await cache.hull(small);
  await limitCacheFolder(cache.folder, 10);
  expect(readdirSync(cache.folder)).toEqual([]);
});
