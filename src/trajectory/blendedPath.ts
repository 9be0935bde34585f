import type { MotionLimits } from './trajectory.ts';

/** Seconds that a corner takes at least: what nanosecond knots round away stays small in its acceleration. */
export const SHORTEST_BLEND = 2e-3;

/**
 * A polyline whose corners are cut by parabolas, and the fastest motion along it that turns each corner at constant acceleration and keeps
 * all joints in step. Corner i leaves segment i its share `entry[i]` before the corner and joins segment i + 1 at its share `exit[i]`:
 *
 *               corner i
 *                  ·            in T = 1/rate seconds from the velocity 2·entry·rate·way[i] to 2·exit·rate·way[i + 1]: those are the
 *         entry  /   \  exit    tangents of the parabola with the corner as its middle control point
 *            ___/     \___
 *
 * A corner with entry = exit = 0 is a stop. Rates of the share of segment i: at most speed[i], changing by at most acceleration[i].
 */
export class BlendedPath {
  readonly segments: number;
  readonly ways: readonly Float64Array[];
  readonly speed: Float64Array;
  readonly acceleration: Float64Array;
  readonly entry: Float64Array;
  readonly exit: Float64Array;
  readonly rate: Float64Array;
  private readonly accelerationLimit: Float64Array;

  /** @param corners of a polyline that turns at each inner one; joints that move have positive limits */
  constructor(
    readonly corners: readonly ArrayLike<number>[],
    limits: MotionLimits,
  ) {
    this.segments = corners.length - 1;
    this.ways = corners.slice(1).map((to, i) => Float64Array.from(to, (x, j) => x - corners[i][j]));
    this.speed = Float64Array.from(this.ways, (way) => leastRatio(limits.velocity, way));
    this.acceleration = Float64Array.from(this.ways, (way) => leastRatio(limits.acceleration, way));
    this.entry = new Float64Array(this.segments - 1);
    this.exit = new Float64Array(this.segments - 1);
    this.rate = new Float64Array(this.segments - 1);
    this.accelerationLimit = Float64Array.from(limits.acceleration);
  }

  /**
   * Sets the greatest rates at which each corner can be reached from the one before and the next one from it, by one pass forward and one
   * back; returns the seconds of the whole motion.
   * @param pace all velocities are kept below this share of their limits, accelerations below its square
   */
  setRates(pace = 1): number {
    const { entry, exit, rate, segments } = this;
    for (let i = 0; i < segments - 1; i++) {
      rate[i] = 0;
      if (entry[i] === 0) continue;
      const reached = this.reachable(i, this.speedAfter(i - 1), pace) / (2 * entry[i]);
      rate[i] = Math.min(pace * this.turningRate(i), reached);
    }
    for (let i = segments - 2; i >= 0; i--) {
      if (exit[i] === 0) continue;
      rate[i] = Math.min(rate[i], this.reachable(i + 1, this.speedBefore(i + 1), pace) / (2 * exit[i]));
    }
    let duration = 0;
    for (let i = 0; i < segments; i++) {
      duration += this.straightTime(i, pace);
      if (i < segments - 1 && rate[i] > 0) duration += 1 / rate[i];
    }
    return duration;
  }

  /** Rate of the share of segment i + 1 where corner i lets go of it; 0 at the start, where i is −1. */
  speedAfter(i: number): number {
    return i < 0 ? 0 : 2 * this.exit[i] * this.rate[i];
  }

  /** Rate of the share of segment i where corner i begins; 0 at the end of the path. */
  speedBefore(i: number): number {
    return i >= this.rate.length ? 0 : 2 * this.entry[i] * this.rate[i];
  }

  /** The share of segment i that is straight. */
  straightShare(i: number): number {
    const taken = (i > 0 ? this.exit[i - 1] : 0) + (i < this.entry.length ? this.entry[i] : 0);
    return Math.max(0, 1 - taken);
  }

  /** Seconds that the acceleration limits ask for to turn corner i from one speed to another, rates of the shares of its segments. */
  turningTime(i: number, before: number, after: number): number {
    const [from, to] = [this.ways[i], this.ways[i + 1]];
    let longest = SHORTEST_BLEND;
    for (let j = 0; j < from.length; j++) {
      const change = Math.abs(after * to[j] - before * from[j]);
      if (change > 0) longest = Math.max(longest, change / this.accelerationLimit[j]);
    }
    return longest;
  }

  /** What speeding up all along the straight part of segment i makes of a speed. */
  private reachable(i: number, speed: number, pace: number): number {
    return Math.sqrt(speed * speed + 2 * pace * pace * this.acceleration[i] * this.straightShare(i));
  }

  /** The rate at which the limits let corner i be turned: T²·A ≥ 2·|exit·way[i + 1] − entry·way[i]| for each joint, and both speeds. */
  private turningRate(i: number): number {
    const { ways, entry, exit, speed, accelerationLimit } = this;
    const [before, after] = [ways[i], ways[i + 1]];
    let greatest = 0;
    for (let j = 0; j < before.length; j++) {
      const turn = Math.abs(exit[i] * after[j] - entry[i] * before[j]);
      if (turn > 0) greatest = Math.max(greatest, turn / accelerationLimit[j]);
    }
    return Math.min(
      1 / SHORTEST_BLEND,
      1 / Math.sqrt(2 * greatest),
      speed[i] / (2 * entry[i]),
      speed[i + 1] / (2 * exit[i]),
    );
  }

  private straightTime(i: number, pace: number): number {
    const [first, last] = [this.speedAfter(i - 1), this.speedBefore(i)];
    const a = pace * pace * this.acceleration[i];
    const peak = peakSpeed(this.straightShare(i), first, last, a, pace * this.speed[i]);
    if (!(peak > 0)) return 0;
    const ramps = (peak * peak - (first * first + last * last) / 2) / a;
    return (2 * peak - first - last) / a + Math.max(0, this.straightShare(i) - ramps) / peak;
  }
}

/** The greatest speed on a straight way that begins and ends with the speeds given. */
export function peakSpeed(way: number, first: number, last: number, acceleration: number, speed: number): number {
  return Math.min(speed, Math.sqrt((first * first + last * last) / 2 + acceleration * way));
}

/** What the joint that is worst off allows the share of a way. */
function leastRatio(limits: ArrayLike<number>, way: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < way.length; j++) if (way[j] !== 0) least = Math.min(least, limits[j] / Math.abs(way[j]));
  return least;
}
