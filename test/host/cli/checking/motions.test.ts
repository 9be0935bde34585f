import { expect, test } from 'vitest';
import { elbowroom } from '../runHere.ts';

const start = [0, -1.57, 1.57, -1.57, -1.57, 0];
const turned = [0, -1.57, 1.57, -1.57, -1.57, 1];
const inTheShelf = [0, 0, 0, 0, 0, 0];
const outOfLimits = [0, -1.57, 1.57, -1.57, -1.57, 7];

test('validate --motions prints each motion in order: proved collision-free, colliding with the time of contact, out of limits, unreadable', async () => {
  const lines = [
    JSON.stringify([start, turned]),
    JSON.stringify({ id: 'hit', from: start, to: inTheShelf }),
    JSON.stringify({ from: start, to: outOfLimits }),
    JSON.stringify({ id: 'half', from: start }),
    '{"from": [1, 2], "to": [3, 4]}',
    'nonsense',
  ];
  const { code, stdout, stderr } = await elbowroom(['validate', 'scenes/shelf.yaml', '--motions'], {
    input: `${lines.join('\n')}\n`,
  });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(2);
  expect(stderr).toContain('3 of 6 motions could not be read');
  expect(answers[0]).toEqual({ id: 1, valid: true, verdict: 'certified', limits: [] });
  expect(answers[1]).toMatchObject({ id: 'hit', valid: false, verdict: 'collision', limits: [] });
  expect(answers[2]).toMatchObject({ id: 3, valid: false, limits: ['wrist_3_joint'] });
  expect(answers[3]).toEqual({ id: 'half', line: 4, error: 'to is missing' });
  expect(answers[4].error).toMatch(/2 values, the robot has 6/);
  expect(answers[5]).toMatchObject({ id: null, line: 6 });

  // The first contact is narrow, and it is the first: what lies before it is free, what lies at it is not.
  const { pair, free_until: before, time } = answers[1].contact;
  expect(time - before).toBeLessThanOrEqual(1e-4); // below this, rounding decides the verdict
  const at = (t: number) => JSON.stringify(start.map((q, i) => q + t * (inTheShelf[i] - q)));
  const states = Array.from({ length: 50 }, (_, i) => at((i / 50) * before));
  const free = await elbowroom(['validate', 'scenes/shelf.yaml'], { input: `${states.join('\n')}\n` });
  expect(free.code).toBe(0);
  const hit = await elbowroom(['validate', 'scenes/shelf.yaml', '--all'], { input: `${at(time)}\n` });
  expect(JSON.parse(hit.stdout).collisions).toContainEqual(pair);
});
