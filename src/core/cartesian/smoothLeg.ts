import { firstIndex } from '../math/firstIndex.ts';
import { create } from '../math/transform.ts';
import type { Trajectory, TrajectoryPoint } from '../trajectory/trajectory.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { cubicPosition, type LegKnot } from './legKnot.ts';
import { restSpline } from './restSpline.ts';
import type { ToolTracker } from './toolTracker.ts';

/**
 * Returns a motion along a leg with continuous accelerations, at rest and with zero acceleration at both ends, for
 * robots with jerk limits: the timing of another motion is averaged over a window of time, so that its accelerations
 * change gradually, and a cubic spline interpolates the leg at equal intervals of time. Limits are not considered.
 * Undefined if the leg cannot be interpolated.
 * @param times time of each knot in the other motion, seconds, from 0
 * @param window length of the window, seconds
 * @param pieces number of pieces of the spline, at least 4
 */
export function smoothLeg(
  tracker: ToolTracker,
  leg: CartesianLeg,
  knots: readonly LegKnot[],
  times: ArrayLike<number>,
  window: number,
  pieces: number,
): Trajectory | undefined {
  const end = times[times.length - 1] + window;
  const average = new AveragedFraction(knots, times, window);
  const at = Float64Array.from({ length: pieces + 1 }, (_, k) => (k / pieces) * end);
  const { dof } = tracker.model;
  const positions = new Float64Array((pieces + 1) * dof);
  const T = create();
  let piece = 0;
  for (const [k, t] of at.entries()) {
    const s = k === 0 ? 0 : k === pieces ? 1 : average.at(t);
    while (piece + 2 < knots.length && knots[piece + 1].s < s) piece++;
    const q = cubicPosition(knots[piece], knots[piece + 1], s);
    leg.poseAt(T, s);
    if (!tracker.correct(q, T)) return undefined;
    positions.set(q, k * dof);
  }
  positions.set(knots[0].q);
  positions.set(knots[knots.length - 1].q, pieces * dof);
  const velocities = restSpline(at, positions, dof);
  const row = (values: Float64Array, k: number) => Array.from(values.subarray(k * dof, (k + 1) * dof), (x) => x + 0);
  const points = Array.from(at, (time, k): TrajectoryPoint => {
    return { time_from_start: time, positions: row(positions, k), velocities: row(velocities, k) };
  });
  return { jointNames: tracker.model.variables.map((joint) => joint.name), points, interpolation: 'cubic' };
}

/** Moving average of s(t), with s = 0 before the start and 1 after the end; d²s/dt² is constant between the times. */
export class AveragedFraction {
  /** Integral of s from 0 to each time. */
  private readonly integrals: Float64Array;
  /** ds/dt at each time. */
  private readonly rates: Float64Array;

  constructor(
    private readonly knots: readonly LegKnot[],
    private readonly times: ArrayLike<number>,
    private readonly window: number,
  ) {
    this.integrals = new Float64Array(knots.length);
    this.rates = new Float64Array(knots.length);
    for (let k = 1; k < knots.length; k++) {
      const T = times[k] - times[k - 1];
      // with constant acceleration, the mean of the rates at both ends is Δs / T
      this.rates[k] = Math.max(0, (2 * (knots[k].s - knots[k - 1].s)) / T - this.rates[k - 1]);
      this.integrals[k] = this.integrals[k - 1] + this.integralWithin(k - 1, T);
    }
  }

  /** Returns the average over [t − window, t]. */
  at(t: number): number {
    return Math.min(1, Math.max(0, (this.integral(t) - this.integral(t - this.window)) / this.window));
  }

  /** Returns the integral of s from 0 to t. */
  private integral(t: number): number {
    const { times, integrals } = this;
    const last = times.length - 1;
    if (t <= 0) return 0;
    if (t >= times[last]) return integrals[last] + (t - times[last]);
    const piece = Math.max(0, firstIndex(last, (i) => !(times[i] <= t)) - 1);
    return integrals[piece] + this.integralWithin(piece, t - times[piece]);
  }

  /** Returns the integral of s over u seconds from a time. */
  private integralWithin(k: number, u: number): number {
    const { knots, times, rates } = this;
    const T = times[k + 1] - times[k];
    const next = (2 * (knots[k + 1].s - knots[k].s)) / T - rates[k];
    const acceleration = (next - rates[k]) / T;
    return u * (knots[k].s + u * (rates[k] / 2 + (u * acceleration) / 6));
  }
}
