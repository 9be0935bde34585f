import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { trajectoryHash } from '../../trajectory/trajectoryHash.ts';

/**
 * Returns warnings if the metadata of a trajectory do not match: its hash differs from that of its points, or its robot
 * is not the given one (robots of one family have the same joint names). A different scene name is not reported, since
 * a motion may be checked in any scene.
 * @param place prefix of the warnings: the file that the trajectory was read from
 */
export function statedWarnings(trajectory: Trajectory, { name }: RobotModel, place: string): string[] {
  const { statedHash, robot } = trajectory;
  const warnings: string[] = [];
  if (statedHash !== undefined && statedHash !== trajectoryHash(trajectory))
    warnings.push(`${place}: the hash in the file does not match its points: they were changed after it was written`);
  if (robot !== undefined && robot !== name)
    warnings.push(
      `${place}: it states the robot ${JSON.stringify(robot)}, that of the scene is ${JSON.stringify(name)}`,
    );
  return warnings;
}
