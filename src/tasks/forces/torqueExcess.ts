import { TorqueProver } from '../../core/dynamics/arm/torqueProver.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { sceneArm, torqueLimits } from './sceneArm.ts';
import type { TorqueScene } from './torqueCheck.ts';

/** Fraction of each limit that a slower motion does not use, so that it is proved with few intervals. */
const HEADROOM = 1e-3;
/** Share of a limit to which the greatest torque is computed. */
const ACCURACY = 4e-4;

/** By what factor motions are too fast for the limits of torque. */
export class TorqueExcess {
  private readonly prover: TorqueProver;
  private readonly limits: Float64Array;

  constructor(
    robot: RobotModel,
    scene: TorqueScene & { readonly torque: { readonly scale: number } },
    interrupt: Interrupt,
  ) {
    this.prover = new TorqueProver(sceneArm(robot, scene), interrupt);
    this.limits = torqueLimits(robot, scene.torque);
  }

  /**
   * Returns a factor by which a curve must be slower in an interval at least; 1 if its torques are proved to keep their
   * limits, or if one exceeds its limit at rest, too: no slower motion keeps it. Of a torque τ(t) that is g at rest,
   * τ − g falls with the square of the speed, unless it is friction.
   */
  excess(curve: TrajectoryCurve, from: number, to: number): number {
    const { prover, limits } = this;
    const goal = { limits, accuracy: ACCURACY };
    let most = 1;
    for (const [k, { value, bound, time }] of prover.examine(curve, goal, from, to).peaks.entries()) {
      if (!(bound > limits[k])) continue;
      const rest = prover.examine(curve, { ...goal, isStatic: true }, time, time).peaks[k].value;
      const held = value < 0 ? -rest : rest;
      const room = (1 - HEADROOM) * limits[k] - held;
      if (room > 0) most = Math.max(most, Math.sqrt((bound - held) / room));
    }
    return most;
  }
}
