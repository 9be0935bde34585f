import { type Interrupt, never } from '../../math/interrupt.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import type { ArmModel } from './armModel.ts';
import { createTaylor, type JointTaylor, setTaylor } from './jointTaylor.ts';
import { TorqueEnclosure } from './torqueEnclosure.ts';

/** Torques of all planned joints, enclosed over an interval. */
export interface TorqueInterval {
  /** Seconds; waypoints for a path. */
  readonly from: number;
  readonly to: number;
  /** Index of the piece of the curve. */
  readonly piece: number;
  /** By planned joint. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** The greatest torque of a joint over a motion. */
export interface TorquePeak {
  /** The torque of greatest magnitude that was found, signed. */
  readonly value: number;
  readonly time: number;
  /** Proved bound on the magnitude over the whole motion. */
  readonly bound: number;
}

/** Torques of a motion. */
export interface TorqueReport {
  /** By planned joint. */
  readonly peaks: readonly TorquePeak[];
  /** Intervals without gaps, in the order of time. */
  readonly intervals: readonly TorqueInterval[];
  /** True if the computation was ended early: the bounds hold for the intervals only. */
  readonly isInterrupted: boolean;
}

/** What bounds are refined to. */
export interface TorqueGoal {
  /** By planned joint: limit of the magnitude; Infinity: not limited. */
  readonly limits: ArrayLike<number>;
  /** Share of the limit by which the bound on a greatest torque may exceed the torque; Infinity: only limits count. */
  readonly accuracy: number;
  /** The accuracy holds for each interval above a limit, not only for the greatest torque. */
  readonly everywhere?: boolean;
  /** Torques that hold the arm at rest at each position: for paths. */
  readonly isStatic?: boolean;
}

/** Relative: a torque may exceed its limit by this, a rounding error. */
export const TORQUE_ROUNDING = 1e-9;
/**
 * Intervals are at most this long at first where greatest torques are found, seconds or waypoints, unless that takes
 * more than `MAX_FIRST` of them.
 */
const LONGEST = 0.08;
const MAX_FIRST = 50_000;
/** Intervals shorter than this, relative to the time, are not halved. */
const SHORTEST = 1e-12;
/** Limit of the intervals that are halved; more if there are more at first. */
const MAX_INTERVALS = 20_000;

/**
 * Encloses the torques of motions over continuous time: intervals whose bounds exceed a limit, or the greatest torque
 * found by more than the accuracy, are halved. One per thread.
 */
export class TorqueProver {
  private readonly bounds: TorqueEnclosure;
  private readonly joints: JointTaylor[];

  /** @param interrupt ends a computation */
  constructor(
    arm: ArmModel,
    private readonly interrupt: Interrupt = never,
  ) {
    this.bounds = new TorqueEnclosure(arm);
    this.joints = Array.from({ length: arm.dof }, createTaylor);
  }

  /** Encloses the torques of a motion in [from, to], which must be within it. */
  examine(
    curve: TrajectoryCurve,
    { limits, accuracy, everywhere = false, isStatic = false }: TorqueGoal,
    from = curve.start,
    to = curve.end,
  ): TorqueReport {
    const peaks = Array.from(limits, () => ({ value: 0, time: from }));
    let open: TorqueInterval[] = [];
    const done: TorqueInterval[] = [];
    let isInterrupted = false;
    const longest = everywhere || accuracy === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : LONGEST;
    for (const one of piecesWithin(curve, from, to, longest)) {
      open.push(this.enclosed(curve, one, isStatic, peaks));
      isInterrupted = this.interrupt();
      if (isInterrupted) break;
    }
    const most = Math.max(MAX_INTERVALS, open.length);
    for (let count = 0; open.length > 0 && !isInterrupted; ) {
      const next: TorqueInterval[] = [];
      const thresholds = peaks.map(({ value }, k) => thresholdOf(Math.abs(value), limits[k], accuracy));
      for (const interval of open) {
        const middle = interval.from + 0.5 * (interval.to - interval.from);
        const isShort = !(interval.to - interval.from > SHORTEST * (1 + Math.abs(middle)));
        if (isShort || (everywhere ? isAccurate(interval, limits, accuracy) : isWithin(interval, thresholds))) {
          done.push(interval);
          continue;
        }
        next.push(this.enclosed(curve, { ...interval, to: middle }, isStatic, peaks));
        next.push(this.enclosed(curve, { ...interval, from: middle }, isStatic, peaks));
        if (++count > most || this.interrupt()) isInterrupted = true;
      }
      open = next;
    }
    const intervals = [...done, ...open].sort((a, b) => a.from - b.from);
    const boundOf = (k: number) =>
      intervals.reduce((most, { lower, upper }) => Math.max(most, -lower[k], upper[k]), Math.abs(peaks[k].value));
    return { peaks: peaks.map((peak, k) => ({ ...peak, bound: boundOf(k) })), intervals, isInterrupted };
  }

