import { expect, test, vi } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import type { Motion } from '../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../src/core/collision/motions/motionProver.ts';
import { PathProofs } from '../../../src/core/collision/proofs/pathProofs.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { type PlannerName, planners } from '../../../src/core/planning/index.ts';
import type { PlannerDefinition } from '../../../src/core/planning/planner.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { proofDefaults } from '../../../src/tasks/checking/proofLimits.ts';
import { type PlanOptions, planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { createSceneRobot, type Problem } from '../../../src/tasks/sceneRobot.ts';

/** Plans, and records the motions of the final check that were not proved again, and the number of the others. */
function planRecorded(problem: Problem, options: Partial<PlanOptions>) {
  const reused: Motion[] = [];
  let proved = 0;
  const original = PathProofs.prototype.coverage;
  const spy = vi.spyOn(PathProofs.prototype, 'coverage').mockImplementation(function (this: PathProofs, ...given) {
    const covers = original.apply(this, given);
    return (motion) => {
      const isReused = covers(motion);
      if (isReused) reused.push(motion);
      else proved++;
      return isReused;
    };
  });
  try {
    return { answer: planMotion(problem, options), reused, proved };
  } finally {
    spy.mockRestore();
  }
}

const PLANS: readonly (readonly [scene: string, planner: PlannerName, seeds: number, iterations: number])[] = [
  ['shelf', 'rrt-connect', 6, 3000],
  ['cage', 'rrt-connect', 6, 3000],
  ['narrow-passage', 'rrt-connect', 4, 3000],
  ['bin-picking', 'rrt-connect', 4, 3000],
  ['arm7-alcove', 'rrt-connect', 4, 3000],
  ['scara-trays', 'rrt-connect', 4, 3000],
  ['table-top', 'rrt-star', 1, 200],
  ['table-top', 'prm', 1, 200],
  ['pillars', 'lazy-prm', 1, 60],
];

test.each(PLANS)('%s, %s: a fresh prover certifies each motion that was not proved again', async (...given) => {
  const [name, planner, seeds, iterations] = given;
  const problem = await loadScene(`scenes/${name}.yaml`);
  const robot = createSceneRobot(problem);
  let count = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    for (const padding of [0, 0.004]) {
      const scene = { ...problem.scene, padding };
      const { answer, reused } = planRecorded({ ...problem, scene }, { planner, seed, iterations });
      if (answer.status !== 'solved') continue;
      const manager = new CollisionManager(new CollisionModel(robot, scene));
      for (const motion of reused)
        expect(new MotionProver(manager.posed, proofDefaults).prove(motion), `seed ${seed}`).toBe('certified');
      expect(createTrajectoryChecker(robot, manager)(answer.trajectory!).valid).toBe(true);
      count += reused.length;
    }
  }
  expect(count).toBeGreaterThan(seeds);
});

const shelf = await loadScene('scenes/shelf.yaml');
const base = planners['rrt-connect'];

/** The default planner, whose validator and path pass through `change`. */
const changed = (
  change: (path: Float64Array[], scene: { padding: number }) => Float64Array[],
  scene: Problem['scene'],
) => {
  const plan: PlannerDefinition['plan'] = (problem, options, random, budget) => {
    const found = base.plan(problem, options, random, budget);
    return {
      ...found,
      path: change(
        found.path.map((q) => Float64Array.from(q)),
        scene as { padding: number },
      ),
    };
  };
  return { ...base, plan };
};

test('plans with edges of either validation use proofs that a fresh prover repeats', () => {
  const plain = planRecorded(shelf, { shortcut: false });
  expect(plain.answer.status).toBe('solved');
  expect(plain.reused.length).toBeGreaterThan(3);
  const sampled = planRecorded(shelf, { edges: 'sampled', shortcut: false });
  expect(sampled.answer.status).toBe('solved');
  const manager = new CollisionManager(new CollisionModel(createSceneRobot(shelf), shelf.scene));
  for (const motion of sampled.reused)
    expect(new MotionProver(manager.posed, proofDefaults).prove(motion)).toBe('certified');
});

test('no proof is used if the padding of the scene changes between search and check', () => {
  // a list of obstacles of its own: preparations are shared between scenes with the same list
  const scene = { ...shelf.scene, obstacles: [...shelf.scene.obstacles], padding: 0 };
  const planner = changed((path, given) => {
    given.padding = 1e-9;
    return path;
  }, scene);
  // blends are fitted, and proved, after the change
  const { answer, reused } = planRecorded({ ...shelf, scene }, { planner, shortcut: false, corners: 'stop' });
  expect(answer.status).toBe('solved');
  expect(reused).toEqual([]);
});

test('no proof of the edge before is used for a waypoint that a planner changes after its validation', () => {
  const move = (q: Float64Array) => q.map((value, j) => (j === 0 ? value + 1e-8 : value));
  const planner = changed(
    (path) => path.map((q, i) => (i % 2 === 1 && i < path.length - 1 ? move(q) : q)),
    shelf.scene,
  );
  const { answer, reused } = planRecorded(shelf, { planner, shortcut: false });
  expect(answer.status).toBe('solved');
  const plain = planRecorded(shelf, { shortcut: false });
  expect(reused.length).toBeLessThan(plain.reused.length);
});

test('an own planner that certifies another path does not get its own path through an obstacle', () => {
  const plan: PlannerDefinition['plan'] = (problem, options, random, budget) => {
    const { path } = base.plan(problem, options, random, budget);
    const { start, goals, motions } = problem;
    for (let i = 1; i < path.length; i++) motions.isMotionValid(path[i - 1], path[i]);
    motions.isMotionValid(start, start);
    motions.isMotionValid(goals[0], goals[0]);
    return { status: 'solved', path: [start, goals[0]], iterations: 1, nodes: 2 };
  };
  const { answer, reused } = planRecorded(shelf, { planner: { ...base, plan }, shortcut: false });
  expect(answer.status).toBe('no-path');
  expect(reused).toEqual([]);
});
