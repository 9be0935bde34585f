import type { Motion } from '../../core/collision/motions/motion.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { firstIndex } from '../../core/math/firstIndex.ts';
import { ACCELERATION, maxMagnitude, positionAt, VELOCITY, velocityAt } from '../../core/trajectory/polynomial.ts';
import { type BrakingPart, partAfter, type StopPiece } from '../../core/trajectory/retiming/brakingPart.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/** Relative rounding error of rates and of the terms of positions. */
const ROUNDING = 1e-9;

/**
 * Returns the motions q(s(t)) of a stop that begins at the time at which its parts do, in the order of time: one per
 * piece of the curve. Pieces that are passed in no time are left out.
 * @param begin seconds
 */
export function stopMotions(curve: TrajectoryCurve, parts: readonly StopPiece[], begin: number): Motion[] {
  const motions: Motion[] = [];
  let since = 0; // durations are summed from 0, where their rounding errors are smallest
  for (let i = 0; i < parts.length; ) {
    const { piece } = parts[i];
    const own: BrakingPart[] = [];
    const times = [begin + since];
    for (; i < parts.length && parts[i].piece === piece; i++) {
      since += parts[i].part.duration;
      own.push(parts[i].part);
      times.push(begin + since);
    }
    if (times[own.length] > times[0]) motions.push(new BrakingMotion(curve, piece, own, times));
  }
  return motions;
}

/**
 * Motion q(s(t)) along one piece of a curve q. Its velocity is continuous, since the pace s' is: a bound on the
 * acceleration within each part is one across them.
 */
class BrakingMotion implements Motion {
  readonly dof: number;
  readonly start: number;
  readonly end: number;
  readonly terms: Float64Array;

  /** @param times ends of the parts, and before them the start of the first one */
  constructor(
    private readonly curve: TrajectoryCurve,
    private readonly piece: number,
    private readonly parts: readonly BrakingPart[],
    private readonly times: readonly number[],
  ) {
    this.dof = curve.dof;
    this.start = times[0];
    this.end = times[times.length - 1];
    // s is rounded, too
    this.terms = curve.terms.slice(piece * curve.dof, (piece + 1) * curve.dof).map((sum) => 2 * sum);
  }

  positionAt(out: Configuration, t: number): void {
    const { curve, piece } = this;
    const { from } = this.stateAt(t);
    for (let j = 0; j < this.dof; j++) out[j] = positionAt(curve.polynomials, curve.polynomialIndex(piece, j), from);
  }

  velocityAt(out: Float64Array, t: number): void {
    const { curve, piece } = this;
    const { from, pace } = this.stateAt(t);
    for (let j = 0; j < this.dof; j++)
      out[j] = pace * velocityAt(curve.polynomials, curve.polynomialIndex(piece, j), from);
  }

  /** |q' s'| and |q'' s'² + q' s''| with the greatest of each: s' never increases, s'' is linear in each part. */
  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void {
    const { curve, piece, dof } = this;
    const [first, last] = [this.stateAt(from), this.stateAt(to)];
    let steepest = 0;
    for (let i = this.partAt(from); i <= this.partAt(to); i++) {
      const part = this.parts[i];
      steepest = Math.max(steepest, Math.abs(part.rate), Math.abs(part.rate + part.change * part.duration));
    }
    const pace = first.pace * (1 + ROUNDING);
    for (let j = 0; j < dof; j++) {
      const at = curve.polynomialIndex(piece, j);
      const speed = maxMagnitude(curve.polynomials, at, VELOCITY, first.from, last.from);
      const change = maxMagnitude(curve.polynomials, at, ACCELERATION, first.from, last.from);
      velocity[j] = speed * pace;
      acceleration[j] = (change * pace * pace + speed * steepest) * (1 + ROUNDING);
    }
  }

  /** Returns the state at a time: s from the start of the piece, within it, and its derivatives. */
  private stateAt(t: number): BrakingPart {
    const { curve, piece, times } = this;
    const i = this.partAt(t);
    const state = partAfter(this.parts[i], Math.max(0, Math.min(t, times[i + 1]) - times[i]));
    const length = curve.times[piece + 1] - curve.times[piece];
    return { ...state, from: Math.max(0, Math.min(length, state.from)), pace: Math.max(0, state.pace) };
  }

  /** Returns the index of the part that contains a time; at a boundary, the earlier one. */
  private partAt(t: number): number {
    const { times } = this;
    return firstIndex(this.parts.length - 1, (i) => times[i + 1] >= t);
  }
}
