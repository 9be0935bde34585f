import type { Configuration } from '../math/configuration.ts';

/** A motion through joint space, with bounds on the rates of the joints; `Motion` of the collision module is one. */
export interface JointMotion {
  /** First value of t. */
  readonly start: number;
  /** Last value of t. */
  readonly end: number;
  /** Writes the configuration at t into `out`. */
  positionAt(out: Configuration, t: number): void;
  /** Writes the derivative of the configuration with respect to t into `out`. */
  velocityAt(out: Float64Array, t: number): void;
  /** Computes upper bounds on |velocity| and |acceleration| of each joint that hold at every t in [from, to]. */
  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void;
  /** Per joint, a bound on the magnitude of the terms that are summed to its position; default: positions. */
  readonly terms?: Float64Array | undefined;
}
