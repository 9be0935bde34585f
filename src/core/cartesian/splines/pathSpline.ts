import type { MotionLimits } from '../../trajectory/trajectory.ts';
import type { PathGrid } from '../fastestTiming.ts';
import type { LegKnot } from '../legKnot.ts';
import type { PieceRules } from '../timeLeg.ts';
import { across, type ToolTracker } from '../toolTracker.ts';

/** Requirements on the motion along one piece of a path, with the limit of the TCP speed. */
export interface SmoothRules extends PieceRules {
  /** m/s; Infinity: none. */
  readonly tcpSpeed: number;
}

/** A joint path whose pieces have limits of their own. */
export interface RuledPath {
  /** Chain whose tool has the limits of the TCP speed. */
  readonly tracker: ToolTracker;
  readonly knots: readonly LegKnot[];
  readonly limits: MotionLimits;
  readonly rules: readonly SmoothRules[];
  /** Deviation of the tool that a spline may have in each piece, above 0. */
  readonly near: (piece: number) => { readonly position: number; readonly angle: number };
}

/**
 * Ranges r of control points, in pieces: the largest, and the largest change from one control point to the next. A
 * control point with r >= 0 is the mean of the path over the r pieces before and after it; one with r < 0 is moved such
 * that the spline interpolates the path, by the share -r.
 */
const MAX_RANGE = 2;
const RANGE_STEP = 0.25;
/** Number of places of the path whose mean a control point is. */
const PLACES = 4;
/** Share of the deviation that is used: the motion changes from one spline to the next. */
const USED = 0.8;

/**
 * A uniform cubic B-spline in time along a joint path, at rest and with zero acceleration at both ends. Its control
 * points are means of the path over a range, so that the spline rounds corners of the path and of its curvature: it
 * deviates by (1 + range²) h² / 6 of the acceleration, or by a share of it if it interpolates the path. The parameter
 * of the path is a spline, too: control value m is that of the time (m − 1) h.
 */
export class PathSpline implements PathGrid {
  readonly dof: number;
  readonly pieces: number;
  /** Control points, and their derivatives by the control values. */
  readonly control: Float64Array;
  readonly tangents: Float64Array;
  /** Control values of the parameter of the path, increasing, three equal ones at each end. */
  readonly marks: Float64Array;
  /** Index of the piece of the path at each of `pieces` + 1 points of the spline. */
  readonly pieceAt: Int32Array;
  /** Offsets of the places of each control point. */
  private readonly offsets: Float64Array;
  /** Offsets of the control points from the path, by which the spline is closer to it. */
  private readonly corrections: Float64Array;
  private readonly twist = new Float64Array(6);

  /**
   * @param marks control values; changed by `moveTo`
   * @param ranges of the control points
   */
  constructor(
    readonly path: RuledPath,
    marks: Float64Array,
    private readonly ranges: Float64Array,
    /** Duration, seconds. */
    readonly duration: number,
  ) {
    this.dof = path.knots[0].q.length;
    this.pieces = marks.length - 3;
    this.marks = marks;
    this.control = new Float64Array(marks.length * this.dof);
    this.tangents = new Float64Array(marks.length * this.dof);
    this.offsets = new Float64Array(marks.length * PLACES);
    this.corrections = new Float64Array(this.control.length);
    for (let m = 3; m < this.pieces; m++) {
      const range = Math.max(0, Math.min(ranges[m], RANGE_STEP * (m - 2), RANGE_STEP * (this.pieces - m)));
      let mean = 0;
      for (let i = 0; i < PLACES; i++) {
        const x = this.markAt(m - 1 + range * ((2 * i + 1) / PLACES - 1));
        this.offsets[m * PLACES + i] = x;
        mean += x / PLACES;
      }
      for (let i = m * PLACES; i < (m + 1) * PLACES; i++) this.offsets[i] -= mean;
    }
    this.moveTo(marks);
    this.approach();
    this.moveTo(marks);
    this.pieceAt = new Int32Array(this.pieces + 1);
    for (let i = 0, piece = 0; i <= this.pieces; i++) {
      piece = this.pieceFrom(piece, this.markAt(i));
      this.pieceAt[i] = piece;
    }
  }

