import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { elbowroom, root, temporaryFolder } from './run.ts';

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
  const files = filesIn().filter((file) => file.endsWith('.hull'));
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

/** The same file with vertices at half their distance: code, counts, 5 doubles, then three for each vertex. */
function halved(file: Buffer): Buffer {
  const changed = Buffer.from(file);
  const count = changed.readInt32LE(32);
  for (let k = 0; k < 3 * count; k++) {
    const at = 32 + 32 + 40 + 8 * k;
    changed.writeDoubleLE(0.5 * changed.readDoubleLE(at), at);
  }
  return changed;
}
