import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { paceExcess } from '../../core/trajectory/retiming/rateSearch.ts';
import type { ExcessSpeed, PaceSpeeds } from '../../core/trajectory/retiming/retime.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { type RateLimit, type RateScene, rateLimitsOf } from '../timing/speedLimits.ts';

/** Returns the limits of a scene other than those of joints; undefined if it has none. */
export function createSpeedExcess(robot: RobotModel, scene: RateScene, interrupt: Interrupt) {
  const limits = rateLimitsOf(robot, scene, interrupt);
  return limits.length === 0 ? undefined : new SpeedExcess(limits);
}

/** By how much a motion exceeds limits of speed, momentum and power. */
export class SpeedExcess implements PaceSpeeds {
  constructor(private readonly limits: readonly RateLimit[]) {}

  /**
   * Returns the greatest ratio of a value and its limit at a state. Powers do not count: they depend on how the pace
   * changes.
   */
  ratio(positions: ArrayLike<number>, velocities: ArrayLike<number>): number {
    const ratios = this.limits.map(({ rate, limit }) =>
      rate.order === 1 ? rate.at(positions, velocities, positions) / limit : 0,
    );
    return Math.max(...ratios);
  }

  /** Returns the highest value of each segment that is too fast. */
  excess(motion: Trajectory): ExcessSpeed[] {
    const curve = new TrajectoryCurve(motion);
    const found: ExcessSpeed[] = [];
    for (let k = 0; k < curve.pieces; k++) {
      const [from, to] = [curve.times[k], curve.times[k + 1]];
      const middle = from + 0.5 * (to - from);
      for (const { rate, limit } of this.limits) {
        const worst = rate.excess(curve, limit, from, to);
        if (worst) found.push({ time: middle, ratio: paceExcess(rate, worst.value / limit) });
      }
    }
    return found;
  }
}
