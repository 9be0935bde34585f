import { firstIndex } from '../../math/firstIndex.ts';
import { hasSteadyVelocity, maxJerk } from '../jointExtremes.ts';
import { accelerationAt } from '../polynomial.ts';
import type { TrajectoryCurve } from '../trajectoryCurve.ts';
import { accelerationTolerance } from '../velocityJumps.ts';
import { type BrakingPart, partAfter, type StopPiece } from './brakingPart.ts';
import type { PaceGrid } from './paceGrid.ts';
import type { PathStop } from './pathStop.ts';
import { type SmoothLimits, StopRanges } from './stopRanges.ts';

/** What proves the limits over a part of a piece of the curve, and where a stop ends. */
export interface StopProof {
  readonly areKept: (piece: number, part: BrakingPart) => boolean;
  readonly isHeld: (piece: number, from: number, length: number) => boolean;
}

/** Seconds: the third derivative of the position along the curve is constant for this long at most. */
const STEP = 4e-3;
/** Steps in which a slow motion can lose its velocity or its acceleration, about, at least. */
const STEPS = 12;
/** The shortest step that is tried, in relation to the longest one. */
const SHORTEST = 1 / 20;
/** Of a stop: about 80 s. */
const MAX_STEPS = 20_000;
/** Number of bisections of the third derivative in one step. */
const BISECTIONS = 6;
/** Number of steps in which a rate returns to 0, about, and at most. */
const RETURN_STEPS = 6;
const MAX_RETURN = 200;
/** Share of the greatest third derivative with which the rate returns, so that it can be ended later. */
const RESERVE = 0.95;
/** Share of the greatest third derivative from which the end of a stop begins, and steps that are short anyway. */
const FULL = 0.9;
const SHORT = 0.75;
/** Digits of the numbers of a stop. */
const DIGITS = 10;
/** Rates above this are rounding errors. */
const RESTING = 1e-8;
/** Maximum number of Newton steps to the end of a piece. */
const MAX_NEWTON = 20;
/** Seconds: half of the range of positions along the curve at which the arm is proved to be held. */
const HELD = 1e-9;
/** Seconds: a part that ends this near to the end of a piece ends there, as in certificates. */
const NEAR = 1e-10;

/** A state of a stop within a piece of the curve; `pieces` at its end. */
type State = Pick<BrakingPart, 'from' | 'pace' | 'rate'> & { readonly piece: number };

/** A part of a stop that begins in a piece. */
type Part = State & BrakingPart;

/**
 * Computes stops along a curve with continuous accelerations under limits of jerk, too: the pace s' and its rate s''
 * are continuous, from 1 and 0 to 0 and 0, and s''' is constant in each step: the lowest from which the rate can return
 * to 0 before the pace is 0. Not the shortest stops: each step considers later limits only up to that return.
 */
export class SmoothStops {
  private readonly ranges: StopRanges;
  /** Seconds: longest step of the current stop. */
  private step = STEP;
  /** False if an acceleration jumps, which takes an infinite jerk, or a velocity, which makes that of a stop jump. */
  private readonly isContinuous: boolean;

  constructor(
    private readonly curve: TrajectoryCurve,
    private readonly grid: PaceGrid,
    private readonly limits: SmoothLimits,
    private readonly proof: StopProof,
  ) {
    this.ranges = new StopRanges(curve, grid, limits);
    const isSmooth = (limit: number, j: number) =>
      limit === Number.POSITIVE_INFINITY ||
      (hasSteadyVelocity(curve, j) && Number.isFinite(maxJerk(curve, j, limits.acceleration(0)[j]).value));
    this.isContinuous = Array.from(limits.jerk).every(isSmooth);
  }

