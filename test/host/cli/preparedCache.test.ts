import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { root, temporaryFolder } from './run.ts';
import { elbowroom } from './runHere.ts';

const folder = temporaryFolder();
const cache = join(folder, 'cache');
const random = new Random(11);
const states = Array.from({ length: 60 }, () =>
  JSON.stringify(Array.from({ length: 6 }, () => 4 * random.next() - 2)),
).join('\n');

async function verdicts(ELBOWROOM_CACHE: string): Promise<string> {
  const env = { ELBOWROOM_CACHE, XDG_DATA_HOME: folder };
  return (await elbowroom(['validate', join(root, 'scenes/shelf.yaml')], { input: states, env })).stdout;
}

const filesIn = (): string[] => readdirSync(cache).map((name) => join(cache, name));

test('verdicts are the same without a cache, with an empty one, a filled one and a forged one', async () => {
  const expected = await verdicts('off');
  expect(expected.match(/"valid":true/g)?.length).toBeGreaterThan(5);
  expect(expected.match(/"valid":false/g)?.length).toBeGreaterThan(5);
  expect(await verdicts(cache)).toBe(expected);
  const files = filesIn().filter((file) => file.endsWith('.mesh'));
  const others = filesIn().filter((file) => !files.includes(file));
  expect(others.map((file) => file.replace(/^.*\./, '')).sort()).toEqual(['scene', 'srdf', 'urdf']);
  const otherContents = others.map((file) => readFileSync(file));
  const contents = files.map((file) => readFileSync(file));
  expect(files.length).toBeGreaterThan(3);
  expect(await verdicts(cache)).toBe(expected);

  // Hulls of half their size, and each the file of another mesh: both would turn collisions into free states.
  for (const [i, file] of files.entries()) {
    if (i % 2 === 0) writeFileSync(file, contents[(i + 2) % files.length]);
    else writeFileSync(file, halved(contents[i]));
  }
  // The pair of a link that the SRDF names becomes another one.
  for (const [i, file] of others.entries())
    writeFileSync(file, otherContents[i].toString('latin1').replaceAll('wrist_1', 'wrist_2'), 'latin1');
  expect(await verdicts(cache)).toBe(expected);
  expect(files.map((file) => readFileSync(file))).toEqual(contents); // replaced
  expect(others.map((file) => readFileSync(file))).toEqual(otherContents);
});

/** The same file with vertices of its hulls at half their distance: see `encodeHull`. */
function halved(file: Buffer): Buffer {
  const kept = deserialize(Buffer.from(file.subarray(32))) as { hulls: { content: Uint8Array }[] };
  for (const { content } of kept.hulls) {
    const view = new DataView(content.buffer, content.byteOffset);
    for (let k = 0; k < 3 * view.getInt32(0, true); k++)
      view.setFloat64(128 + 8 * k, 0.5 * view.getFloat64(128 + 8 * k, true), true);
  }
  return Buffer.concat([file.subarray(0, 32), serialize(kept)]);
}
