import {
  ACCELERATION,
  extremeCandidates,
  MAX_CANDIDATES,
  maxMagnitude,
  POLYNOMIAL_SIZE,
  POSITION,
  type Polynomials,
  positionAt,
  setCubic,
  setLine,
  setQuintic,
  termsOf,
  VELOCITY,
  velocityAt,
} from './polynomial.ts';
import { isTimed, type SegmentKind, segmentKinds, type Trajectory, type TrajectoryPoint } from './trajectory.ts';

/**
 * Piecewise polynomial curve of a trajectory or path, for evaluation and bounds: one polynomial per joint and piece,
 * computed once. t in [`start`, `end`], seconds, or waypoints (from 0) for a path; other t are clamped.
 */
export class TrajectoryCurve {
  /** Number of joints. */
  readonly dof: number;
  /** Number of pieces, at least one: a single point is a piece of zero duration. */
  readonly pieces: number;
  /** Start of each piece, and the end of the last one. */
  readonly times: Float64Array;
  /** Interpolation of each piece. */
  readonly kinds: readonly SegmentKind[];
  /**
   * The polynomial of joint j in piece k starts at index (k · dof + j) · POLYNOMIAL_SIZE.
   * @internal
   */
  readonly polynomials: Polynomials;
  /**
   * For joint j in piece k, at k · dof + j: bound on the sum of the terms of its positions, to which rounding errors
   * are relative.
   */
  readonly terms: Float64Array;
  /**
   * For joint j in piece k, at 2 · (k · dof + j): how many of its derivatives, from the velocity on, are exactly 0 at
   * the start of the piece; then at its end.
   * @internal
   */
  readonly rests: Uint8Array;
  /** True if all pieces are straight lines in joint space. */
  readonly straight: boolean;

  /** @param trajectory at least one point, times increasing */
  constructor(trajectory: Trajectory) {
    const { points } = trajectory;
    const timed = isTimed(trajectory);
    this.dof = trajectory.jointNames.length;
    this.pieces = Math.max(1, points.length - 1);
    this.kinds = points.length > 1 ? segmentKinds(trajectory) : ['linear'];
    this.straight = this.kinds.every((kind) => kind === 'linear');
    this.times = new Float64Array(this.pieces + 1);
    this.polynomials = new Float64Array(this.pieces * this.dof * POLYNOMIAL_SIZE);
    this.terms = new Float64Array(this.pieces * this.dof);
    this.rests = new Uint8Array(2 * this.pieces * this.dof);
    for (let k = 0; k <= this.pieces; k++) {
      const point = points[Math.min(k, points.length - 1)];
      this.times[k] = timed ? point.time_from_start! : Math.min(k, points.length - 1);
    }
    for (let k = 0; k < this.pieces; k++) this.setPiece(trajectory, k);
  }

  /** Start of the curve. */
  get start(): number {
    return this.times[0];
  }

  /** End of the curve. */
  get end(): number {
    return this.times[this.pieces];
  }

