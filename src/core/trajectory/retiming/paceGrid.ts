import { accelerationAt, POLYNOMIAL_SIZE, velocityAt } from '../polynomial.ts';
import { type Arc, velocityJump } from './arc.ts';

/** Rad or m: the grid is finer than this in each joint, within the limits of the number of intervals. */
const GRID_STEP = 0.02;
const MIN_INTERVALS = 2;
const MAX_INTERVALS = 128;

/**
 * A curve divided into short intervals, with its derivatives by its own time at both ends of each: one-sided, so that
 * the acceleration may jump between intervals. The pace p of an interval's ends is the derivative of the curve's time
 * by the time of the new motion: 1 as given, 0 at rest.
 */
export class PaceGrid {
  /** Number of intervals. */
  readonly count: number;
  readonly dof: number;
  /** Index of the arc of each interval. */
  readonly arc: Int32Array;
  /** Begin of each interval, in the time of its arc, and its length. */
  readonly from: Float64Array;
  readonly step: Float64Array;
  /** At [i · dof + j]: derivatives of joint j at the begin and the end of interval i. */
  readonly velocity0: Float64Array;
  readonly velocity1: Float64Array;
  readonly acceleration0: Float64Array;
  readonly acceleration1: Float64Array;
  /** For each end of an interval (`count` + 1): true if the motion has to stop there. */
  readonly stops: boolean[];

  /**
   * @param fineness factor of the number of intervals of each arc
   * @param velocityLimits maximum speed of each joint, to which jumps are relative
   */
  constructor(
    readonly arcs: readonly Arc[],
    fineness: ArrayLike<number>,
    velocityLimits: ArrayLike<number>,
  ) {
    this.dof = arcs[0].from.positions.length;
    const counts = arcs.map((arc, k) => intervalsOf(arc) * fineness[k]);
    this.count = counts.reduce((sum, n) => sum + n, 0);
    const { count, dof } = this;
    this.arc = new Int32Array(count);
    this.from = new Float64Array(count);
    this.step = new Float64Array(count);
    const rows = () => new Float64Array(count * dof);
    [this.velocity0, this.velocity1, this.acceleration0, this.acceleration1] = [rows(), rows(), rows(), rows()];
    this.stops = new Array<boolean>(count + 1).fill(false);
    let i = 0;
    const rest = new Array<number>(dof).fill(0);
    const isStop = (k: number) =>
      velocityJump(arcs[k - 1]?.to.velocities ?? rest, arcs[k]?.from.velocities ?? rest, velocityLimits);
    for (let k = 0; k < arcs.length; k++) {
      const shareAt = gradedShare(isStop(k), isStop(k + 1));
      this.stops[i] = isStop(k);
      for (let n = 0; n < counts[k]; n++)
        this.setInterval(i++, k, shareAt(n / counts[k]), n + 1 === counts[k] ? 1 : shareAt((n + 1) / counts[k]));
    }
    this.stops[count] = isStop(arcs.length);
  }

  /** Returns the begin of interval i in the time of the curve; of `count`: its end. */
  time(i: number): number {
    if (i === this.count) return this.arcs[this.arcs.length - 1].given!.to;
    return this.arcs[this.arc[i]].given!.from + this.from[i];
  }

  /** Sets interval i to a part of arc k between two shares of its duration. */
  private setInterval(i: number, k: number, first: number, last: number): void {
    const { polynomials, duration } = this.arcs[k];
    const from = first * duration;
    const to = last * duration;
    this.arc[i] = k;
    this.from[i] = from;
    this.step[i] = to - from;
    for (let j = 0; j < this.dof; j++) {
      const at = j * POLYNOMIAL_SIZE;
      this.velocity0[i * this.dof + j] = velocityAt(polynomials, at, from);
      this.velocity1[i * this.dof + j] = velocityAt(polynomials, at, to);
      this.acceleration0[i * this.dof + j] = accelerationAt(polynomials, at, from);
      this.acceleration1[i * this.dof + j] = accelerationAt(polynomials, at, to);
    }
  }
}

/**
 * Returns the function that maps [0, 1] onto itself, with derivative 0 at stops: near a stop, the time of the curve is
 * quadratic in the time of the motion, so that intervals of equal length would be too long there.
 */
function gradedShare(stopsBefore: boolean, stopsAfter: boolean): (share: number) => number {
  if (stopsBefore && stopsAfter) return (z) => z * z * (3 - 2 * z);
  if (stopsBefore) return (z) => z * z;
  return stopsAfter ? (z) => z * (2 - z) : (z) => z;
}

/** Returns the number of intervals of an arc at fineness 1, by the longest travel of a joint: chord, or end speeds. */
export function intervalsOf({ from, to, duration, kind }: Arc): number {
  let travel = 0;
  for (let j = 0; j < from.positions.length; j++) {
    const chord = Math.abs(to.positions[j] - from.positions[j]);
    const speed = Math.max(Math.abs(from.velocities[j]), Math.abs(to.velocities[j]));
    travel = Math.max(travel, chord, kind === 'linear' ? 0 : speed * duration);
  }
  return Math.min(MAX_INTERVALS, Math.max(MIN_INTERVALS, 1 + Math.ceil(travel / GRID_STEP)));
}
