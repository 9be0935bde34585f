import {
  CUBIC_SIZE,
  type Cubics,
  greatestAcceleration,
  greatestSpeed,
  positionAt,
  setHermite,
  setLine,
  turningPoints,
  velocityAt,
} from './cubic.ts';
import { isStraight, isTimed, type Trajectory } from './trajectory.ts';

/**
 * A motion as the curve that it is: one cubic for each joint and piece, made once, then evaluated and bounded without allocation.
 * t runs from `start` to `end` in seconds, and in waypoints (from 0) for a path; a t outside is moved to the nearer end.
 */
export class TrajectoryCurve {
  readonly dof: number;
  /** At least one: a single point is a piece that takes no time. */
  readonly pieces: number;
  /** Where each piece begins, and the last one ends. */
  readonly times: Float64Array;
  /** The cubic of joint j in piece k stands at (k · dof + j) · CUBIC_SIZE. */
  readonly cubics: Cubics;
  /** Its pieces are straight joint-space lines. */
  readonly straight: boolean;
  private readonly turns = new Float64Array(2);

  /** @param trajectory at least one point, times increasing */
  constructor(trajectory: Trajectory) {
    const { points } = trajectory;
    const timed = isTimed(trajectory);
    this.dof = trajectory.jointNames.length;
    this.pieces = Math.max(1, points.length - 1);
    this.straight = isStraight(trajectory);
    this.times = new Float64Array(this.pieces + 1);
    this.cubics = new Float64Array(this.pieces * this.dof * CUBIC_SIZE);
    for (let k = 0; k <= this.pieces; k++) {
      const point = points[Math.min(k, points.length - 1)];
      this.times[k] = timed ? point.time_from_start! : Math.min(k, points.length - 1);
    }
    for (let k = 0; k < this.pieces; k++) this.setPiece(trajectory, k);
  }

  get start(): number {
    return this.times[0];
  }

  get end(): number {
    return this.times[this.pieces];
  }

  /** The piece that t lies in; of two that meet there the later one. */
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

  position(out: Float64Array, t: number): void {
    const k = this.pieceAt(t);
    const u = this.within(k, t);
    for (let j = 0; j < this.dof; j++) out[j] = positionAt(this.cubics, this.place(k, j), u);
  }

  velocity(out: Float64Array, t: number): void {
    const k = this.pieceAt(t);
    const u = this.within(k, t);
    for (let j = 0; j < this.dof; j++) out[j] = velocityAt(this.cubics, this.place(k, j), u);
  }

  /** out[j] = greatest |velocity| of joint j for t0 <= t <= t1: exact, but for rounding. */
  speedBounds(out: Float64Array, t0: number, t1: number): void {
    out.fill(0);
    const last = this.pieceAt(t1);
    for (let k = this.pieceAt(t0); k <= last; k++) {
      for (let j = 0; j < this.dof; j++) {
        out[j] = Math.max(out[j], greatestSpeed(this.cubics, this.place(k, j), this.within(k, t0), this.within(k, t1)));
      }
    }
  }

  /** out[j] = greatest |acceleration| of joint j for t0 <= t <= t1, from either side of a jump. */
  accelerationBounds(out: Float64Array, t0: number, t1: number): void {
    out.fill(0);
    const last = this.pieceAt(t1);
    for (let k = this.pieceAt(t0); k <= last; k++) {
      for (let j = 0; j < this.dof; j++) {
        const most = greatestAcceleration(this.cubics, this.place(k, j), this.within(k, t0), this.within(k, t1));
        out[j] = Math.max(out[j], most);
      }
    }
  }

  /** The box that the motion stays in for t0 <= t <= t1, least and greatest position of each joint. */
  positionBounds(lower: Float64Array, upper: Float64Array, t0: number, t1: number): void {
    lower.fill(Number.POSITIVE_INFINITY);
    upper.fill(Number.NEGATIVE_INFINITY);
    const last = this.pieceAt(t1);
    for (let k = this.pieceAt(t0); k <= last; k++) {
      for (let j = 0; j < this.dof; j++) this.widen(lower, upper, k, j, this.within(k, t0), this.within(k, t1));
    }
  }

  /** Where the cubic of joint j in piece k stands. */
  place(k: number, j: number): number {
    return (k * this.dof + j) * CUBIC_SIZE;
  }

  /** Seconds from the beginning of piece k to t, or to the piece's nearer end. */
  within(k: number, t: number): number {
    const { times } = this;
    return Math.max(0, Math.min(t, times[k + 1]) - times[k]);
  }

  private setPiece({ points }: Trajectory, k: number): void {
    const from = points[k];
    const to = points[Math.min(k + 1, points.length - 1)];
    const T = this.times[k + 1] - this.times[k];
    for (let j = 0; j < this.dof; j++) {
      const x = from.positions[j];
      const y = to.positions[j];
      if (this.straight || T === 0) setLine(this.cubics, this.place(k, j), T, x, y);
      else setHermite(this.cubics, this.place(k, j), T, x, y, from.velocities![j], to.velocities![j]);
    }
  }

  private widen(lower: Float64Array, upper: Float64Array, k: number, j: number, u0: number, u1: number): void {
    const { cubics, turns } = this;
    const at = this.place(k, j);
    turningPoints(turns, cubics, at);
    const first = positionAt(cubics, at, turns[0] > u0 && turns[0] < u1 ? turns[0] : u0);
    const second = positionAt(cubics, at, turns[1] > u0 && turns[1] < u1 ? turns[1] : u1);
    const begin = positionAt(cubics, at, u0);
    const end = positionAt(cubics, at, u1);
    lower[j] = Math.min(lower[j], begin, end, first, second);
    upper[j] = Math.max(upper[j], begin, end, first, second);
  }
}