  /** Returns the index of the piece that contains t; at a boundary, the later one. */
  pieceAt(t: number): number {
    const { times } = this;
    let low = 0;
    let high = this.pieces - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns the boundaries of pieces strictly between two times. */
  timesBetween(from: number, to: number): Float64Array {
    const { times } = this;
    let first = this.pieceAt(from);
    while (first <= this.pieces && !(times[first] > from)) first++;
    let end = first;
    while (end <= this.pieces && times[end] < to) end++;
    return times.subarray(first, end);
  }

  /** Writes the configuration at t into `out`. */
  position(out: Float64Array, t: number): void {
    const k = this.pieceAt(t);
    const u = this.timeInPiece(k, t);
    for (let j = 0; j < this.dof; j++) out[j] = positionAt(this.polynomials, this.polynomialIndex(k, j), u);
  }

  /** Writes the velocity at t into `out`: per second, or per waypoint for a path. */
  velocity(out: Float64Array, t: number): void {
    const k = this.pieceAt(t);
    const u = this.timeInPiece(k, t);
    for (let j = 0; j < this.dof; j++) out[j] = velocityAt(this.polynomials, this.polynomialIndex(k, j), u);
  }

  /** Computes out[j] = max |velocity| of joint j for t0 <= t <= t1, exact up to rounding. */
  speedBounds(out: Float64Array, t0: number, t1: number): void {
    this.derivativeBounds(out, VELOCITY, t0, t1);
  }

  /** Computes out[j] = max |acceleration| of joint j for t0 <= t <= t1, including both sides of a jump. */
  accelerationBounds(out: Float64Array, t0: number, t1: number): void {
    this.derivativeBounds(out, ACCELERATION, t0, t1);
  }

  /** Computes the minimum and maximum position of each joint for t0 <= t <= t1. */
  positionBounds(lower: Float64Array, upper: Float64Array, t0: number, t1: number): void {
    lower.fill(Number.POSITIVE_INFINITY);
    upper.fill(Number.NEGATIVE_INFINITY);
    const last = this.pieceAt(t1);
    for (let k = this.pieceAt(t0); k <= last; k++) {
      const [u0, u1] = [this.timeInPiece(k, t0), this.timeInPiece(k, t1)];
      for (let j = 0; j < this.dof; j++) {
        const at = this.polynomialIndex(k, j);
        const count = extremeCandidates(candidates, this.polynomials, at, POSITION, u0, u1);
        for (let i = 0; i < count; i++) {
          const x = positionAt(this.polynomials, at, candidates[i]);
          lower[j] = Math.min(lower[j], x);
          upper[j] = Math.max(upper[j], x);
        }
      }
    }
  }

  /** Returns the index of the polynomial of joint j in piece k. */
  polynomialIndex(k: number, j: number): number {
    return (k * this.dof + j) * POLYNOMIAL_SIZE;
  }

  /** Returns the time from the start of piece k to t, clamped to the piece. */
  timeInPiece(k: number, t: number): number {
    const { times } = this;
    return Math.max(0, Math.min(t, times[k + 1]) - times[k]);
  }

  private derivativeBounds(out: Float64Array, order: number, t0: number, t1: number): void {
    out.fill(0);
    const last = this.pieceAt(t1);
    for (let k = this.pieceAt(t0); k <= last; k++) {
      const [u0, u1] = [this.timeInPiece(k, t0), this.timeInPiece(k, t1)];
      for (let j = 0; j < this.dof; j++)
        out[j] = Math.max(out[j], maxMagnitude(this.polynomials, this.polynomialIndex(k, j), order, u0, u1));
    }
  }

  private setPiece({ points }: Trajectory, k: number): void {
    const from = points[k];
    const to = points[Math.min(k + 1, points.length - 1)];
    const T = this.times[k + 1] - this.times[k];
    const kind = T === 0 ? 'linear' : this.kinds[k];
    if (kind === 'linear') this.setLines(k, T, from, to);
    else if (kind === 'cubic') this.setCubics(k, T, from, to);
    else this.setQuintics(k, T, from, to);
  }

  private setLines(k: number, T: number, from: TrajectoryPoint, to: TrajectoryPoint): void {
    for (let j = 0; j < this.dof; j++) {
      const x = from.positions[j];
      const y = to.positions[j];
      setLine(this.polynomials, this.polynomialIndex(k, j), T, x, y);
      this.terms[k * this.dof + j] = Math.max(Math.abs(x), Math.abs(y));
    }
  }

  private setCubics(k: number, T: number, from: TrajectoryPoint, to: TrajectoryPoint): void {
    for (let j = 0; j < this.dof; j++) {
      const at = k * this.dof + j;
      const x = from.positions[j];
      const y = to.positions[j];
      const v = from.velocities![j];
      const w = to.velocities![j];
      setCubic(this.polynomials, this.polynomialIndex(k, j), T, x, y, v, w);
      this.terms[at] = termsOf(T, x, y, v, w, 0, 0);
      this.rests[2 * at] = v === 0 ? 1 : 0;
      this.rests[2 * at + 1] = w === 0 ? 1 : 0;
    }
  }

  private setQuintics(k: number, T: number, from: TrajectoryPoint, to: TrajectoryPoint): void {
    for (let j = 0; j < this.dof; j++) {
      const at = k * this.dof + j;
      const x = from.positions[j];
      const y = to.positions[j];
      const v = from.velocities![j];
      const w = to.velocities![j];
      const a = from.accelerations![j];
      const b = to.accelerations![j];
      const first = { position: x, velocity: v, acceleration: a };
      const last = { position: y, velocity: w, acceleration: b };
      setQuintic(this.polynomials, this.polynomialIndex(k, j), T, first, last);
      this.terms[at] = termsOf(T, x, y, v, w, a, b);
      this.rests[2 * at] = restsOf(v, a);
      this.rests[2 * at + 1] = restsOf(w, b);
    }
  }
}

const candidates = new Float64Array(MAX_CANDIDATES);

/** Returns how many of two derivatives, from the first on, are exactly 0. */
function restsOf(velocity: number, acceleration: number): number {
  if (velocity !== 0) return 0;
  return acceleration === 0 ? 2 : 1;
}
