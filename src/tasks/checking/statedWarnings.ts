import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { PI } from '../../core/math/trigonometry.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../core/trajectory/trajectoryHash.ts';

/**
 * Returns warnings if the metadata of a trajectory do not match: its hash differs from that of its points, or its robot
 * is not the given one (robots of one family have the same joint names); and if its angles are probably in degrees. A
 * different scene name is not reported, since a motion may be checked in any scene. Remarks of the reader come first.
 * @param place prefix of the warnings: the file that the trajectory was read from
 */
export function statedWarnings(trajectory: Trajectory, robotModel: RobotModel, place: string): string[] {
  const { name } = robotModel;
  const { statedHash, robot, calibration } = trajectory;
  const own = robotModel.description.calibration;
  const warnings = (trajectory.remarks ?? []).map((remark) => `${place}: ${remark}`);
  if (statedHash !== undefined && statedHash !== trajectoryHash(trajectory))
    warnings.push(`${place}: the hash in the file does not match its points: they were changed after it was written`);
  if (robot !== undefined && robot !== name)
    warnings.push(
      `${place}: it states the robot ${JSON.stringify(robot)}, that of the scene is ${JSON.stringify(name)}`,
    );
  if (calibration !== undefined && calibration !== own)
    warnings.push(
      `${place}: it states the calibration ${calibration}, the robot of the scene has ${own ?? 'none'}: the poses ` +
        'of its links differ',
    );
  const beyond = angleBeyond(trajectory, robotModel);
  if (beyond !== undefined)
    warnings.push(
      `${place}: points[${beyond.point}]: ${beyond.joint} is ${beyond.value} rad, more than a full turn and out of ` +
        'its limits; if the positions are in degrees, convert them to radians',
    );
  return warnings;
}

/** Radians: a larger angle that is out of the limits of its joint is probably in degrees. */
const FULL_TURN = 2 * PI + 1e-4;

function angleBeyond({ jointNames, points }: Trajectory, { variables }: RobotModel) {
  const limits = new Map(
    variables.map(({ name, type, limits: one }) => [name, type === 'prismatic' ? undefined : one]),
  );
  for (const [point, { positions }] of points.entries()) {
    const j = positions.findIndex((value, i) => {
      const one = limits.get(jointNames[i]);
      return one !== undefined && Math.abs(value) > FULL_TURN && !(value >= one.lower && value <= one.upper);
    });
    if (j >= 0) return { point, joint: jointNames[j], value: positions[j] };
  }
  return undefined;
}
