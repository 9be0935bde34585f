import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { type PlannerName, planners } from '../../../src/core/planning/index.ts';
import type { RoadmapData } from '../../../src/core/planning/planner.ts';
import { ifFree, Roadmap } from '../../../src/core/planning/roadmap.ts';
import { type DiscWorld, Iterations, wallWithGap as world } from './discWorld.ts';

const left = Float64Array.of(-0.8, -0.5);
const right = Float64Array.of(0.8, -0.5);
const valuesOf = (name: PlannerName) =>
  Object.fromEntries(Object.entries(planners[name].options).map(([key, { value }]) => [key, value]));

describe.each(['prm', 'lazy-prm'] as const)('%s', (name) => {
  function ask(start: Float64Array, goal: Float64Array, roadmap?: RoadmapData, more = {}) {
    const before = world.motionsAsked;
    const problem = { space: world, motions: world, start, goals: [goal], roadmap };
    const found = planners[name].plan(problem, { ...valuesOf(name), ...more }, new Random(2), new Iterations(5000));
    return { ...found, roadmap: found.roadmap!, asked: world.motionsAsked - before };
  }

  test('with its saved roadmap, validates no edge again, and few edges for another start and goal', () => {
    const first = ask(left, right);
    expect(first.status).toBe('solved');
    const saved: RoadmapData = JSON.parse(JSON.stringify(first.roadmap));

    const again = ask(left, right, saved);
    expect(again).toMatchObject({ status: 'solved', asked: 0 });
    expect(again.path).toEqual(first.path);

    const others = ask(Float64Array.of(-0.5, -0.8), Float64Array.of(0.4, -0.6), saved);
    expect(others.status).toBe('solved');
    expect(others.asked).toBeLessThan(first.asked / 2);
    for (let i = 1; i < others.path.length; i++)
      expect(world.isMotionValid(others.path[i - 1], others.path[i])).toBe(true);
  });

  test('calls only motions free that are, and no motion twice', () => {
    const { roadmap } = ask(left, right);
    const seen = new Set<string>();
    for (const [from, to] of [...roadmap.free, ...roadmap.unchecked]) {
      const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
      expect(seen.has(key), key).toBe(false);
      seen.add(key);
    }
    for (const [from, to] of roadmap.free) expect(isFree(world, roadmap, from, to)).toBe(true);
  });

  test('grows its roadmap to the requested size', () => {
    const { roadmap, nodes } = ask(left, Float64Array.of(-0.7, -0.5), undefined, { points: 300 });
    expect(nodes).toBeGreaterThanOrEqual(300);
    expect(roadmap.points.length).toBeGreaterThan(290);
  });

  test('reports why a roadmap does not fit', () => {
    const good = {
      dof: 2,
      points: [
        [0, 0],
        [0.1, 0.1],
      ],
      free: [[0, 1]],
      unchecked: [],
    } as RoadmapData;
    const withData = (data: Partial<RoadmapData>) => () => ask(left, right, { ...good, ...data });
    expect(withData({})).not.toThrow();
    expect(withData({ dof: 6 })).toThrow('the roadmap has 6 values a point, the robot 2 joints');
    expect(
      withData({
        points: [
          [0, 0],
          [0, Number.NaN],
        ],
      }),
    ).toThrow("the roadmap's points[1] is [0,NaN]");
    expect(withData({ points: [[0, 0], [0]] })).toThrow("the roadmap's points[1] is [0]");
    expect(withData({ free: [[0, 2]] })).toThrow("the roadmap's free[0] is [0, 2]");
    expect(withData({ unchecked: [[1, 1]] })).toThrow("the roadmap's unchecked[0] is [1, 1]");
  });
});

test('a roadmap of one planner is used by the other, and is not extended if it contains a path', () => {
  const problem = { space: world, motions: world, start: left, goals: [right] };
  const lazy = planners['lazy-prm'].plan(problem, valuesOf('lazy-prm'), new Random(4), new Iterations(5000));
  const eager = planners.prm.plan(
    { ...problem, roadmap: lazy.roadmap },
    valuesOf('prm'),
    new Random(4),
    new Iterations(5000),
  );
  expect(eager).toMatchObject({ status: 'solved', iterations: 0 });
  expect(eager.path).toEqual(lazy.path);
});

test('the first question costs a lazy roadmap fewer motions than an eager one of the same size', () => {
  const asked = (['prm', 'lazy-prm'] as const).map((name) => {
    const before = world.motionsAsked;
    const problem = { space: world, motions: world, start: left, goals: [right] };
    planners[name].plan(problem, { ...valuesOf(name), points: 300 }, new Random(7), new Iterations(5000));
    return world.motionsAsked - before;
  });
  expect(asked[1]).toBeLessThan(asked[0] / 4);
});

test('the shortest path is as short as trying all edges over and over finds, and uses what it may', () => {
  const random = new Random(8);
  for (let round = 0; round < 20; round++) {
    const roadmap = new Roadmap(world);
    const q = new Float64Array(2);
    for (let i = 0; i < 40; i++) {
      world.sample(q, random);
      roadmap.addNode(q, 'free');
    }
    const edges = Array.from({ length: 90 }, () => [random.below(40), random.below(40)]).filter(([a, b]) => a !== b);
    const kinds = edges.map(([a, b]) => {
      const kind = random.next() < 0.2 ? 'blocked' : 'free';
      roadmap.addEdge(a, b, kind);
      return kind;
    });
    const costs = Array.from({ length: 40 }, (_, i) => (i === 0 ? 0 : Number.POSITIVE_INFINITY));
    for (let sweep = 0; sweep < 40; sweep++)
      for (const [i, [a, b]] of edges.entries()) {
        if (kinds[i] === 'blocked') continue;
        const length = world.distance(roadmap.read(a), roadmap.read(b));
        costs[a] = Math.min(costs[a], costs[b] + length);
        costs[b] = Math.min(costs[b], costs[a] + length);
      }
    const goals = [38, 39];
    const path = roadmap.shortestPath(0, goals, ifFree);
    const least = Math.min(...goals.map((goal) => costs[goal]));
    expect(path === undefined).toBe(least === Number.POSITIVE_INFINITY);
    if (!path) continue;
    expect(goals).toContain(path.nodes[path.nodes.length - 1]);
    let length = 0;
    for (const [i, edge] of path.edges.entries()) {
      expect(kinds[edge]).toBe('free');
      expect([...edges[edge]].sort()).toEqual([path.nodes[i], path.nodes[i + 1]].sort());
      length += world.distance(roadmap.read(path.nodes[i]), roadmap.read(path.nodes[i + 1]));
    }
    expect(Math.abs(length - least)).toBeLessThan(1e-12);
  }
});

function isFree(judge: DiscWorld, { points }: RoadmapData, from: number, to: number): boolean {
  return judge.isMotionValid(Float64Array.from(points[from]), Float64Array.from(points[to]));
}
