import { expect, test } from 'vitest';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import { rrtConnect } from '../../../src/core/planning/rrtConnect.ts';
import { Tree } from '../../../src/core/planning/tree.ts';
import { DiscWorld, Iterations, wallWithGap } from './discWorld.ts';

const start = Float64Array.of(-0.8, -0.5);
const goal = Float64Array.of(0.8, -0.5);

/** Validates edges in closed form; its approximate check tests only the end state and misses pillars on the way. */
class HastyWorld extends DiscWorld {
  looks = 0;
  refuted = 0;

  isMotionLikelyValid(_: Configuration, qTo: Configuration): boolean {
    this.looks++;
    return super.isMotionValid(qTo, qTo);
  }

  override isMotionValid(a: Configuration, b: Configuration): boolean {
    const isValid = super.isMotionValid(a, b);
    if (!isValid && this.isMotionLikelyValid(a, b)) this.refuted++;
    return isValid;
  }
}

test('trees grown with approximate checks yield paths from start to goal whose every edge is valid', () => {
  let refuted = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const world = new HastyWorld(wallWithGap.discs);
    const problem = { space: world, motions: world, start, goals: [goal] };
    const { status, path } = rrtConnect.plan(problem, { stepSize: 0.3 }, new Random(seed), new Iterations(20_000));
    expect(status).toBe('solved');
    expect([...path[0], ...path[path.length - 1]]).toEqual([...start, ...goal]);
    for (let i = 1; i < path.length; i++) expect(wallWithGap.isMotionValid(path[i - 1], path[i])).toBe(true);
    refuted += world.refuted;
  }
  expect(refuted).toBeGreaterThan(100); // the approximate checks do miss collisions
});

test('without obstacles the trees grow by approximate checks alone, and only the edge from start to goal is validated', () => {
  const world = new HastyWorld([]);
  const problem = { space: world, motions: world, start, goals: [goal] };
  const { path } = rrtConnect.plan(problem, { stepSize: 0.2 }, new Random(1), new Iterations(4000));
  expect(path).toEqual([start, goal]);
  expect(world.looks).toBeGreaterThan(5);
  expect(world.motionsAsked - world.looks).toBe(1);
});

test('a goal behind a closed wall is not reached, even though approximate checks miss the wall', () => {
  const world = new HastyWorld(
    Array.from({ length: 41 }, (_, i): [number, number, number] => [0, -1 + i * 0.05, 0.06]),
  );
  const problem = { space: world, motions: world, start, goals: [goal] };
  const { status, path } = rrtConnect.plan(problem, { stepSize: 0.3 }, new Random(2), new Iterations(2000));
  expect([status, path]).toEqual(['budget-spent', []]);
  expect(world.refuted).toBeGreaterThan(0);
});

test('pruning a node removes its subtree and nothing else', () => {
  const tree = new Tree(wallWithGap, () => true, 10, [Float64Array.of(0, 0)]);
  const add = (x: number, parent: number) => tree.add(Float64Array.of(x, 0), parent);
  const [a, b] = [add(0.1, 0), add(0.2, 0)];
  const [, underB] = [add(0.3, a), add(0.4, b)];
  add(0.5, underB);
  tree.prune(b);
  const nearestTo = (x: number) => {
    tree.extend(Float64Array.of(x, 0));
    return tree.at(tree.newestToRoot()[1])[0];
  };
  expect(nearestTo(0.6)).toBe(0.3);
  expect(nearestTo(-0.6)).toBe(0);
});
