import { afterEach, expect, test } from 'vitest';
import type { Obstacle } from '../../../src/core/scene/scene.ts';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { PlanThreads } from '../../../src/host/node/planThreads.ts';
import { type PlanOptions, planDefaults, planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { type RaceResult, selectWinner } from '../../../src/tasks/planning/seedRace.ts';
import type { Problem } from '../../../src/tasks/sceneRobot.ts';
import { few } from '../../cases.ts';

let threads: PlanThreads | undefined;
afterEach(() => threads?.end());

/** Reference: every seed runs to its end, then the rule selects the winner. */
function withoutThreads(problem: Problem, options: PlanOptions, seeds: number) {
  const results = Array.from({ length: seeds }, (_, i): RaceResult => {
    const seed = options.seed + i;
    let iterations = Number.POSITIVE_INFINITY;
    const race = {
      mostIterations: () => Number.POSITIVE_INFINITY,
      done: (count: number) => {
        iterations = count;
      },
    };
    return { seed, result: planMotion(problem, { ...options, seed }, { race }), iterations };
  });
  return selectWinner(results);
}

const races = [
  { scene: 'doorway', planner: 'rrt-connect', seeds: 4, threads: 1 },
  { scene: 'doorway', planner: 'rrt-connect', seeds: 4, threads: 2 },
  { scene: 'shelf', planner: 'bit-star', seeds: 3, threads: 2 },
  { scene: 'scara-trays', planner: 'rrt', seeds: 5, threads: 3 },
] as const;
test.each(few(races, [races[1]]))(
  '$seeds seeds of $planner in $scene on $threads threads: who wins does not depend on who is first',
  async (given) => {
    const problem = await loadScene(`scenes/${given.scene}.yaml`);
    const options = { ...planDefaults, planner: given.planner, timeLimit: 600, iterations: 800 };
    threads = await PlanThreads.start([problem], given.threads);
    const won = await threads.race(problem, options, given.seeds);
    const expected = withoutThreads(problem, options, given.seeds);
    expect(won.status).toBe('solved');
    expect(won.trajectory!.seed).toBe(expected.trajectory!.seed);
    expect(trajectoryHash(won.trajectory!)).toBe(trajectoryHash(expected.trajectory!));
    const alone = planMotion(problem, { ...options, seed: won.stats.seed });
    expect(trajectoryHash(won.trajectory!)).toBe(trajectoryHash(alone.trajectory!));
  },
);

test('a problem without a path is reported for all seeds, and wrong input as an InputError', async () => {
  const problem = await loadScene('scenes/doorway.yaml');
  threads = await PlanThreads.start([problem], 2);
  const lost = await threads.race(problem, { ...planDefaults, iterations: 1 }, 3);
  expect(lost).toMatchObject({ status: 'no-path', trajectory: undefined });
  expect(lost.reason).toMatch(/^seeds 1 to 3: no path found in 1 iterations/);
  const wrong = threads.race(problem, { ...planDefaults, plannerOptions: { stepsize: 1 } }, 2);
  await expect(wrong).rejects.toThrow('planner "rrt-connect" has no option "stepsize"');
});

test('a colliding start among moving obstacles is reported as without threads', async () => {
  const { scene, robot } = await loadScene('scenes/doorway.yaml');
  const poses = [{ xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] }] as const;
  const pillar: Obstacle = {
    name: 'pillar',
    pose: poses[0],
    parts: [{ shape: { type: 'box', size: [1, 1, 3] } }],
    motion: { times: [0], poses },
  };
  const problem = { scene: { ...scene, obstacles: [pillar], allow: [] }, robot };
  threads = await PlanThreads.start([problem], 1);
  const { status, reason } = await threads.plan(problem, planDefaults);
  expect(status).toBe('start-in-collision');
  expect(reason).toContain('at time 0');
});
