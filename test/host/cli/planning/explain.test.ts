import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtures, posts, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

/**
 * The arm of the fixtures behind a gate that it cannot pass, and a pole that stops it now and then but does not matter.
 */
function gate(changes: object = {}): string {
  const file = join(temporaryFolder(), 'gate.json');
  const scene = {
    format: 'elbowroom-scene/1',
    name: 'gate',
    robot: { urdf: join(fixtures, 'arm.urdf'), limits: { shoulder: { acceleration: 4 }, elbow: { acceleration: 8 } } },
    start: [-1, 0],
    goal: [1, 0],
    obstacles: [
      { name: 'gate', type: 'box', size: [0.4, 0.02, 0.2], pose: { xyz: [0.6, 0, 0.1] } },
      { name: 'pole', type: 'box', size: [0.04, 0.04, 0.4], pose: { xyz: [-0.2, 0, 0.1] } },
    ],
    ...changes,
  };
  writeFileSync(file, JSON.stringify(scene));
  return file;
}

test('plan --explain prints the extent of the search, the blocking pairs, and the objects without which a path is found', async () => {
  const { code, stdout, stderr } = await elbowroom([
    'plan',
    gate(),
    '--explain',
    '--iterations',
    '1000',
    '--stats',
    '-',
  ]);
  expect(code).toBe(1);
  const [reason, reached, fromStart, fromGoal, stopped, ...without] = stderr.trimEnd().split('\n');
  expect(reason).toBe('gate: no path found in 1000 iterations; try another --seed or more --iterations');
  expect(reached).toMatch(
    /^ {2}search trees: \d+ configurations connected to the start, \d+ configurations to the goal; nearest approach [\d.]+$/,
  );
  expect([fromStart, fromGoal]).toEqual([
    expect.stringMatching(/^ {4}from the start: -[\d.]+, -?[\d.]+$/),
    expect.stringMatching(/^ {4}from the goal: [\d.]+, -?[\d.]+$/),
  ]);
  expect(stopped).toMatch(/^ {2}pairs that blocked .* that were not valid: (upper|fore) and gate [\d.]+ %, /);
  expect(without).toEqual([
    expect.stringMatching(/^ {2}without gate a path exists \(\d+ points, length [\d.]+\)$/),
    '  without pole no path is found either (no-path)',
  ]);
  const { status, explanation } = JSON.parse(stdout);
  expect(status).toBe('no-path');
  expect(explanation.without).toMatchObject([
    { kind: 'obstacle', names: ['gate'], status: 'solved' },
    { kind: 'obstacle', names: ['pole'], status: 'no-path', path_length: null },
  ]);
});

test('plan --explain lists every colliding pair of an invalid goal', async () => {
  const { code, stderr } = await elbowroom(['plan', gate({ goal: [0, 0] }), '--explain', '--iterations', '1000']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^gate: the goal is in collision: fore and gate overlap by 30 mm; the nearest valid state found /,
  );
  expect(stderr).toContain('\n  goal: all colliding pairs: fore and gate 30 mm, upper and gate 30 mm\n');
  expect(stderr).toMatch(/\n {2}without gate a path exists \(\d+ points, length 1\)\n$/);
});

test('plan --explain adds nothing to a motion', async () => {
  const [plain, explained] = await Promise.all([elbowroom(['plan', posts]), elbowroom(['plan', posts, '--explain'])]);
  expect(explained.code).toBe(0);
  expect(explained.stdout).toBe(plain.stdout);
  expect(explained.stderr).toMatch(/^posts: solved in [^\n]*\n$/);
});
