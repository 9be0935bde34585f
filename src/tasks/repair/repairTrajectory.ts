import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { kindOf } from '../../core/scene/movingScene.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TimeLimit } from '../planning/stopwatch.ts';
import { World } from '../world.ts';
import { repairProgram } from './program/repairProgram.ts';
import { repairMotion } from './repairMotion.ts';
import { type RepairOptions, type RepairResult, repairDefaults } from './repairOptions.ts';

export { type RepairOptions, type RepairResult, repairDefaults } from './repairOptions.ts';

/**
 * Changes a trajectory as little as possible so that it passes the trajectory check. Intervals that are not valid
 * (collisions, limits of positions, constraints) are pushed along clearance gradients, or replaced by a detour; then
 * the motion is slowed down where it exceeds limits of its speeds or accelerations, and stops where its velocity jumps,
 * unless a small blend is found. Start and end states remain, and arcs that are not next to one that is not valid keep
 * their curve (to 1e-6 rad; to 1e-4 rad about velocity jumps, if all curves are valid). Among moving obstacles and
 * other robots, the robot then waits for them at the start or at a point of its curve, or takes another path. Of a
 * program, free motions are repaired within their segments, each in the scene of its time, and lines, arcs and waits
 * are only slowed down.
 * @param hooks clock: monotonic, milliseconds; without it the time limit has no effect
 * @param place prefix of error messages: the file that the trajectory was read from
 * @throws InputError for joints that are not the robot's, and for a path without times where something moves
 */
export function repairTrajectory(
  given: Trajectory,
  robot: RobotModel,
  scene: Scene,
  options: Partial<RepairOptions> = {},
  hooks: { readonly clock?: () => number } = {},
  place?: string,
): RepairResult {
  const all = { ...repairDefaults, ...options };
  const limit = new TimeLimit(hooks.clock, all.timeLimit);
  if (kindOf(scene) === 'program') return repairProgram(given, robot, scene, all, limit, place);
  return repairMotion(given, new World(robot, scene), all, limit, place);
}
