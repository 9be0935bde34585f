import { expect, test } from 'vitest';
import type { Configuration } from '../../src/math/configuration.ts';
import { towardsNearerGoal } from '../../src/tasks/nearerGoal.ts';

const at = (...values: number[]): Configuration => Float64Array.from(values);
const line = {
  dof: 1,
  lower: at(-9),
  upper: at(9),
  sample: () => {},
  distance: (a: Configuration, b: Configuration) => Math.abs(a[0] - b[0]),
  interpolate: () => {},
};
const start = at(0);
const goals = [at(1), at(-2), at(5)];

test('it looks among the goals that could save enough, and again after each gain', () => {
  const asked: number[][] = [];
  const answers = [
    [start, at(-2)],
    [start, at(1)],
  ];
  const path = towardsNearerGoal([start, at(5)], { start, goals }, line, ({ goals: nearer }) => {
    asked.push(nearer.map(([x]) => x));
    return answers.shift();
  });
  expect(asked).toEqual([[1, -2], [1]]);
  expect(path).toEqual([start, at(1)]);
});

test('a longer path is not taken, and a look that finds none ends it', () => {
  const first = [start, at(5)];
  const answers = [[start, at(-7), at(1)], undefined];
  let looks = 0;
  const path = towardsNearerGoal(first, { start, goals }, line, () => answers[looks++]);
  expect(path).toBe(first);
  expect(looks).toBe(2);
});

test('a single goal, and a path to the nearest one, are left alone', () => {
  const never = () => expect.fail('there is nothing to look for');
  const far = [start, at(5)];
  expect(towardsNearerGoal(far, { start, goals: [at(1)] }, line, never)).toBe(far);
  const near = [start, at(1)];
  expect(towardsNearerGoal(near, { start, goals }, line, never)).toBe(near);
});
