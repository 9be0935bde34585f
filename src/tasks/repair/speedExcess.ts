import { FrameSpeed } from '../../core/cartesian/frameSpeed.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { MotionScene } from '../../core/scene/scene.ts';
import type { ExcessSpeed, PaceSpeeds } from '../../core/trajectory/retiming/retime.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { type SpeedLimit, speedLimitsOf } from '../timing/speedLimits.ts';

/**
 * Returns the limits of speed of a scene: that of the tool center point, and those of constraints. Undefined if it has
 * neither.
 */
export function createSpeedExcess(robot: RobotModel, scene: MotionScene, interrupt: Interrupt) {
  const limits = speedLimitsOf(robot, scene);
  return limits.length === 0 ? undefined : new SpeedExcess(robot, limits, interrupt);
}

/** By how much frames exceed limits of their speed. */
export class SpeedExcess implements PaceSpeeds {
  private readonly speeds: readonly { readonly speed: FrameSpeed; readonly limit: number }[];

  constructor(robot: RobotModel, limits: readonly SpeedLimit[], interrupt: Interrupt) {
    this.speeds = limits.map(({ frame, limit }) => ({ speed: new FrameSpeed(robot, frame, interrupt), limit }));
  }

  /** @inheritdoc */
  ratio(positions: ArrayLike<number>, velocities: ArrayLike<number>): number {
    return Math.max(...this.speeds.map(({ speed, limit }) => speed.at(positions, velocities) / limit));
  }

  /** Returns the highest speed of each segment that is too fast. */
  excess(motion: Trajectory): ExcessSpeed[] {
    const curve = new TrajectoryCurve(motion);
    const found: ExcessSpeed[] = [];
    for (let k = 0; k < curve.pieces; k++) {
      const [from, to] = [curve.times[k], curve.times[k + 1]];
      const middle = from + 0.5 * (to - from);
      for (const { speed, limit } of this.speeds) {
        const worst = speed.excess(curve, limit, from, to);
        if (worst) found.push({ time: middle, ratio: worst.value / limit });
      }
    }
    return found;
  }
}
