import { InputError } from '../../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { tcpOf } from '../../kinematics/toolCenterPoint.ts';
import { constraintLabel, type PathConstraint, requireValidConstraint } from '../../scene/constraints.ts';
import type { CheckedScene } from '../../scene/scene.ts';
import { force } from './forceProofs.ts';
import { joint } from './jointProof.ts';
import { orientation } from './orientationProof.ts';
import type { ProvedConstraint } from './provedConstraint.ts';
import { region } from './regionProof.ts';
import { jointSpeed, speed } from './speedProof.ts';
import { tilt } from './tiltProof.ts';

/**
 * Returns a constraint with the bounds of the checker. Throws `InputError` for invalid numbers, unknown types, links
 * and joints.
 */
export function provedConstraint(given: PathConstraint, robot: RobotModel, scene: CheckedScene): ProvedConstraint {
  const { tcp } = scene;
  requireValidConstraint(given);
  switch (given.type) {
    case 'joint':
      return joint(given, robot);
    case 'joint_speed':
      return jointSpeed(given, robot);
    case 'tilt':
      return tilt(given, robot, tcpOf(robot, given.frame ?? tcp));
    case 'orientation':
      return orientation(given, robot, tcpOf(robot, given.frame ?? tcp));
    case 'region':
      return region(given, robot, tcpOf(robot, given.frame ?? tcp));
    case 'speed':
      return speed(given, robot, tcpOf(robot, given.frame ?? tcp));
    case 'momentum':
    case 'power':
      return force(given, robot, scene);
    default:
      throw new InputError(`constraint "${constraintLabel(given)}": verify does not support its type`);
  }
}
