import { expect, test } from 'vitest';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import { InformedSpace } from '../../../src/core/planning/informed/informedSet.ts';
import { improvePath } from '../../../src/tasks/planning/improvePath.ts';
import { TorusWorld } from '../../core/planning/torusWorld.ts';

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

test('only goals that allow a sufficiently shorter path are searched for, below the current length, again after each gain', () => {
  const asked: [number[], number][] = [];
  const answers = [
    [start, at(-2)],
    [start, at(1)],
  ];
  const path = improvePath([start, at(5.1)], { start, goals }, line, 300, ({ goals: nearer }, length) => {
    asked.push([nearer.map(([x]) => x), length]);
    return answers.shift();
  });
  expect(asked).toEqual([
    [[1, -2], 5.1],
    [[1], 2],
  ]);
  expect(path).toEqual([start, at(1)]);
});

test('a longer path is rejected, and two failed searches end the improvement, whether or not they return a path', () => {
  const first = [start, at(-7), at(5)];
  const answers = [[start, at(-8), at(5)], undefined, [start, at(5)]];
  let searches = 0;
  expect(improvePath(first, { start, goals: [at(5)] }, line, 300, () => answers[searches++])).toBe(first);
  expect(searches).toBe(2);
});

test('after a long first search, more and longer searches are made', () => {
  const limits = (iterations: number) => {
    const given: number[] = [];
    improvePath([start, at(-7), at(5)], { start, goals: [at(5)] }, line, iterations, (_ends, _length, most) => {
      given.push(most);
      return undefined;
    });
    return given;
  };
  expect(limits(300)).toEqual([300, 300]);
  expect(limits(301)).toEqual([602, 602, 602, 602]);
  expect(limits(50_000)).toEqual([3000, 3000, 3000, 3000]);
  let length = 20;
  let searches = 0;
  improvePath([start, at(20)], { start, goals: [at(1)] }, line, 1000, () => {
    searches++;
    length -= 0.5;
    return [start, at(length)];
  });
  expect(searches).toBe(8);
});

test('a path that leaves no room for a shorter one is left alone', () => {
  const never = () => expect.fail('no shorter path is possible, so search must not be called');
  const straight = [start, at(1)];
  expect(improvePath(straight, { start, goals }, line, 300, never)).toBe(straight);
  const nearly = [start, at(-0.08), at(1)]; // 1.16, the goal being 1 away
  expect(improvePath(nearly, { start, goals: [at(1)] }, line, 300, never)).toBe(nearly);
});

test('an informed search samples only states on possibly shorter paths, and keeps the metric of the space', () => {
  const world = new TorusWorld();
  const ends = { start: at(2, 3, 0.5), goals: [at(-2, -3, -0.5)] };
  const space = new InformedSpace(ends, world, 3);
  const random = new Random(1);
  const q = new Float64Array(3);
  for (let i = 0; i < 500; i++) {
    space.sample(q, random);
    expect(world.distance(ends.start, q) + world.distance(q, ends.goals[0])).toBeLessThan(3);
    expect(space.distance(ends.start, q)).toBe(world.distance(ends.start, q));
  }
});