  /**
   * Returns the stop that begins at the start of an interval of the grid; undefined if none is proved.
   * @param share of the possible deceleration that is used
   */
  stop(first: number, share: number): PathStop | undefined {
    if (!this.isContinuous) return undefined;
    this.ranges.share = share;
    const rows: [number, number][] = [[this.grid.time(first), 1]];
    let duration = 0;
    let state = this.stateAt(first);
    const { piece, from } = state;
    if (piece < this.curve.pieces) this.step = Math.min(STEP, this.ranges.timeScale(piece, from) / STEPS);
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      if (this.isAtRest(state)) return this.ended(state, { first, duration, rows });
      if (state.piece === this.curve.pieces) return undefined;
      const final = this.finalPart(state);
      const step = this.steepest(state, this.step);
      const isLast = final && (final.duration <= SHORT * this.step || step.change >= FULL * final.change);
      const last = isLast && this.proved(final);
      if (last) return this.ended(last, { first, duration: duration + final.duration, rows });
      const proved = this.provedStep(step);
      if (proved === undefined) return undefined;
      const [part, next] = proved;
      duration += part.duration;
      rows.push([part.duration, part.change]);
      state = next;
    }
    return undefined;
  }

  /** Returns the parts of a stop, as its rows state them. */
  parts({ first, rows }: PathStop): StopPiece[] {
    const parts: StopPiece[] = [];
    let state = this.stateAt(first);
    const add = (duration: number, change: number) => {
      for (let rest: Part = { ...state, change, duration }; ; ) {
        const { state: next, time } = this.after(rest, rest.duration);
        parts.push({ piece: rest.piece, part: { ...rest, duration: time } });
        state = next;
        if (!(rest.duration - time > 0) || next.piece === this.curve.pieces) return;
        rest = { ...rest, ...next, duration: rest.duration - time };
      }
    };
    for (const [duration, change] of rows.slice(1)) add(duration, change);
    const { pace, rate } = state;
    if (!this.isAtRest(state)) add((-2 * pace) / rate, (rate * rate) / (2 * pace));
    return parts;
  }

  /** Returns the state at the start of an interval of the grid, at a pace of 1. */
  private stateAt(first: number): State {
    const piece = first === this.grid.count ? this.curve.pieces : this.grid.arc[first];
    return { piece, from: this.grid.time(first) - this.curve.times[piece], pace: 1, rate: 0 };
  }

  /** Returns the stop that ends at a state, if the arm can be held there. */
  private ended({ piece, from }: State, stop: Omit<PathStop, 'end'>): PathStop | undefined {
    const { curve, grid, proof } = this;
    const time = curve.times[piece] + from;
    const end = firstIndex(grid.count, (n) => grid.time(n) >= time);
    const own = Math.min(piece, curve.pieces - 1);
    return proof.isHeld(own, time - curve.times[own] - HELD, 2 * HELD) ? { ...stop, end } : undefined;
  }

  /** Returns true if no joint moves, or accelerates if its jerk is limited, at the start of a piece or at the end. */
  private isAtRest({ piece, from }: State): boolean {
    const { curve, limits } = this;
    if (from !== 0) return false;
    const own = Math.min(piece, curve.pieces - 1);
    const time = piece === own ? 0 : curve.times[piece] - curve.times[own];
    for (let j = 0; j < curve.dof; j++) {
      const at = curve.polynomialIndex(own, j);
      const end = 2 * (own * curve.dof + j) + (piece === own ? 0 : 1);
      const a = accelerationAt(curve.polynomials, at, time);
      const most =
        limits.jerk[j] < Number.POSITIVE_INFINITY ? accelerationTolerance(limits.acceleration(own)[j], a, 0) : a;
      if (curve.rests[end] === 0 || !(Math.abs(a) <= Math.abs(most))) return false;
    }
    return true;
  }

  /** Returns the part in which pace and rate fall to 0 together, if it is possible and short or steep. */
  private finalPart(state: State): Part | undefined {
    const { pace, rate } = state;
    if (!(rate < 0)) return undefined;
    const [change, duration] = [(rate * rate) / (2 * pace), (-2 * pace) / rate];
    this.ranges.set(state.piece, state.from, pace, rate);
    const { high } = this.ranges.changes;
    if (!(change <= high && (change >= FULL * high || duration <= SHORT * this.step))) return undefined;
    const part = { ...state, change, duration };
    let last = part;
    for (let i = 0; i < RETURN_STEPS; i++) {
      if (!this.isPossible(last)) return undefined;
      const { state: next } = this.after(last, duration / RETURN_STEPS);
      if (next.piece === this.curve.pieces) return undefined;
      last = { ...part, ...next };
    }
    return part;
  }

  /** Returns a step, or a shorter one, whose limits are proved, and the state after it; one that slows down if any. */
  private provedStep(first: Part): readonly [part: Part, next: State] | undefined {
    let even: readonly [part: Part, next: State] | undefined;
    for (let [part, step] = [first, this.step]; step >= SHORTEST * this.step; part = this.steepest(first, step)) {
      const next = this.proved(part);
      if (next && (part.change !== 0 || first.pace === 1 || first.rate < -RESTING)) return [part, next];
      if (next) even ??= [part, next];
      step *= 0.5;
    }
    return even;
  }

  /** Returns the next step: the lowest third derivative that is possible. */
  private steepest(state: State, step: number): Part {
    this.ranges.set(state.piece, state.from, state.pace, state.rate);
    const { low: lowest, high: highest } = this.ranges.changes;
    const most = state.rate >= -RESTING ? 0 : Math.min(highest, -state.rate / step);
    const partOf = (change: number): Part => {
      const part = { ...state, change: Number(change.toPrecision(DIGITS)), duration: step };
      return { ...part, duration: this.after(part, step).time };
    };
    let low = partOf(Math.min(lowest, most));
    if (this.canFollow(low)) return low;
    let best = partOf(most);
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = partOf(0.5 * (low.change + best.change));
      if (this.canFollow(middle)) best = middle;
      else low = middle;
    }
    return best;
  }

  /** Returns true if a part is possible, and the rate can return to 0 after it. */
  private canFollow(part: Part): boolean {
    const end: Part = { ...partAfter(part, part.duration), piece: part.piece };
    if (!(end.pace >= 0 && end.rate <= 0 && this.isPossible(end))) return false;
    const { times, pieces } = this.curve;
    let { piece, from, pace, rate } = this.after(part, part.duration).state; // scalars: the inner loop of the search
    let step = 0;
    for (let n = 0; n < MAX_RETURN && piece < pieces && rate < 0; n++) {
      this.ranges.set(piece, from, pace, rate);
      const { low, high } = this.ranges.changes;
      const change = RESERVE * high;
      if (!(rate >= this.ranges.rates.low && rate <= this.ranges.rates.high && low <= change && change > 0))
        return false;
      if (n === 0) step = Math.max(this.step / 16, Math.min(this.step, -rate / change / RETURN_STEPS));
      const time = Math.min(step, -rate / change);
      const to = from + time * (pace + time * (0.5 * rate + (time * change) / 6));
      if (to > times[piece + 1] - times[piece] - NEAR) {
        ({ piece, from, pace, rate } = this.after({ piece, from, pace, rate, change, duration: 0 }, time).state);
        continue;
      }
      from = to;
      pace += time * (rate + 0.5 * time * change);
      rate = time < step ? 0 : rate + time * change;
      if (pace < 0) return false;
    }
    return piece === pieces || !(rate < 0);
  }

  /** Returns true if rate and change of a state are within their ranges. */
  private isPossible(state: Part): boolean {
    const { piece, from, pace, rate, change } = state;
    this.ranges.set(piece, from, pace, rate);
    const { rates, changes } = this.ranges;
    return rate >= rates.low && rate <= rates.high && change >= changes.low && change <= changes.high;
  }

  /** Returns the state after a part of `duration` seconds or, if that is sooner, the end of its piece; and its time. */
  private after(state: Part, duration: number): { state: State; time: number } {
    const { piece } = state;
    const length = this.curve.times[piece + 1] - this.curve.times[piece];
    const end = partAfter(state, duration);
    if (!(end.from > length - NEAR)) return { state: { ...end, piece }, time: duration };
    // the position is concave in the time, so that these approximations of the time of the end are below it
    let time = 0;
    let next: BrakingPart = state;
    for (let i = 0; i < MAX_NEWTON && next.from < length && next.pace > 0; i++) {
      time = Math.min(duration, time + (length - next.from) / next.pace);
      next = partAfter(state, time);
    }
    return { state: { ...next, from: 0, piece: piece + 1 }, time };
  }

  /** Returns the state after a part if its limits are proved. */
  private proved(part: Part): State | undefined {
    let rest = part;
    for (;;) {
      const { state, time } = this.after(rest, rest.duration);
      if (!this.proof.areKept(rest.piece, { ...rest, duration: time })) return undefined;
      if (!(rest.duration - time > 0) || state.piece === this.curve.pieces) return state;
      rest = { ...rest, ...state, duration: rest.duration - time };
    }
  }
}
