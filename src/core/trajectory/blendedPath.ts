import type { MotionLimits } from './trajectory.ts';

/**
 * Minimum duration of a blend, seconds: keeps the effect of rounding knots to nanoseconds on its acceleration small.
 */
export const MIN_BLEND_DURATION = 2e-3;

/** Rates of all blends, and what they are computed from. */
type Rates = Pick<BlendedPath, 'rate' | 'forward' | 'times'>;

/**
 * Polyline with parabolic blends at its corners, and the fastest motion along it with constant acceleration in each
 * blend and all joints synchronised. Blend i starts on segment i, the fraction `entry[i]` of the segment before the
 * corner, and ends on segment i + 1, the fraction `exit[i]` of that segment after it:
 *
 *               corner i
 *                  ·            duration T = 1/rate; velocities at its ends: 2·entry·rate·Δ[i]
 *         entry  /   \  exit    and 2·exit·rate·Δ[i + 1], the tangents of the parabola, whose
 *            ___/     \___     middle control point is the corner
 *
 * Δ[i] is the displacement of segment i. At a corner with entry = exit = 0 the motion stops. Limits on segment i, as
 * fractions of the segment: `speed[i]` (1/s), `acceleration[i]` (1/s²).
 */
export class BlendedPath {
  readonly segments: number;
  readonly displacements: readonly Float64Array[];
  readonly speed: Float64Array;
  readonly acceleration: Float64Array;
  readonly entry: Float64Array;
  readonly exit: Float64Array;
  readonly rate: Float64Array;
  private readonly accelerationLimit: Float64Array;
  /** Rates after the forward pass. */
  readonly forward: Float64Array;
  /** Durations of the straight parts of the segments, seconds. */
  readonly times: Float64Array;
  /** Copies of `rate`, `forward` and `times`; see `storeRates`. */
  private readonly stored: Rates;

  /**
   * @param corners vertices of a polyline that changes its direction at each inner one; limits of moving joints are
   * positive
   */
  constructor(
    readonly corners: readonly ArrayLike<number>[],
    limits: MotionLimits,
  ) {
    this.segments = corners.length - 1;
    this.displacements = corners.slice(1).map((to, i) => Float64Array.from(to, (x, j) => x - corners[i][j]));
    this.speed = Float64Array.from(this.displacements, (way, i) =>
      Math.min(
        minRatio(limits.velocity, way),
        limits.lineRate?.(corners[i], corners[i + 1]) ?? Number.POSITIVE_INFINITY,
      ),
    );
    this.acceleration = Float64Array.from(this.displacements, (way) => minRatio(limits.acceleration, way));
    this.entry = new Float64Array(this.segments - 1);
    this.exit = new Float64Array(this.segments - 1);
    this.rate = new Float64Array(this.segments - 1);
    this.accelerationLimit = Float64Array.from(limits.acceleration);
    this.forward = new Float64Array(this.segments - 1);
    this.times = new Float64Array(this.segments);
    this.stored = { rate: this.rate.slice(), forward: this.forward.slice(), times: this.times.slice() };
  }

  /**
   * Computes the maximum rate of each blend that is reachable from the previous and towards the next blend, by a
   * forward and a backward pass. Returns the duration of the whole motion, seconds.
   * @param pace velocities are limited to this fraction of their limits, accelerations to its square
   */
  setRates(pace = 1): number {
    const { rate, forward, times, segments } = this;
    for (let i = 0; i < segments - 1; i++) forward[i] = this.forwardRate(i, pace);
    for (let i = segments - 2; i >= 0; i--) rate[i] = this.backwardRate(i, pace);
    for (let i = 0; i < segments; i++) times[i] = this.straightTime(i, pace);
    return this.duration();
  }

  /**
   * Computes the same as `setRates` at pace 1, to the last bit, after changes of blends first to last: only as far
   * from them as rates change. The rates must be those of the sizes before.
   */
  updateRates(first: number, last: number): number {
    const { rate, forward, times } = this;
    const end = rate.length - 1;
    let high = first;
    for (; high <= end; high++) {
      const before = forward[high];
      forward[high] = this.forwardRate(high, 1);
      if (high > last && forward[high] === before) break;
    }
    let low = Math.min(high, end);
    for (; low >= 0; low--) {
      const before = rate[low];
      rate[low] = this.backwardRate(low, 1);
      if (low < first - 1 && rate[low] === before) break;
    }
    for (let i = Math.max(0, low); i <= Math.min(high, end) + 1; i++) times[i] = this.straightTime(i, 1);
    return this.duration();
  }

  /** Copies the rates, so that `restoreRates` undoes `updateRates`. */
  storeRates(): void {
    this.copyRates(this.stored, this);
  }

  /** Sets the rates to those that were stored last; the sizes must be those of that time. */
  restoreRates(): void {
    this.copyRates(this, this.stored);
  }

