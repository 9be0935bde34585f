import type { Configuration } from '../math/configuration.ts';
import type { Motion } from './motion.ts';

/**
 * Rad or m: differences of the velocities where two pieces meet are rounding, and no jumps, if all of them together
 * move a joint by less. A hundredth of the minimum margin of a proof for each metre of lever arm, or less.
 */
const ROUNDED_AWAY = 1e-11;

/**
 * Motion that consists of consecutive motions. Before the first one and after the last one the robot is at rest. Over
 * an
 * interval that contains a velocity jump the bound on the acceleration is Infinity: bounds of second order do not apply
 * there.
 */
export class PiecewiseMotion implements Motion {
  readonly dof: number;
  readonly start: number;
  readonly end: number;
  readonly terms: Float64Array;
  /** Times at which the velocity jumps, the ends included, in order. */
  private readonly jumps: number[] = [];
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
    this.findJumps();
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
      piece.boundsOver(speed, change, Math.max(from, piece.start), Math.min(to, piece.end));
      for (let j = 0; j < dof; j++) {
        velocity[j] = Math.max(velocity[j], speed[j]);
        acceleration[j] = Math.max(acceleration[j], change[j]);
      }
    }
    if (this.nextJump(from) < to) acceleration.fill(Number.POSITIVE_INFINITY);
  }

  private pieceAt(t: number): Motion {
    return this.pieces[this.indexAt(t)];
  }

  /** Returns the index of the last piece that begins at t or before. */
  private indexAt(t: number): number {
    const { pieces } = this;
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pieces[middle].start <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns the first jump after t; Infinity if there is none. */
  private nextJump(t: number): number {
    const { jumps } = this;
    let low = 0;
    let high = jumps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (jumps[middle] > t) high = middle;
      else low = middle + 1;
    }
    return low < jumps.length ? jumps[low] : Number.POSITIVE_INFINITY;
  }

  private findJumps(): void {
    const { pieces, dof, jumps } = this;
    const before = new Float64Array(dof);
    const after = new Float64Array(dof);
    const limit = ROUNDED_AWAY / (pieces.length * Math.max(1, this.end - this.start));
    for (let k = 0; k <= pieces.length; k++) {
      if (k > 0) pieces[k - 1].velocityAt(before.fill(0), pieces[k - 1].end);
      if (k < pieces.length) pieces[k].velocityAt(after, pieces[k].start);
      else after.fill(0);
      if (before.some((value, j) => !(Math.abs(value - after[j]) <= limit)))
        jumps.push(k < pieces.length ? pieces[k].start : this.end);
    }
  }
}
