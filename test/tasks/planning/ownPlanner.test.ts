import { describe, expect, test } from 'vitest';
import { planners } from '../../../src/core/planning/index.ts';
import type { PlannerDefinition } from '../../../src/core/planning/planner.ts';
import { pathLength } from '../../../src/core/planning/shortcut.ts';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { PlanThreads } from '../../../src/host/node/planThreads.ts';
import { planDefaults, planMotion } from '../../../src/tasks/planning/planMotion.ts';

const problem = await loadScene('scenes/table-top.yaml');
const own: PlannerDefinition = {
  ...planners['rrt-connect'],
  options: { reach: { value: 1, unit: '', meaning: 'factor of the step size' } },
  plan: (problem, { reach }, random, budget) =>
    planners['rrt-connect'].plan(problem, { stepSize: 0.75 * reach }, random, budget),
};

/** A planner that returns `path` of the problem, whatever lies between start and goal. */
const returning = (path: (start: Float64Array, goal: Float64Array) => readonly Float64Array[]): PlannerDefinition => ({
  ...own,
  plan: ({ start, goals: [goal] }) => ({ status: 'solved', path: path(start, goal), iterations: 1, nodes: 2 }),
});

test('planMotion runs a planner of its own definition like an entry of the table', () => {
  const { stepSize } = planners['rrt-connect'].options;
  const expected = planMotion(problem, { planner: 'rrt-connect', plannerOptions: { stepSize: 0.75 } });
  const found = planMotion(problem, { planner: own });
  expect(found.status).toBe('solved');
  expect(found.stats.planner).toBe('own');
  expect(found.trajectory!.planner).toBe('own');
  expect(trajectoryHash(found.trajectory!)).toBe(trajectoryHash(expected.trajectory!));
  expect(stepSize.value).toBeGreaterThan(0);
});

test('an unknown option of an own planner is wrong input', () => {
  expect(() => planMotion(problem, { planner: own, plannerOptions: { reech: 2 } })).toThrow(
    'planner "own" has no option "reech"',
  );
});

test('names that are in no table are wrong input, and the compiler refuses them', () => {
  // @ts-expect-error a misspelled planner
  expect(() => planMotion(problem, { planner: 'rrt-conect' })).toThrow('unknown planner "rrt-conect"');
  // @ts-expect-error a misspelled checker
  expect(() => planMotion(problem, { checker: 'gjkk' })).toThrow('unknown checker "gjkk"');
  // @ts-expect-error a misspelled method of edge validation
  expect(() => planMotion(problem, { edges: 'certain' })).toThrow('unknown edge validation "certain"');
  // @ts-expect-error a misspelled rule of corner blending
  expect(() => planMotion(problem, { corners: 'blended' })).toThrow('unknown corner rule "blended"');
});

test('a path of an own planner through an obstacle is refuted, never written', () => {
  const answer = planMotion(problem, { planner: returning((start, goal) => [start, goal]) });
  expect(answer.status).toBe('no-path');
  expect(answer.trajectory).toBeUndefined();
});

test.each([
  [
    'does not begin at the start',
    returning((start, goal) => [start.map((value, i) => (i === 0 ? value + 1e-3 : value)), goal]),
  ],
  ['does not begin at the start', returning(() => [])],
  ['does not end at a goal', returning((start) => [start, start])],
  ['path[1], which is not 6 finite numbers', returning((start, goal) => [start, goal.map(() => Number.NaN), goal])],
  ['path[1], which is not 6 finite numbers', returning((start, goal) => [start, goal.slice(1), goal])],
])('a path of an own planner that %s is wrong input', (what, planner) => {
  expect(() => planMotion(problem, { planner })).toThrow(what);
});

test.each([
  ['a promise', async () => ({ status: 'solved', path: [], iterations: 1, nodes: 1 })],
  ['the status undefined', () => undefined],
  ['the status "found"', () => ({ status: 'found', path: [], iterations: 1, nodes: 1 })],
  ['a path that is not an array', () => ({ status: 'solved', path: 'q', iterations: 1, nodes: 1 })],
  ['iterations or nodes that are not whole numbers', () => ({ status: 'budget-spent', path: [], nodes: 1 })],
])('an own planner that returns %s is wrong input', (what, plan) => {
  expect(() => planMotion(problem, { planner: { ...own, plan: plan as never } })).toThrow(
    `the planner returned ${what}`,
  );
});

test('an own planner cannot move the start, the goals or the limits', () => {
  const moving: PlannerDefinition = {
    ...own,
    plan: ({ start, goals, space }) => {
      space.lower.fill(-100);
      space.upper.fill(100);
      goals[0].set(start); // start and goal coincide: an empty motion would seem to solve the problem
      return { status: 'solved', path: [start, goals[0]], iterations: 1, nodes: 2 };
    },
  };
  expect(() => planMotion(problem, { planner: moving })).toThrow('does not end at a goal');
  const outside: PlannerDefinition = {
    ...own,
    plan: ({ start, goals: [goal], space }) => {
      space.lower.fill(-100);
      space.upper.fill(100);
      return { status: 'solved', path: [start, start.map((value) => value + 50), goal], iterations: 1, nodes: 2 };
    },
  };
  const answer = planMotion(problem, { planner: outside, shortcut: false });
  expect(answer.status).not.toBe('solved');
  expect(answer.trajectory).toBeUndefined();
});