  /** Changes the control values. */
  moveTo(marks: Float64Array): void {
    const { control, tangents, dof, offsets, path } = this;
    const { knots } = path;
    const total = knots[knots.length - 1].s;
    this.marks.set(marks);
    control.set(this.corrections);
    tangents.fill(0);
    for (let m = 0, piece = 0; m < marks.length; m++) {
      for (let i = m * PLACES; i < (m + 1) * PLACES; i++) {
        const mark = Math.min(total, Math.max(0, marks[m] + offsets[i]));
        piece = this.pieceFrom(piece, mark);
        addCubic([control, tangents], m * dof, knots[piece], knots[piece + 1], mark, 1 / PLACES);
      }
    }
  }

  /**
   * Returns the ranges of the control points at which the spline deviates by what is allowed: in each piece, with those
   * near it.
   */
  fittingRanges(): Float64Array {
    const { path, dof, ranges, pieces, twist } = this;
    const { knots, tracker, near } = path;
    const fitting = new Float64Array(ranges.length).fill(MAX_RANGE);
    const along = new Float64Array(6);
    const offset = new Float64Array(dof);
    for (let i = 0; i <= pieces; i++) {
      const piece = this.pieceAt[i];
      const q = new Float64Array(dof);
      const dq = new Float64Array(dof);
      addCubic([q, dq], 0, knots[piece], knots[piece + 1], this.markAt(i), 1);
      for (let j = 0; j < dof; j++) offset[j] = this.position(i, j) - q[j];
      tracker.twist(twist, q, offset);
      tracker.twist(along, q, dq);
      const allowed = near(piece);
      const [moved, turned] = [across(twist, along, 0), across(twist, along, 3)];
      const most = USED * Math.min(allowed.position / moved, allowed.angle / turned);
      const range = ranges[i + 1];
      const square = most * (range > 0 ? 1 + range * range : Math.max(RANGE_STEP, 1 + range)) - 1;
      fitting[i + 1] = Math.min(MAX_RANGE, square > 0 ? Math.sqrt(square) : square);
    }
    // a place is in the range of the control points near it
    const reached = fitting.slice();
    for (let m = 0; m < fitting.length; m++)
      for (let n = m - 1; n <= m + 1; n++) if (fitting[n] < reached[m]) reached[m] = fitting[n];
    for (let m = 1; m < reached.length; m++) reached[m] = Math.min(reached[m], reached[m - 1] + RANGE_STEP);
    for (let m = reached.length - 2; m >= 0; m--) reached[m] = Math.min(reached[m], reached[m + 1] + RANGE_STEP);
    return reached;
  }

  private pieceFrom(piece: number, mark: number): number {
    const { knots } = this.path;
    let k = piece;
    while (k > 0 && knots[k].s > mark) k--;
    while (k + 2 < knots.length && knots[k + 1].s < mark) k++;
    return k;
  }

  /** Returns the parameter of the path at u from 0 to the number of pieces. */
  markAt(u: number): number {
    const k = Math.min(this.pieces - 1, Math.floor(u));
    const w = u - k;
    const v = 1 - w;
    const { marks } = this;
    const near = v * v * v * marks[k] + (4 - 3 * w * w * (1 + v)) * marks[k + 1];
    return (near + (4 - 3 * v * v * (1 + w)) * marks[k + 2] + w * w * w * marks[k + 3]) / 6;
  }

  /** Returns the position of joint j at point i. */
  position(i: number, j: number): number {
    const { control, dof } = this;
    const at = i * dof + j;
    return i === 0 || i === this.pieces
      ? control[at + dof]
      : (control[at] + 4 * control[at + dof] + control[at + 2 * dof]) / 6;
  }

  /** Returns the velocity of joint j at point i, in positions per piece. */
  rate(i: number, j: number): number {
    const at = i * this.dof + j;
    return 0.5 * (this.control[at + 2 * this.dof] - this.control[at]);
  }

