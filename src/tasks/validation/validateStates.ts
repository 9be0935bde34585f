import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { jointsOutOfLimits } from '../../collision/robotJointSpace.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { Scene } from '../../scene/scene.ts';
import { clearanceGradient } from './clearanceGradient.ts';

/** What is to be said about each state besides the verdict. */
export interface ValidationOptions {
  /** Every colliding pair, not the first one found. */
  readonly all?: boolean;
  /** The least distance too. */
  readonly clearance?: boolean;
  /** The least distance and its gradient by q. */
  readonly gradient?: boolean;
  /** Narrow phase; default growth-distance. */
  readonly checker?: string;
}

/** The verdict on one state. */
export interface StateVerdict {
  readonly valid: boolean;
  /** Robot's body first, then the obstacle; or two bodies of the robot in the order of the tree. */
  readonly collisions: readonly (readonly [string, string])[];
  /** Joints out of range. */
  readonly limits: readonly string[];
  /** Metres, over all pairs that may not touch; the negative depth when colliding; Infinity where there is no such pair. */
  readonly clearance?: number;
  /** Metres per radian (or metre) of each joint. */
  readonly gradient?: readonly number[];
  /** Whether the clearance has a derivative here. */
  readonly differentiable?: boolean;
}

/** Returns the judge of states of a scene; it keeps caches, so one judge sees many states. */
export function createStateValidator(
  robot: RobotModel,
  scene: Scene,
  { all = false, clearance = false, gradient = false, checker = 'growth-distance' }: ValidationOptions = {},
): (q: Configuration) => StateVerdict {
  const manager = new CollisionManager(new CollisionModel(robot, scene), { checker });
  return (q) => {
    const limits = jointsOutOfLimits(robot, q);
    const collisions = all ? manager.collidingPairs(q) : first(manager, q);
    const valid = collisions.length === 0 && limits.length === 0;
    const verdict = { valid, collisions, limits };
    if (!gradient) return clearance ? { ...verdict, clearance: manager.clearance(q).distance } : verdict;
    const { distance, gradient: byJoint, differentiable } = clearanceGradient(manager, q);
    return { ...verdict, clearance: distance, gradient: byJoint, differentiable };
  };
}

function first(manager: CollisionManager, q: Configuration): [string, string][] {
  const pair = manager.firstCollision(q);
  return pair ? [pair] : [];
}
