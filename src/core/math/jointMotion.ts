import type { Configuration } from './configuration.ts';

/**
 * Motion through joint space over t in [start, end], with bounds on the rates of the joints. Rates are per unit of t:
 * seconds, waypoints, or the fraction of a straight line.
 */
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
  /**
   * Per joint, a bound on the magnitude of the terms that are summed to its position, if these may exceed the
   * positions: rounding errors are relative to the terms.
   */
  readonly terms?: Float64Array | undefined;
}