/** Returns the values one after the other, one per read, and the last one from then on. */
function reads<T>(...values: readonly T[]): () => T {
  let count = 0;
  return () => values[Math.min(count++, values.length - 1)];
}

describe('results of an own planner that differ from read to read', () => {
  const changing = (result: (start: Float64Array, goal: Float64Array) => object): PlannerDefinition => ({
    ...own,
    plan: ({ start, goals: [goal] }) =>
      Object.defineProperties(
        { iterations: 1, nodes: 2 },
        Object.getOwnPropertyDescriptors(result(start, goal)),
      ) as never,
  });
  const away = (q: Float64Array) => q.map((value, i) => (i === 0 ? value + 1e-3 : value));

  test.each([0, 1, 2, 3, 4, 5])(
    'a status that becomes "solved" after %i reads does not hide a wrong start',
    (count) => {
      const planner = changing((start) => {
        const status = reads<string>(...new Array<string>(count).fill('budget-spent'), 'solved');
        return {
          get status() {
            return status();
          },
          path: [away(start), away(start)],
        };
      });
      let found: ReturnType<typeof planMotion> | undefined;
      try {
        found = planMotion(problem, { planner, iterations: 10 });
      } catch {
        // refused
      }
      expect(found?.status).not.toBe('solved');
      expect(found?.trajectory).toBeUndefined();
    },
  );

  test.each([1, 2, 3, 4, 5, 6])('a path with another waypoint after %i reads is checked as it is used', (count) => {
    const planner = changing((start, goal) => {
      const path = [start, goal];
      const read = reads(...new Array<Float64Array>(count).fill(start), away(start));
      Object.defineProperty(path, 0, { get: read, enumerable: true });
      return { status: 'solved', path };
    });
    let found: ReturnType<typeof planMotion> | undefined;
    try {
      found = planMotion(problem, { planner, shortcut: false });
    } catch {
      // refused
    }
    expect(found?.trajectory).toBeUndefined(); // the straight line is in collision
  });

  test.each([1, 2, 3])('values that become NaN after %i reads are wrong input or not used', (count) => {
    const planner = changing((start, goal) => {
      const value = reads(...new Array<number>(count).fill(start[0]), Number.NaN);
      const q: number[] = Array.from(start);
      Object.defineProperty(q, 0, { get: value, enumerable: true });
      return { status: 'solved', path: [start, q, goal] };
    });
    let found: ReturnType<typeof planMotion> | undefined;
    try {
      found = planMotion(problem, { planner, shortcut: false });
    } catch (error) {
      expect((error as Error).message).toContain('path[1], which is not 6 finite numbers');
    }
    expect(found?.trajectory).toBeUndefined();
  });

  test('a waypoint in shared memory is copied', () => {
    let shared: Float64Array | undefined;
    const planner: PlannerDefinition = {
      ...own,
      plan: (problem, values, random, budget) => {
        const found = own.plan(problem, values, random, budget);
        const path = found.path.map((q) => {
          shared = new Float64Array(new SharedArrayBuffer(8 * q.length));
          shared.set(q);
          return shared;
        });
        return { ...found, path };
      },
    };
    const expected = planMotion(problem, { planner: own });
    const clock = () => {
      shared?.fill(1e6);
      return 0;
    };
    const found = planMotion(problem, { planner }, { clock });
    expect(trajectoryHash(found.trajectory!)).toBe(trajectoryHash(expected.trajectory!));
  });
});

test.each([1, 2])('a path of %i equal states solves a problem whose start is its goal', (count) => {
  const { scene } = problem;
  const same = { ...problem, scene: { ...scene, goals: [{ kind: 'joints', joints: scene.start }] } } as typeof problem;
  const found = planMotion(same, { planner: returning((start) => new Array<Float64Array>(count).fill(start)) });
  expect(found.status).toBe('solved');
  const { points } = found.trajectory!;
  for (const { positions } of points) expect(positions).toEqual(points[0].positions);
});

describe('costs that an own planner reports', () => {
  const reporting = (costs: (length: number) => readonly number[]): PlannerDefinition => ({
    ...own,
    plan: (problem, values, random, budget) => {
      const found = own.plan(problem, values, random, budget);
      const reported = found.status === 'solved' ? costs(pathLength(found.path, problem.space)) : [];
      for (const cost of reported) problem.onBetter?.(cost, found.iterations);
      return found;
    },
  });

  test('are reported if they decrease to the length of the path', () => {
    const { stats } = planMotion(problem, { planner: reporting((length) => [2 * length, length]) });
    expect(stats.improvements).toHaveLength(2);
  });

  test.each([
    ['reported the cost NaN', () => [Number.NaN]],
    ['reported the cost -1', () => [-1]],
    ['after', (length: number) => [length, length]],
    ['returned a path of the length', (length: number) => [length, length / 2]],
  ])('are wrong input if it %s', (what, costs) => {
    expect(() => planMotion(problem, { planner: reporting(costs) })).toThrow(what);
  });
});

test('threads refuse an own planner, which cannot be sent to them', async () => {
  const threads = await PlanThreads.start([problem], 1);
  try {
    await expect(threads.plan(problem, { ...planDefaults, planner: own as never })).rejects.toThrow(
      'an own planner cannot be sent to threads',
    );
  } finally {
    await threads.end();
  }
});
