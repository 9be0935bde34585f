import { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { never } from '../../core/math/interrupt.ts';
import { hasMoving } from '../../core/scene/movingScene.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { startStateOf } from '../../core/scene/statedStart.ts';
import { inJointOrder } from '../../core/trajectory/jointOrder.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { createSceneWorld } from '../../core/world/sceneWorld.ts';
import { stillScene } from '../../core/world/snapshot.ts';
import { RepairWorld } from './repairWorld.ts';
import { repairedFrom, withoutSmallFaults } from './smallFaults.ts';
import { timedStates } from './timed/timedStates.ts';

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
