import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { never } from '../../core/math/interrupt.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import { kindOf } from '../../core/scene/movingScene.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { World } from '../world.ts';
import { RepairWorld } from './repairWorld.ts';
import { repairedFrom, withoutSmallFaults } from './smallFaults.ts';

/** Returns true if a trajectory has segments, events or signals of a program. */
export const isOfProgram = ({ segments, events, signals, pointSteps }: Trajectory): boolean =>
  (segments ?? events ?? signals ?? pointSteps) !== undefined;

/** Why such a trajectory is not repaired in a scene without `steps`, and not optimized. */
export const PROGRAM_REASON = 'it has segments, events or signals of a program, whose times would change';

/**
 * Returns true if `repairTrajectory` cannot succeed: for a single point; in a scene with `steps`, if something moves or
 * the trajectory has no segments; in a scene without, if it has segments, events or signals; and if an end, which is
 * kept, is not valid (among moving objects: the start at time 0, the end after all motion). Throws `InputError` for
 * joints that are not the robot's.
 */
export function isRepairImpossible(given: Trajectory, robot: RobotModel, scene: Scene): boolean {
  const whole = new World(robot, scene);
  if (kindOf(scene) === 'program') return given.points.length < 2 || !whole.isStill || given.segments === undefined;
  if (isOfProgram(given)) return true;
  const { still } = whole;
  const world = new RepairWorld(robot, still.scene, never, still.manager);
  const start = startStateOf(robot, scene);
  const clean = withoutSmallFaults(inJointOrder(given, world.jointNames), start, world.limits);
  const base = repairedFrom(clean, { start, limits: world.limits });
  if ('reason' in base) return true;
  const { points } = base.motion;
  if (points.length < 2) return clean.notes.length === 0;
  const ends = [points[0], points[points.length - 1]].map(({ positions }) => Float64Array.from(positions));
  if (!ends.every((q) => world.isStateValid(q))) return true;
  const last = Math.max(whole.tree.end, points[points.length - 1].time_from_start ?? 0);
  return !whole.isFreeAt(ends[0], 0) || !whole.isFreeAt(ends[1], last);
}
