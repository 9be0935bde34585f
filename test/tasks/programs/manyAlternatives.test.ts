import { assert, test } from 'vitest';
import type { PlannerDefinition } from '../../../src/core/planning/planner.ts';
import { rrtConnect } from '../../../src/core/planning/rrtConnect.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { scratchFolder } from '../../host/node/scratch.ts';

const { put } = scratchFolder();

/** An arm between two boards and a lid; every pose is behind a board, with IK solutions and their full turns. */
const scene = (goals: readonly string[]) => `format: elbowroom-scene/1
robot: ur5e
start: [-60 deg, -90 deg, 90 deg, -90 deg, -90 deg, -350 deg]
tcp: {link: tool0, xyz: [0, 0, 0.14]}
obstacles:
  - {name: board_1, type: box, size: [2, 20 mm, 3], pose: {xyz: [1.17, 0, 0]}}
  - {name: board_2, type: box, size: [2, 20 mm, 3], pose: {xyz: [-1.17, 0, 0]}}
  - {name: lid, type: box, size: [2, 2, 20 mm], pose: {xyz: [0, 0, 0.75]}}
steps:
  - move: [${goals.join(', ')}]
`;

const BEHIND = ['0.45, 0.45, 0.35', '0.4, 0.45, 0.35', '0.4, 0.5, 0.35', '0.4, 0.5, 0.3'].map(
  (xyz) => `{xyz: [${xyz}], rpy: [pi, 0, 0]}`,
);
const REACHABLE = '[-60 deg, -90 deg, 90 deg, -90 deg, -90 deg, 350 deg]';

test('a goal that is reachable is found behind many that are nearer and blocked', async () => {
  const { scene: read, robot } = await loadScene(put('many.yaml', scene([...BEHIND, REACHABLE])));
  const model = createSceneRobot({ scene: read, robot });
  const { status, reason, trajectory, stats } = planProgram(
    { scene: read, robot, model },
    { iterations: 2000, shortcut: false }, // and without path improvement, whose iterations would count
  );
  assert.equal(status, 'solved', reason);
  const [, , , , , last] = trajectory!.points.at(-1)!.positions;
  assert.closeTo(last, (350 * Math.PI) / 180, 1e-9);
  assert.isBelow(stats.iterations, 5000); // one search in vain, and one with all goals
});

test('goals that cannot be reached take few iterations before the others are tried, whatever the limits', async () => {
  const problem = await loadScene(put('limits.yaml', scene([...BEHIND, REACHABLE])));
  const plan = (timeLimit: number) =>
    planProgram(problem, { shortcut: false, timeLimit }, { clock: () => performance.now() });
  const { status, trajectory, stats } = plan(1e4);
  assert.equal(status, 'solved');
  assert.isBelow(stats.iterations, 5000); // of 200,000
  assert.deepEqual(plan(1e5).trajectory, trajectory);
});

test('a free motion that takes more iterations than the first searches is found by a later one', async () => {
  const { scene: read, robot } = await loadScene(put('slow.yaml', scene([REACHABLE])));
  const model = createSceneRobot({ scene: read, robot });
  const budgets: number[] = [];
  const slow: PlannerDefinition = {
    ...rrtConnect,
    plan: (problem, options, random, budget) => {
      let count = 0;
      while (count < 3000 && !budget.isSpent()) count++;
      budgets.push(count);
      return count < 3000
        ? { status: 'budget-spent', path: [], iterations: count, nodes: 2 }
        : rrtConnect.plan(problem, options, random, budget);
    },
  };
  const problem = { scene: read, robot, model };
  const plan = (iterations?: number) => planProgram(problem, { planner: slow, shortcut: false, iterations });
  assert.equal(plan().status, 'solved');
  assert.deepEqual(budgets, [300, 600, 1200, 2400, 3000]);
  budgets.length = 0;
  const limited = plan(2500);
  assert.deepEqual([limited.status, budgets.slice(0, 5)], ['step-failed', [300, 600, 1200, 2400, 2500]]);
  assert.match(limited.reason!, /no path found in 2500 iterations/);
});
