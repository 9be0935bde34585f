import type { Configuration } from '../../math/configuration.ts';
import { firstIndex } from '../../math/firstIndex.ts';
import type { Motion } from '../motions/motion.ts';

/**
 * Motion that consists of consecutive motions. Before the first one and after the last one the robot is at rest.
 *
 * Velocities may jump where two motions meet. The bound on the acceleration over an interval of half width h contains
 * 2/h times the sum of the jumps in it: with J the derivative of a point by the joint, the remainder of the expansion
 * about the middle, ∫ (τ − s) J(s) dq̇(s), is then at most that of a motion of this acceleration at the ends of the
 * interval, τ = ±h, and at most linear in τ before: a gap that the bound leaves open at the ends is open throughout.
 * The bound does not hold for the acceleration itself, nor at other times than the ends.
 */
export class PiecewiseMotion implements Motion {
  readonly dof: number;
  readonly start: number;
  readonly end: number;
  readonly terms: Float64Array;
  /** Times at which two motions meet, the ends included. */
  private readonly knots: Float64Array;
  /** Per knot and joint: the sum of |jump| over all knots before it; and one more row for all of them. */
  private readonly jumps: Float64Array;
  /** Per piece: by joint the bounds on speed and acceleration over it; and 1 once they are computed. */
  private readonly bounds: Float64Array;
  private readonly isKnown: Uint8Array;
  private readonly speed: Float64Array;
  private readonly acceleration: Float64Array;

  /** @param pieces at least one, each beginning at the end of the one before it */
  constructor(private readonly pieces: readonly Motion[]) {
    const [first] = pieces;
    this.dof = first.dof;
    this.start = first.start;
    this.end = pieces.at(-1)!.end;
    this.speed = new Float64Array(this.dof);
    this.acceleration = new Float64Array(this.dof);
    this.terms = new Float64Array(this.dof);
    for (const { terms } of pieces)
      if (terms) for (let j = 0; j < this.dof; j++) this.terms[j] = Math.max(this.terms[j], terms[j]);
    this.knots = Float64Array.from([...pieces.map((piece) => piece.start), this.end]);
    this.jumps = new Float64Array((this.knots.length + 1) * this.dof);
    this.bounds = new Float64Array(2 * pieces.length * this.dof);
    this.isKnown = new Uint8Array(pieces.length);
    this.sumJumps();
  }

  positionAt(out: Configuration, t: number): void {
    const piece = this.pieceAt(t);
    piece.positionAt(out, Math.min(Math.max(t, piece.start), piece.end));
  }

  velocityAt(out: Float64Array, t: number): void {
    if (t < this.start || t > this.end) out.fill(0);
    else this.pieceAt(t).velocityAt(out, t);
  }

  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void {
    const { pieces, speed, acceleration: change, dof } = this;
    velocity.fill(0);
    acceleration.fill(0);
    if (to < this.start || from > this.end) return;
    for (let k = this.indexAt(from); k < pieces.length && pieces[k].start <= to; k++) {
      const piece = pieces[k];
      if (from <= piece.start && piece.end <= to) {
        this.addPiece(velocity, acceleration, k);
        continue;
      }
      piece.boundsOver(speed, change, Math.max(from, piece.start), Math.min(to, piece.end));
      for (let j = 0; j < dof; j++) {
        velocity[j] = Math.max(velocity[j], speed[j]);
        acceleration[j] = Math.max(acceleration[j], change[j]);
      }
    }
    this.addJumps(acceleration, from, to);
  }

  /** Raises bounds to those over a whole piece, which are computed once. */
  private addPiece(velocity: Float64Array, acceleration: Float64Array, k: number): void {
    const { bounds, dof } = this;
    const o = 2 * dof * k;
    if (this.isKnown[k] === 0) {
      const { start, end } = this.pieces[k];
      this.isKnown[k] = 1;
      this.pieces[k].boundsOver(bounds.subarray(o, o + dof), bounds.subarray(o + dof, o + 2 * dof), start, end);
    }
    for (let j = 0; j < dof; j++) {
      velocity[j] = Math.max(velocity[j], bounds[o + j]);
      acceleration[j] = Math.max(acceleration[j], bounds[o + dof + j]);
    }
  }

  private pieceAt(t: number): Motion {
    return this.pieces[this.indexAt(t)];
  }

  /** Returns the index of the last piece that begins at t or before. */
  private indexAt(t: number): number {
    const { pieces } = this;
    return Math.max(0, firstIndex(pieces.length, (i) => !(pieces[i].start <= t)) - 1);
  }

  /** Adds the jumps between two times to bounds on the acceleration. */
  private addJumps(acceleration: Float64Array, from: number, to: number): void {
    const { jumps, dof } = this;
    const first = this.knotsUntil(from, true);
    const last = this.knotsUntil(to, false);
    if (first >= last) return;
    const scale = 4 / (to - from);
    for (let j = 0; j < dof; j++) {
      const until = jumps[last * dof + j];
      acceleration[j] += scale * (until - jumps[first * dof + j] + this.knots.length * Number.EPSILON * until);
    }
  }

  /** Returns the number of knots before t, or up to t. */
  private knotsUntil(t: number, inclusive: boolean): number {
    const { knots } = this;
    return firstIndex(knots.length, (i) => !(knots[i] < t || (inclusive && knots[i] === t)));
  }

  private sumJumps(): void {
    const { pieces, dof, jumps } = this;
    const before = new Float64Array(dof);
    const after = new Float64Array(dof);
    for (let k = 0; k <= pieces.length; k++) {
      if (k > 0) pieces[k - 1].velocityAt(before, pieces[k - 1].end);
      if (k < pieces.length) pieces[k].velocityAt(after, pieces[k].start);
      else after.fill(0);
      for (let j = 0; j < dof; j++)
        jumps[(k + 1) * dof + j] = jumps[k * dof + j] + Math.abs(after[j] - before[j]) * (1 + ROUNDING);
    }
  }
}

/** Relative: velocities and their differences are rounded. */
const ROUNDING = 1e-12;
