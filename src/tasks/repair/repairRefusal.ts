import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { never } from '../../math/interrupt.ts';
import { createSceneWorld } from '../../moving/sceneWorld.ts';
import { stillScene } from '../../moving/snapshot.ts';
import { hasMoving } from '../../scene/moving.ts';
import type { Scene } from '../../scene/scene.ts';
import { startStateOf } from '../../scene/statedStart.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { timedStates } from './moving/timedStates.ts';
import { RepairWorld } from './repairWorld.ts';
import { repairedFrom, withoutSmallFaults } from './smallFaults.ts';

/** Returns true if a trajectory has the segments or the events of a program. */
export const isOfProgram = ({ segments, events, pointSteps }: Trajectory): boolean =>
  (segments ?? events ?? pointSteps) !== undefined;

/** Why a trajectory with segments or events is not repaired in a scene without `steps`. */
export const PROGRAM_REASON = 'it has segments or events of a program, whose times a repair would change';

/**
 * Returns true if `repairTrajectory` cannot succeed: for a single point; in a scene with `steps`, if something moves or
 * the trajectory has no segments; in a scene without, if it has segments or events; and if an end, which is kept, is
 * not valid (among moving objects: the start at time 0, the end after all motion). Throws `InputError` for joints that
 * are not the robot's.
 */
export function isRepairImpossible(given: Trajectory, robot: RobotModel, scene: Scene): boolean {
  if (scene.steps !== undefined) return given.points.length < 2 || hasMoving(scene) || given.segments === undefined;
  if (isOfProgram(given)) return true;
  const tree = createSceneWorld(robot, scene);
  const world = new RepairWorld(robot, stillScene(tree), never);
  const start = startStateOf(robot, scene);
  const clean = withoutSmallFaults(inJointOrder(given, world.jointNames), start, world.limits);
  const base = repairedFrom(clean, { start, limits: world.limits });
  if ('reason' in base) return true;
  const { points } = base.motion;
  if (points.length < 2) return clean.notes.length === 0;
  const ends = [points[0], points[points.length - 1]].map(({ positions }) => Float64Array.from(positions));
  if (!ends.every((q) => world.isStateValid(q))) return true;
  if (!hasMoving(scene)) return false;
  const last = Math.max(tree.end, points[points.length - 1].time_from_start ?? 0);
  const isFreeAt = timedStates(tree, new CollisionManager(new CollisionModel(tree.robot, tree.scene)));
  return !isFreeAt(ends[0], 0) || !isFreeAt(ends[1], last);
}
