import { describe, expect, test } from 'vitest';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import { planners } from '../../../src/core/planning/index.ts';
import { InformedSet } from '../../../src/core/planning/informed/informedSet.ts';
import { shortestDifference, unwrappedPath, withinHalfTurn } from '../../../src/core/planning/metric.ts';
import { NearestNeighbors } from '../../../src/core/planning/nearestNeighbors.ts';
import { pathLength, shortcutPath } from '../../../src/core/planning/shortcut.ts';
import { Iterations } from './discWorld.ts';
import { TorusWorld } from './torusWorld.ts';

const turn = 2 * Math.PI;
const free = new TorusWorld(undefined, 0);

function drawn(random: Random, world = free): Configuration {
  const q = new Float64Array(3);
  world.sample(q, random);
  return q;
}

test('a difference goes the short way, and the way back is the same way, half a turn and all', () => {
  const random = new Random(1);
  for (let i = 0; i < 1000; i++) {
    const [a, b] = i < 10 ? [0, Math.PI * (i % 2 ? 1 : -1)] : [drawn(random)[0], drawn(random)[0]];
    const d = shortestDifference(a, b, Math.PI);
    expect(Math.abs(d)).toBe(Math.min(Math.abs(b - a), Math.abs(b - a - turn), Math.abs(b - a + turn)));
    expect(shortestDifference(b, a, Math.PI)).toBe(-d);
    const far = a + turn * (random.below(9) - 4);
    expect(Math.abs(withinHalfTurn(far, Math.PI))).toBeLessThanOrEqual(Math.PI + 1e-12);
    expect(Math.cos(withinHalfTurn(far, Math.PI))).toBeCloseTo(Math.cos(a), 12);
  }
  expect([Math.PI, -Math.PI, 1, -3].map((value) => withinHalfTurn(value, Math.PI))).toEqual([Math.PI, -Math.PI, 1, -3]);
  expect(withinHalfTurn(7, Number.POSITIVE_INFINITY)).toBe(7);
});

test('nearest neighbours on a torus with weights are what a search of all images finds, at every size', () => {
  for (const weights of [Float64Array.of(1, 1, 1), Float64Array.of(1, 0.3, 4)]) {
    const world = new TorusWorld(weights, 0);
    const set = new NearestNeighbors(world);
    const random = new Random(4);
    const all: Configuration[] = [];
    for (let i = 0; i < 4000; i++) {
      const q = drawn(random, world);
      if (i % 3 === 0) q[0] = Math.sign(q[0]) * (Math.PI - 0.05 * random.next()); // a crowd at the seam
      set.add(q);
      all.push(q);
      if (i % 61 !== 0) continue;
      const from = i % 2 === 0 ? drawn(random, world) : Float64Array.of(-3.1, 3.13, random.between(-1, 1));
      const distances = all.map((other) => world.distance(from, other));
      const order = distances.map((_, k) => k).sort((a, b) => distances[a] - distances[b] || a - b);
      const count = Math.min(all.length, 1 + random.below(30));
      const size = set.near(from, count);
      expect([...set.found.subarray(0, size)]).toEqual(order.slice(0, count));
      const radius = distances[order[Math.min(order.length - 1, random.below(100))]] * 1.000001;
      expect(set.near(from, all.length, radius)).toBe(distances.filter((distance) => distance <= radius).length);
    }
  }
});

test('an unwrapped path visits equivalent configurations, begins at the given start and has no step of more than half a turn', () => {
  const random = new Random(2);
  for (let round = 0; round < 200; round++) {
    const path = Array.from({ length: 12 }, () => drawn(random));
    const start = path[0].map((value, i) => (i < 2 ? value + turn * (random.below(7) - 3) : value));
    const unwrapped = unwrappedPath(path, free, start);
    expect(unwrapped[0]).toBe(start);
    for (const [k, q] of unwrapped.entries()) {
      expect(
        free.distance(
          q.map((value, i) => withinHalfTurn(value, free.halfTurns[i])),
          path[k],
        ),
      ).toBeLessThan(1e-12);
      if (k === 0) continue;
      let square = 0;
      for (let i = 0; i < 3; i++) square += (free.weights[i] * (q[i] - unwrapped[k - 1][i])) ** 2;
      expect(Math.sqrt(square)).toBeCloseTo(free.distance(path[k - 1], path[k]), 12);
    }
  }
});

test('the informed set on a torus is filled evenly: as many points in every cell as drawing and throwing away gives', () => {
  const start = Float64Array.of(2.8, 0.5, 0);
  const goals = [Float64Array.of(-2.2, 2.9, 0.4), Float64Array.of(1, -2, -0.5)];
  const informed = new InformedSet({ space: free, start, goals });
  const random = new Random(8);
  const cost = 3.4;
  const cellOf = (q: Configuration) =>
    [0, 1].reduce((cell, i) => cell * 6 + Math.floor((q[i] / turn + 0.5) * 5.999999), 0);
  const count = 40_000;
  const [asked, expected] = [new Float64Array(36), new Float64Array(36)];
  const q = new Float64Array(3);
  for (let i = 0; i < count; i++) {
    informed.sample(q, cost, random);
    expect(informed.costToCome(q) + informed.costToGo(q)).toBeLessThan(cost);
    asked[cellOf(q)]++;
    do free.sample(q, random);
    while (!goals.some((goal) => free.distance(start, q) + free.distance(q, goal) < cost));
    expected[cellOf(q)]++;
  }
  // Both are counts: six standard deviations of their difference.
  for (let cell = 0; cell < 36; cell++)
    expect(Math.abs(asked[cell] - expected[cell]), `cell ${cell}`).toBeLessThan(
      6 * Math.sqrt(2 * expected[cell] + 1) + 1,
    );
});

describe.each(Object.entries(planners))('%s on a torus', (name, planner) => {
  const world = new TorusWorld();
  const start = Float64Array.of(2, 3, 0.5);
  const goal = Float64Array.of(-2, -3, -0.5);
  const options = Object.fromEntries(Object.entries(planner.options).map(([key, option]) => [key, option.value]));

  test('goes over the back, where the only way is, and shortcuts bring it near the straight one', () => {
    const least = world.distance(start, goal);
    for (let seed = 1; seed <= 20; seed++) {
      const random = new Random(seed);
      const budget = new Iterations(name.includes('rrt-star') ? 800 : 3000);
      const problem = { space: world, motions: world, start, goals: [goal] };
      const { status, path } = planner.plan(problem, { ...options, stepSize: 0.4 }, random, budget);
      expect(status, `seed ${seed}`).toBe('solved');
      const short = shortcutPath(path, world, world, random);
      for (const each of [path, short]) {
        expect([...each[0], ...each[each.length - 1]]).toEqual([...start, ...goal]);
        for (let i = 1; i < each.length; i++) expect(world.isMotionValid(each[i - 1], each[i])).toBe(true);
        const unwrapped = unwrappedPath(each, world, start);
        expect(Math.min(...unwrapped.map(([x]) => x))).toBeGreaterThan(world.wall);
        expect(unwrapped[unwrapped.length - 1][0]).toBeCloseTo(turn - 2, 12);
      }
      expect(pathLength(short, world), `seed ${seed}`).toBeLessThan(least * (1 + 1e-12));
    }
  });
});
