import { expect, test } from 'vitest';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import { planners } from '../../../src/core/planning/index.ts';
import type { JointSpace, MotionValidator } from '../../../src/core/planning/planner.ts';
import { pathLength, shortcutDefaults, shortcutPath, thoroughShortcuts } from '../../../src/core/planning/shortcut.ts';
import { DiscWorld, Iterations, shortestThroughGap, wallWithGap as world } from './discWorld.ts';

const start = Float64Array.of(-0.8, -0.5);
const goal = Float64Array.of(0.8, -0.5);

test('a shortcut path is valid, never longer, has the same ends, and comes near the shortest way in the median', () => {
  const ratios: number[] = [];
  for (let seed = 1; seed <= 40; seed++) {
    const random = new Random(seed);
    const problem = { space: world, motions: world, start, goals: [goal] };
    const { path } = planners['rrt-connect'].plan(problem, { stepSize: 0.2 }, random, new Iterations(4000));
    const shorter = shortcutPath(path, world, world, random, thoroughShortcuts);
    expect(pathLength(shorter, world)).toBeLessThanOrEqual(pathLength(path, world) + 1e-12);
    expect([...shorter[0], ...shorter[shorter.length - 1]]).toEqual([...start, ...goal]);
    for (let i = 1; i < shorter.length; i++) expect(world.isMotionValid(shorter[i - 1], shorter[i])).toBe(true);
    ratios.push(pathLength(shorter, world) / shortestThroughGap);
  }
  ratios.sort((a, b) => a - b);
  expect(ratios[0]).toBeGreaterThan(1 - 1e-12);
  expect(ratios[20]).toBeLessThan(1.05);
});

test('a joint that nothing hinders goes straight, though the others have to go round', () => {
  const space = new WorldWithLift();
  const path = [
    [-0.8, -0.5, 0],
    [-0.4, 0.5, 0.8],
    [0, 0.7, -0.6],
    [0.4, 0.5, 0.9],
    [0.8, -0.5, 0],
  ].map((q) => Float64Array.from(q));
  const swings: number[] = [];
  for (let seed = 1; seed <= 20; seed++) {
    const shorter = shortcutPath(path, space, space, new Random(seed), thoroughShortcuts);
    swings.push(shorter.reduce((sum, q, i) => sum + (i > 0 ? Math.abs(q[2] - shorter[i - 1][2]) : 0), 0));
  }
  swings.sort((a, b) => a - b);
  expect(swings[10]).toBeLessThan(0.5); // of 4.4 before
});

test('equal seeds give equal paths, and the attempts limit the number of validated edges', () => {
  const path = [start, Float64Array.of(-0.2, 0.8), Float64Array.of(0, 0.7), Float64Array.of(0.3, 0.9), goal];
  const shorten = (seed: number) => shortcutPath(path, world, world, new Random(seed), thoroughShortcuts);
  expect(shorten(3)).toEqual(shorten(3));
  expect(shorten(3)).not.toEqual(shorten(4));
  const before = world.motionsAsked;
  shortcutPath(path, world, world, new Random(1), { attempts: 0 });
  expect(world.motionsAsked - before).toBeLessThanOrEqual(10); // whole corners of five points
});

test('a few shortcuts bring most of what thorough ones do, for a fraction of the motions', () => {
  const lengths = [0, 0];
  const asked = [0, 0];
  for (let seed = 1; seed <= 40; seed++) {
    const problem = { space: world, motions: world, start, goals: [goal] };
    const { path } = planners['rrt-connect'].plan(problem, { stepSize: 0.2 }, new Random(seed), new Iterations(4000));
    for (const [i, effort] of [shortcutDefaults, thoroughShortcuts].entries()) {
      const before = world.motionsAsked;
      lengths[i] += pathLength(shortcutPath(path, world, world, new Random(seed), effort), world);
      asked[i] += world.motionsAsked - before;
    }
  }
  expect(lengths[0]).toBeLessThan(1.15 * lengths[1]);
  expect(asked[0]).toBeLessThan(0.6 * asked[1]);
});

test('what is as short as can be stays as it is', () => {
  const open = new DiscWorld([]);
  expect(shortcutPath([start, goal], open, open, new Random(1))).toEqual([start, goal]);
  expect(shortcutPath([start], open, open, new Random(1))).toEqual([start]);
  const middle = Float64Array.of(0, -0.5);
  expect(shortcutPath([start, middle, middle, goal], open, open, new Random(1))).toEqual([start, goal]);
});

/** Two joints among the pillars, and a third one that the pillars do not know of. */
class WorldWithLift implements JointSpace, MotionValidator {
  readonly dof = 3;
  readonly lower = Float64Array.of(-1, -1, -1);
  readonly upper = Float64Array.of(1, 1, 1);

  sample(out: Configuration, random: Random): void {
    for (let i = 0; i < 3; i++) out[i] = random.between(-1, 1);
  }

  distance(a: Configuration, b: Configuration): number {
    return Math.sqrt(a.reduce((sum, x, i) => sum + (x - b[i]) ** 2, 0));
  }

  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void {
    for (let i = 0; i < 3; i++) out[i] = t === 1 ? b[i] : a[i] + t * (b[i] - a[i]);
  }

  isStateValid(q: Configuration): boolean {
    return world.isStateValid(q.subarray(0, 2));
  }

  isMotionValid(a: Configuration, b: Configuration): boolean {
    return world.isMotionValid(a.subarray(0, 2), b.subarray(0, 2));
  }
}
