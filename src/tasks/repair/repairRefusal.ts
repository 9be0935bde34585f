import type { RobotModel } from '../../kinematics/robotModel.ts';
import { never } from '../../math/interrupt.ts';
import { hasMoving } from '../../scene/moving.ts';
import type { Scene } from '../../scene/scene.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { RepairWorld } from './repairWorld.ts';

/** Returns true if a trajectory has the segments or the events of a program. */
export const isOfProgram = ({ segments, events, pointSteps }: Trajectory): boolean =>
  (segments ?? events ?? pointSteps) !== undefined;

/**
 * Returns true if `repairTrajectory` cannot succeed, whatever it tries: programs, scenes in which something moves, a
 * single state, and ends, which are kept, that are not valid. Throws `InputError` for joints that are not the robot's.
 */
export function isRepairHopeless(given: Trajectory, robot: RobotModel, scene: Scene): boolean {
  if (scene.steps !== undefined || hasMoving(scene) || isOfProgram(given) || given.points.length < 2) return true;
  const world = new RepairWorld(robot, scene, never);
  const { points } = inJointOrder(given, world.jointNames);
  const ends = [points[0], points[points.length - 1]];
  return !ends.every(({ positions }) => world.isStateValid(Float64Array.from(positions)));
}
