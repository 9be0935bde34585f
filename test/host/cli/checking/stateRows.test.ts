import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { loadScene } from '../../../../src/host/node/files.ts';
import { rowChunks } from '../../../../src/host/node/inputLines.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { StateRows } from '../../../../src/tasks/validation/stateRows.ts';
import { StateValidityChecker } from '../../../../src/tasks/validation/stateValidityChecker.ts';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const folder = temporaryFolder();
const path = join(folder, 'cell.yaml');
writeFileSync(
  path,
  `format: elbowroom-scene/1
robot: ur5e
start: [0, -1.57, 1.57, -1.57, -1.57, 0]
padding: 5 mm
clearance: [[forearm_link, wrist_3_link, 28 mm]]
constraints: [{type: orientation, within: [100 deg, 100 deg, 180 deg]}]
obstacles:
  - {name: post, type: box, size: [0.1, 0.1, 1.2], pose: {xyz: [0.5, 0, 0.6]}}
  - {name: floor, type: box, size: [3, 3, 0.1], pose: {xyz: [0, 0, -0.06]}}
allow: [[floor, base_link_inertia]]
`,
);
const { scene, robot } = await loadScene(path);
const model = createSceneRobot({ scene, robot });
const BAD = [Number.NaN, Number.POSITIVE_INFINITY, -1e308, 1.5e6];

/** Random states, of which some contain a number that is no joint value, and the byte that each must get. */
function rowsOf(count: number, seed: number) {
  const random = new Random(seed);
  const checker = new StateValidityChecker(model, scene);
  const data = Buffer.alloc(48 * count);
  const expected = Array.from({ length: count }, (_, i) => {
    const q = Array.from({ length: 6 }, () => random.between(-3, 3) * (random.below(60) === 0 ? 4 : 1));
    const isBad = random.below(9) === 0;
    if (isBad) q[random.below(6)] = BAD[random.below(BAD.length)];
    for (const [k, value] of q.entries()) data.writeDoubleLE(value, 48 * i + 8 * k);
    return isBad ? 2 : Number(checker.isValid(q));
  });
  return { data, expected };
}

test('the byte of each row is the validity of its state, however the bytes are divided', async () => {
  const { data, expected } = rowsOf(1500, 1);
  expect(new Set(expected)).toEqual(new Set([0, 1, 2]));
  const random = new Random(2);
  const pieces: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    const end = at + 1 + random.below(2000);
    pieces.push(data.subarray(at, end));
    at = end;
  }
  const rows = new StateRows(model, scene, {});
  const results: number[] = [];
  for await (const chunk of rowChunks(Readable.from(pieces), 'stdin', rows.width)) results.push(...rows.process(chunk));
  expect(results).toEqual(expected);
  const count = (byte: number) => expected.filter((one) => one === byte).length;
  expect([rows.invalid, rows.unreadable, rows.read]).toEqual([count(0), count(2), count(0) + count(1)]);
});

test('validate --format f64 writes a byte per row, 2 for an incomplete one, and refuses what a byte cannot state', async () => {
  const { data, expected } = rowsOf(40, 5);
  const [input, output] = [join(folder, 'states.f64'), join(folder, 'valid')];
  writeFileSync(input, data.subarray(0, data.length - 3));
  const run = await elbowroom(['validate', path, input, '--format', 'f64', '-o', output]);
  expect([...readFileSync(output)]).toEqual([...expected.slice(0, -1), 2]);
  expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(/states could not be read\n.*Their byte is 2/)]);
  const refused = await elbowroom(['validate', path, input, '--format', 'f64', '--clearance']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--format f64 with --clearance')]);
  const moving = await elbowroom(['validate', 'scenes/revolving-door.yaml', input, '--format', 'f64']);
  expect([moving.code, moving.stderr]).toEqual([2, expect.stringContaining('has no times')]);
});
