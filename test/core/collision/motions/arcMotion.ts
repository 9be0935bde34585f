import type { Motion } from '../../../../src/core/collision/motions/motion.ts';
import type { Configuration } from '../../../../src/core/math/configuration.ts';
import { sinCos } from '../../../../src/core/math/trigonometry.ts';

/**
 * Circular blend in joint space at constant speed, t in [0, 1]:
 *   q(t) = center + cos(angle t) · x + sin(angle t) · y
 * x and y are perpendicular vectors whose length is the radius; `angle` (rad) is counted from x towards y.
 */
export class ArcMotion implements Motion {
  /** Start of the motion. */
  readonly start = 0;
  /** End of the motion. */
  readonly end = 1;
  /** Number of joints. */
  readonly dof: number;
  private readonly sinAndCos = new Float64Array(2);

  constructor(
    /** Center of the circle. */
    readonly center: Configuration,
    /** Vector from the center to the start. */
    readonly x: Float64Array,
    /** Vector perpendicular to `x`, of the same length. */
    readonly y: Float64Array,
    /** Angle of the whole motion, rad. */
    readonly angle: number,
  ) {
    this.dof = center.length;
  }

  /** Writes the configuration at t into `out`. */
  positionAt(out: Configuration, t: number): void {
    const { center, x, y, sinAndCos } = this;
    sinCos(sinAndCos, this.angle * t);
    for (let i = 0; i < this.dof; i++) out[i] = center[i] + sinAndCos[1] * x[i] + sinAndCos[0] * y[i];
  }

  /** Writes the derivative of the configuration with respect to t into `out`. */
  velocityAt(out: Float64Array, t: number): void {
    const { x, y, angle, sinAndCos } = this;
    sinCos(sinAndCos, angle * t);
    for (let i = 0; i < this.dof; i++) out[i] = angle * (sinAndCos[1] * y[i] - sinAndCos[0] * x[i]);
  }

  /**
   * Each joint value is a sine of amplitude √(xᵢ² + yᵢ²): |q̇| <= angle · amplitude, |q̈| <= angle² · amplitude. In a
   * short interval the velocity at the middle plus the acceleration bound times half the interval is tighter; the
   * smaller bound is returned.
   */
  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void {
    const { x, y } = this;
    const absAngle = Math.abs(this.angle);
    this.velocityAt(velocity, 0.5 * (from + to));
    for (let i = 0; i < this.dof; i++) {
      const amplitude = Math.sqrt(x[i] * x[i] + y[i] * y[i]) * ROUNDING;
      acceleration[i] = absAngle * absAngle * amplitude;
      velocity[i] = Math.min(
        absAngle * amplitude,
        Math.abs(velocity[i]) * ROUNDING + 0.5 * (to - from) * acceleration[i],
      );
    }
  }
}

/** Relative; rounds the bounds up by at least the rounding error of a root of a sum of two squares, or of a sine. */
const ROUNDING = 1 + 1e-15;