  private enclosed(
    curve: TrajectoryCurve,
    { from, to, piece }: Pick<TorqueInterval, 'from' | 'to' | 'piece'>,
    isStatic: boolean,
    peaks: { value: number; time: number }[],
  ): TorqueInterval {
    const { bounds, joints } = this;
    const middle = from + 0.5 * (to - from);
    const half = Math.max(middle - from, to - middle);
    for (const [j, joint] of joints.entries()) setTaylor(joint, curve, piece, j, from, to, half);
    bounds.enclose(joints, half, isStatic);
    for (const [k, peak] of peaks.entries())
      if (Math.abs(bounds.value[k]) > Math.abs(peak.value)) {
        peak.value = bounds.value[k];
        peak.time = middle;
      }
    return { from, to, piece, lower: bounds.lower.slice(), upper: bounds.upper.slice() };
  }
}

/** Returns what the bound on the magnitude of a torque must not exceed. */
function thresholdOf(greatest: number, limit: number, accuracy: number): number {
  if (limit === Number.POSITIVE_INFINITY) return limit;
  const most = limit * (1 + TORQUE_ROUNDING);
  const accurate = greatest + accuracy * limit;
  return greatest > most ? accurate : Math.min(most, accurate);
}

const isWithin = ({ lower, upper }: TorqueInterval, thresholds: readonly number[]): boolean =>
  thresholds.every((most, k) => upper[k] <= most && -lower[k] <= most);

/** Returns true if each torque is within its limit, or known up to the accuracy. */
function isAccurate({ lower, upper }: TorqueInterval, limits: ArrayLike<number>, accuracy: number): boolean {
  for (let k = 0; k < lower.length; k++) {
    const isKept = upper[k] <= limits[k] && -lower[k] <= limits[k];
    if (!isKept && !(upper[k] - lower[k] <= 2 * accuracy * limits[k])) return false;
  }
  return true;
}

/**
 * Divides an interval at the ends of the pieces, and pieces into equal parts that are not longer than `longest`, or
 * than one of `MAX_FIRST` equal parts of the whole.
 */
function piecesWithin(
  curve: TrajectoryCurve,
  from: number,
  to: number,
  longest: number,
): Pick<TorqueInterval, 'from' | 'to' | 'piece'>[] {
  const out: { from: number; to: number; piece: number }[] = [];
  const most = Math.max(longest, (to - from) / MAX_FIRST);
  for (let piece = 0; piece < curve.pieces; piece++) {
    const [first, last] = [Math.max(from, curve.times[piece]), Math.min(to, curve.times[piece + 1])];
    if (last < first || (last === first && to > from)) continue;
    const count = Math.max(1, Math.ceil((last - first) / most));
    const at = (i: number) => (i === count ? last : first + (i / count) * (last - first));
    for (let i = 0; i < count; i++) out.push({ from: at(i), to: at(i + 1), piece });
  }
  return out;
}
