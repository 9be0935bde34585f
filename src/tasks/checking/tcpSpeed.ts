import { FrameSpeed } from '../../core/cartesian/frameSpeed.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import type { MotionScene } from '../../core/scene/scene.ts';
import { isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/** The speed of the tool center point exceeds the limit of the scene, or is not proved to keep it. */
export interface TcpSpeedFault {
  /** Kind of the fault. */
  readonly kind: 'tcp-speed';
  /** m/s: the highest speed found; an upper bound if no speed above the limit was found. */
  readonly value: number;
  /** The limit, m/s. */
  readonly limit: number;
  /** Seconds. */
  readonly time: number;
}

/**
 * Creates the check of the TCP speed limit of a scene. The check returns the worst violation of a trajectory, whose
 * joints are in the order of the robot; none if it has no times or the scene states no limit. Throws `InputError` as
 * `tcpOf`.
 * @param interrupt ends a check, which then returns a fault unless the limit is proved
 */
export function createTcpSpeedCheck(
  robot: RobotModel,
  { tcp, tcpSpeed: limit }: MotionScene,
  interrupt: Interrupt = never,
): (trajectory: Trajectory) => TcpSpeedFault[] {
  if (limit === undefined) return () => [];
  const speed = new FrameSpeed(robot, tcpOf(robot, tcp), interrupt);
  return (trajectory) => {
    if (!isTimed(trajectory)) return [];
    const worst = speed.excess(new TrajectoryCurve(trajectory), limit);
    return worst === undefined ? [] : [{ kind: 'tcp-speed', ...worst, limit }];
  };
}
