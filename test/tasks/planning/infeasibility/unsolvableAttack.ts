import { loadScene } from '../../../../src/host/node/files.ts';
import { proveInfeasible } from '../../../../src/tasks/planning/infeasibility/proveInfeasible.ts';
import { planMotion } from '../../../../src/tasks/planning/planMotion.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import type { PassageCounts } from './passageAttack.ts';
import { unsolvableScene, validGoals } from './unsolvableScenes.ts';

/** Searches of other seeds than the proof, each of so many seconds of CPU time. */
const PLANNERS = ['rrt-connect', 'prm', 'rrt'] as const;
const SECONDS = 20;
const cpuMilliseconds = () => process.cpuUsage().user / 1000;

/**
 * Judges one random scene of a UR5e that is made without a motion: if it is proved infeasible, no planner may solve it.
 * The scenes that are not proved are searched as well; `valid` counts those that have a motion, `proved` the proofs.
 */
export async function attackUnsolvable(seed: number, counts: PassageCounts): Promise<void> {
  const loaded = await loadScene('scenes/shelf.yaml');
  const robot = createSceneRobot(loaded);
  const base = { ...loaded.scene, obstacles: loaded.scene.obstacles.filter(({ name }) => name === 'floor') };
  const scene = unsolvableScene(robot, base, seed % 2 === 0 ? 'enclosed' : 'blocked', seed);
  if (scene === undefined) return;
  const begun = cpuMilliseconds();
  const isOver = () => cpuMilliseconds() - begun > 10_000;
  const isProved = proveInfeasible(robot, scene, isOver, validGoals(robot, scene)) !== undefined;
  const solver = PLANNERS.find((planner, i) => {
    const options = { planner, seed: 100 + 10 * seed + i, timeLimit: SECONDS };
    return planMotion({ scene, robot: loaded.robot, model: robot }, options, { clock: cpuMilliseconds }).trajectory;
  });
  counts.scenes++;
  if (isProved) counts.proved++;
  if (solver !== undefined) counts.valid++;
  if (isProved && solver !== undefined) counts.wrong.push(`seed ${seed}: ${solver} has a motion`);
}