  setDerivatives(out: Float64Array, i: number, j: number): void {
    const { control, dof, pieces } = this;
    const at = i * dof + j;
    out[0] = this.rate(i, j) * pieces;
    out[1] = (control[at] - 2 * control[at + dof] + control[at + 2 * dof]) * pieces * pieces;
    const before = this.third(Math.max(0, i - 1), j);
    const after = this.third(Math.min(pieces - 1, i), j);
    out[2] = 0.5 * (before + after) * pieces * pieces * pieces;
  }

  /** Returns the least value of the rules of the pieces next to each point. */
  leastAt(value: (rules: SmoothRules) => number): Float64Array {
    const { pieceAt, pieces, path } = this;
    return Float64Array.from(pieceAt, (_, i) => {
      let least = Number.POSITIVE_INFINITY;
      for (let k = pieceAt[Math.max(0, i - 1)]; k <= pieceAt[Math.min(pieces, i + 1)]; k++)
        least = Math.min(least, value(path.rules[k]));
      return least;
    });
  }

  /** Returns upper bounds of the change of the parameter of the path at the points, 1/s, by the limits of the speed. */
  markSpeeds(): Float64Array {
    const tcp = this.leastAt(({ tcpSpeed }) => tcpSpeed);
    return this.leastAt(({ pathSpeed }) => pathSpeed).map((speed, i) => {
      const rate = this.markRate(i);
      return tcp[i] < Number.POSITIVE_INFINITY && rate > 0
        ? Math.min(speed, (tcp[i] / this.toolSpeed(i)) * rate)
        : speed;
    });
  }

  /** Returns upper bounds of (du/dt)², with u from 0 to 1, by the limits of the velocity and of the speed. */
  squaredRates(): Float64Array {
    const { pieces, dof, path } = this;
    const speeds = this.markSpeeds();
    return this.leastAt(({ speed }) => speed).map((scale, i) => {
      let rate = speeds[i] / this.markRate(i) / pieces;
      for (let j = 0; j < dof; j++)
        rate = Math.min(rate, (scale * path.limits.velocity[j]) / Math.abs(this.rate(i, j)) / pieces);
      return rate * rate;
    });
  }

  /** Moves control points such that the spline interpolates the path, up to fourth order. */
  private approach(): void {
    const { control, corrections, ranges, dof, pieces } = this;
    for (let m = 3; m < pieces; m++)
      for (let at = m * dof; ranges[m] < 0 && at < (m + 1) * dof; at++)
        corrections[at] = (ranges[m] / 6) * (control[at - dof] - 2 * control[at] + control[at + dof]);
  }

  private third(k: number, j: number): number {
    const { control, dof } = this;
    const at = k * dof + j;
    return control[at + 3 * dof] - control[at] + 3 * (control[at + dof] - control[at + 2 * dof]);
  }

  /** Returns the change of the parameter of the path at point i, per piece. */
  private markRate(i: number): number {
    return 0.5 * (this.marks[i + 2] - this.marks[i]);
  }

  /** Returns the speed of the tool at point i, metres per piece. */
  private toolSpeed(i: number): number {
    const { dof, twist } = this;
    const q = Float64Array.from({ length: dof }, (_, j) => this.position(i, j));
    const rates = Float64Array.from({ length: dof }, (_, j) => this.rate(i, j));
    this.path.tracker.twist(twist, q, rates);
    return Math.sqrt(twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2]);
  }
}

/** Adds a share of the position on the cubic between two knots at s, and of its derivative, at an index. */
function addCubic(
  [position, tangent]: readonly [Float64Array, Float64Array],
  at: number,
  a: LegKnot,
  b: LegKnot,
  s: number,
  share: number,
): void {
  const h = b.s - a.s;
  const u = (s - a.s) / h;
  const v = 1 - u;
  for (let j = 0; j < a.q.length; j++) {
    const x = v * v * (1 + 2 * u) * a.q[j] + u * u * (1 + 2 * v) * b.q[j] + h * u * v * (v * a.dq[j] - u * b.dq[j]);
    const slope = (6 * u * v * (b.q[j] - a.q[j])) / h + v * (1 - 3 * u) * a.dq[j] + u * (1 - 3 * v) * b.dq[j];
    position[at + j] += share * x;
    tangent[at + j] += share * slope;
  }
}
