import { laterPoints } from '../../core/trajectory/trajectory.ts';
import { planMotion } from '../planning/planMotion.ts';
import type { Problem } from '../sceneRobot.ts';
import { CubicCurve, type Knot } from './cubicCurve.ts';
import type { GateWorld } from './gateWorld.ts';
import { withTrackedRegions } from './trackedRegions.ts';

/** Iterations of the planner: at most, and one for so many pair checks that the budget has left. */
const MAX_ITERATIONS = 500;
const CHECKS_PER_ITERATION = 1000;

/**
 * Returns a motion that ends at rest, continued by a planned one from there to one of some goals; undefined if none is
 * found within the budget, or if the world does not rest. Whoever commits it must judge it.
 * @param goals joint values, in the order in which they are tried
 */
export function withDetour(
  problem: Problem,
  world: GateWorld,
  motion: CubicCurve,
  goals: readonly (readonly number[])[],
): CubicCurve | undefined {
  const { jointNames } = motion.trajectory;
  if (world.dependsOnTime) return undefined;
  const { tracking = 0, padding } = world.scene;
  for (const joints of goals) {
    const iterations = Math.min(MAX_ITERATIONS, Math.floor(world.checksLeft / CHECKS_PER_ITERATION));
    if (!(iterations > 0)) return undefined;
    const scene = withTrackedRegions({
      ...world.scene,
      start: motion.knots.at(-1)!.positions,
      goals: [{ kind: 'joints', joints }],
      equivalent: false,
      padding: padding + tracking, // links are judged with twice that
    });
    const { trajectory, stats } = planMotion({ ...problem, model: world.robot, scene }, { iterations });
    world.checksLeft -= stats.pair_checks;
    const points = laterPoints(trajectory?.points.slice(1) ?? [], motion.end);
    if (points.length > 0 && points.every(({ velocities, accelerations }) => velocities && !accelerations))
      return new CubicCurve(jointNames, [...motion.knots, ...(points as Knot[])]);
  }
  return undefined;
}
