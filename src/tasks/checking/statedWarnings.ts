import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { trajectoryHash } from '../../trajectory/trajectoryHash.ts';

/**
 * Returns warnings about what a trajectory states of itself: a hash that is not that of its points, and a robot that is
 * not the given one, since the joints of robots of one family have the same names. The stated scene is no reason for a
 * warning: a motion may be judged in any scene.
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