  /**
   * Returns the speed (fraction of segment i + 1 per second) at the end of blend i; 0 at the start of the path (i =
   * −1).
   */
  speedAfter(i: number): number {
    return i < 0 ? 0 : 2 * this.exit[i] * this.rate[i];
  }

  /** Returns the speed (fraction of segment i per second) at the start of blend i; 0 at the end of the path. */
  speedBefore(i: number): number {
    return i >= this.rate.length ? 0 : 2 * this.entry[i] * this.rate[i];
  }

  /** Returns the fraction of segment i that is straight. */
  straightFraction(i: number): number {
    const blended = (i > 0 ? this.exit[i - 1] : 0) + (i < this.entry.length ? this.entry[i] : 0);
    return Math.max(0, 1 - blended);
  }

  /**
   * Returns the minimum duration (seconds) of blend i within the acceleration limits, from one speed to another
   * (fractions per second).
   */
  blendDuration(i: number, before: number, after: number): number {
    const [from, to] = [this.displacements[i], this.displacements[i + 1]];
    let longest = MIN_BLEND_DURATION;
    for (let j = 0; j < from.length; j++) {
      const change = Math.abs(after * to[j] - before * from[j]);
      if (change > 0) longest = Math.max(longest, change / this.accelerationLimit[j]);
    }
    return longest;
  }

  /** Copies rates, of few blends, from one to another. */
  private copyRates(to: Rates, from: Rates): void {
    for (let i = 0; i < this.rate.length; i++) {
      to.rate[i] = from.rate[i];
      to.forward[i] = from.forward[i];
    }
    for (let i = 0; i < this.segments; i++) to.times[i] = from.times[i];
  }

  /** Returns the maximum rate of blend i that is reachable from the previous one. */
  private forwardRate(i: number, pace: number): number {
    if (this.entry[i] === 0) return 0;
    const speed = i > 0 ? 2 * this.exit[i - 1] * this.forward[i - 1] : 0;
    return Math.min(pace * this.maxBlendRate(i), this.reachable(i, speed, pace) / (2 * this.entry[i]));
  }

  /** Returns the maximum rate of blend i that is also reachable towards the next one. */
  private backwardRate(i: number, pace: number): number {
    const { exit, forward } = this;
    if (exit[i] === 0) return forward[i];
    return Math.min(forward[i], this.reachable(i + 1, this.speedBefore(i + 1), pace) / (2 * exit[i]));
  }

  private duration(): number {
    const { rate, times } = this;
    let duration = 0;
    for (let i = 0; i < times.length; i++) {
      duration += times[i];
      if (i < rate.length && rate[i] > 0) duration += 1 / rate[i];
    }
    return duration;
  }

  /** Returns the speed reached by accelerating from `speed` along the straight part of segment i. */
  private reachable(i: number, speed: number, pace: number): number {
    return Math.sqrt(speed * speed + 2 * pace * pace * this.acceleration[i] * this.straightFraction(i));
  }

  /**
   * Returns the maximum rate of blend i within the limits: T²·A ≥ 2·|exit·Δ[i + 1] − entry·Δ[i]| for each joint,
   * and both speed limits.
   */
  private maxBlendRate(i: number): number {
    const { displacements, entry, exit, speed, accelerationLimit } = this;
    const [before, after] = [displacements[i], displacements[i + 1]];
    let maxRatio = 0;
    for (let j = 0; j < before.length; j++) {
      const change = Math.abs(exit[i] * after[j] - entry[i] * before[j]);
      if (change > 0) maxRatio = Math.max(maxRatio, change / accelerationLimit[j]);
    }
    return Math.min(
      1 / MIN_BLEND_DURATION,
      1 / Math.sqrt(2 * maxRatio),
      speed[i] / (2 * entry[i]),
      speed[i + 1] / (2 * exit[i]),
    );
  }

  /** Returns the duration (seconds) of the straight part of segment i. */
  private straightTime(i: number, pace: number): number {
    const first = this.speedAfter(i - 1);
    const last = this.speedBefore(i);
    const a = pace * pace * this.acceleration[i];
    const straight = this.straightFraction(i);
    const peak = peakSpeed(straight, first, last, a, pace * this.speed[i]);
    if (!(peak > 0)) return 0;
    const ramps = (peak * peak - (first * first + last * last) / 2) / a;
    return (2 * peak - first - last) / a + Math.max(0, straight - ramps) / peak;
  }
}

/** Returns the maximum speed on a straight segment of the given length between its speeds at both ends. */
export function peakSpeed(length: number, first: number, last: number, acceleration: number, speed: number): number {
  return Math.min(speed, Math.sqrt((first * first + last * last) / 2 + acceleration * length));
}

/** Returns min limit / |displacement| over the moving joints: the limit as a fraction of the segment. */
function minRatio(limits: ArrayLike<number>, way: Float64Array): number {
  let min = Number.POSITIVE_INFINITY;
  for (let j = 0; j < way.length; j++) if (way[j] !== 0) min = Math.min(min, limits[j] / Math.abs(way[j]));
  return min;
}
