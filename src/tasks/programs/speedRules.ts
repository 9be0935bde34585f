import { hasLimit } from '../../core/cartesian/planLeg.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { type StepRules, tcpSpeedLimit } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { wholeNanoseconds } from '../../core/trajectory/roundedTimes.ts';
import type { MotionLimits, Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../core/trajectory/trajectoryLimits.ts';
import type { TorqueScene } from '../forces/torqueCheck.ts';
import { TorqueExcess } from '../forces/torqueExcess.ts';
import { type RateLimit, type RateScene, rateLimitsOf } from '../timing/speedLimits.ts';

/** Speed limits of a scene. */
export type SpeedScene = Pick<Scene, 'tcpSpeed' | 'tcp' | 'constraints'>;

const constraintsOf = ({ constraints = [] }: SpeedScene, rules: Pick<StepRules, 'constraints'>) => [
  ...constraints,
  ...rules.constraints,
];

/**
 * Returns the speed of the TCP that a step is planned with, m/s: the least of the limits and of the constraints on the
 * TCP, in the scene and in the step; Infinity: none.
 */
export function plannedTcpSpeed(scene: SpeedScene, rules: StepRules): number {
  const limits = constraintsOf(scene, rules).map((one) =>
    one.type === 'speed' && one.frame === undefined ? one.most : Number.POSITIVE_INFINITY,
  );
  return Math.min(tcpSpeedLimit(scene, rules), ...limits);
}

/** Limits of the speed of frames other than the TCP, of momentum, power and torques in one step. */
export class FrameSpeedRules {
  private readonly limits: readonly RateLimit[];
  private readonly torques: TorqueExcess | undefined;

  /** @param scene in which the step is carried out, with what the robot carries */
  constructor(robot: RobotModel, scene: RateScene & TorqueScene, rules: StepRules, interrupt: Interrupt) {
    const constraints = constraintsOf(scene, rules).filter((one) => one.type !== 'speed' || one.frame !== undefined);
    const { tcpSpeed: _, ...others } = scene;
    this.limits = rateLimitsOf(robot, { ...others, constraints }, interrupt);
    this.torques = scene.torque && new TorqueExcess(robot, { ...scene, torque: scene.torque }, interrupt);
  }

  /** Returns a factor by which a curve must be slower in an interval at least; 1 if it keeps the limits. */
  excess(curve: TrajectoryCurve, from: number, to: number): number {
    let most = this.torques?.excess(curve, from, to) ?? 1;
    for (const { rate, limit } of this.limits) {
      const worst = rate.excess(curve, limit, from, to);
      if (worst) most = Math.max(most, worst.value / limit);
    }
    return most;
  }

  /**
   * Returns a motion from rest to rest, or a slower one on the same path that keeps the limits; undefined if none is
   * proved.
   */
  slowedDown(motion: Trajectory, limits: MotionLimits): Trajectory | undefined {
    let slower = motion;
    for (let round = 0, factor = 1; round < MAX_ROUNDS; round++) {
      const curve = new TrajectoryCurve(slower);
      const excess = this.excess(curve, curve.start, curve.end);
      if (!(excess > 1))
        return slower === motion || examineMotion(slower, limits).faults.length === 0 ? slower : undefined;
      factor *= excess * (1 + HEADROOM);
      slower = stretched(motion, factor, hasLimit(limits.jerk) && hasEqualPieces(motion));
    }
    return undefined;
  }
}

/** Maximum number of times that a motion is slowed down: a slower one may take more power where gravity brakes it. */
const MAX_ROUNDS = 8;

/**
 * Relative: motions are slowed down by this much more than the excess requires, since its relative error is up to 1e-3.
 */
const HEADROOM = 2e-3;

/** Nanoseconds per second: the resolution of times in files. */
const TICKS = 1e9;

/** Returns true if the points of a motion have equal distances in time, up to rounding. */
function hasEqualPieces({ points }: Trajectory): boolean {
  const pieces = points.length - 1;
  const end = points[pieces].time_from_start!;
  return points.every(({ time_from_start }, k) => Math.abs(time_from_start! - (k / pieces) * end) <= 1 / TICKS);
}

/** Returns the motion with all times multiplied by a factor. */
function stretched(motion: Trajectory, factor: number, isEven: boolean): Trajectory {
  const { points } = motion;
  const pieces = points.length - 1;
  // Rounding the times of equal pieces one by one would make the accelerations jump.
  const ticks = Math.ceil((points[pieces].time_from_start! / pieces) * factor * TICKS);
  const exact = isEven ? (pieces * ticks) / TICKS / points[pieces].time_from_start! : factor;
  return {
    ...motion,
    points: points.map(({ positions, velocities, time_from_start }, k) => ({
      positions,
      time_from_start: isEven ? (k * ticks) / TICKS : wholeNanoseconds(time_from_start! * factor),
      velocities: velocities!.map((velocity) => velocity / exact),
    })),
  };
}
