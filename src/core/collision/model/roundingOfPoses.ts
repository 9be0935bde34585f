import { offsetOf } from '../../kinematics/poseRounding.ts';
import { travelOf } from '../../kinematics/robotMagnitudes.ts';
import type { CollisionModel } from './collisionModel.ts';

/** Metres; up to this distance from the world's origin the rounding of poses is a few picometres and is neglected. */
const NEGLIGIBLE_ROUNDING_EXTENT = 1000;

/**
 * Returns a bound (metres) on the error of the distance of two parts due to the rounding of poses: proportional to the
 * sum of the offset of the robot, the origins along the chain, the travel of prismatic joints, and the farthest points
 * of robot parts and obstacles. 0 if that sum is at most NEGLIGIBLE_ROUNDING_EXTENT.
 * @param moved distance to the farthest point of an obstacle that was moved after the model was created, metres
 */
export function roundingOfPoses({ robot, partExtent, obstacleExtent }: CollisionModel, moved = 0): number {
  const extent = offsetOf(robot.T_world_root) + chainLength(robot) + partExtent + Math.max(obstacleExtent, moved);
  return extent > NEGLIGIBLE_ROUNDING_EXTENT ? 16 * (robot.joints.length + 4) * Number.EPSILON * extent : 0;
}

/** Sum of the offsets between joint origins and of the travel of all prismatic joints, metres. */
const chainLength = ({ joints, variables }: CollisionModel['robot']): number =>
  joints.reduce((sum, joint) => sum + offsetOf(joint.T_parent_joint) + travelOf(joint, variables), 0);
