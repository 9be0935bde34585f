import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type LinkFrame, tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { MotionScene } from '../../core/scene/scene.ts';

/** Limit of the speed of the origin of a frame. */
export interface SpeedLimit {
  readonly frame: LinkFrame;
  /** m/s. */
  readonly limit: number;
}

/**
 * Returns the limits of speed of a scene: that of the tool center point, and those of constraints. Throws `InputError`
 * for unknown links.
 */
export function speedLimitsOf(robot: RobotModel, { tcp, tcpSpeed, constraints = [] }: MotionScene): SpeedLimit[] {
  const own = tcpSpeed === undefined ? [] : [{ frame: tcpOf(robot, tcp), limit: tcpSpeed }];
  const given = constraints.flatMap((one) =>
    one.type === 'speed' ? [{ frame: tcpOf(robot, one.frame ?? tcp), limit: one.most }] : [],
  );
  return [...own, ...given];
}
