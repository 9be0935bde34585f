import { expect, test } from 'vitest';
import { loadScene } from '../../../src/node/files.ts';
import { PlanThreads } from '../../../src/node/planThreads.ts';
import { planners } from '../../../src/planning/index.ts';
import type { PlannerDefinition } from '../../../src/planning/planner.ts';
import { planDefaults, planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { trajectoryHash } from '../../../src/trajectory/trajectoryHash.ts';

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
  expect(() => planMotion(problem, { edges: 'certain' })).toThrow('unknown edge check "certain"');
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
