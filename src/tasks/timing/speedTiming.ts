import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { arcsOf } from '../../core/trajectory/retiming/arc.ts';
import { retime } from '../../core/trajectory/retiming/retime.ts';
import { type MotionLimits, segmentKinds, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { SpeedExcess } from '../repair/speedExcess.ts';
import type { RateLimit } from './speedLimits.ts';

/** Fraction of the limit that is left unused, so that the final check proves the motion with few intervals. */
const HEADROOM = 1e-4;
/** Factor by which a segment is slowed down beyond the measured excess, so that few rounds are needed. */
const OVERSHOOT = 0.998;
/** Greatest distance of the retimed motion to the curve, rad or m; it is proved collision-free afterwards. */
const TOLERANCE = 1e-5;
/** Maximum number of rounds in which segments next to blends that are too fast are slowed down. */
const MAX_ROUNDS = 20;

/** A straight line of the path. */
interface Segment {
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** Rate at which one frame reaches its limit, fractions of the line per second. */
  readonly rate: number;
  /** Fraction of the rate that is used. */
  share: number;
}

/**
 * Time parameterization within limits of the speed of frames, of momentum and power. A motion within the limits of the
 * joints alone that keeps the others is returned as it is; otherwise it is slowed down where it exceeds them. If that
 * fails, or joints have jerk limits, each straight line of the path has a rate at which all limits are proved. A blend
 * combines the velocities of the two lines that it connects, in states off both lines; if it exceeds a limit, both
 * lines are slowed down and the motion is timed again.
 */
export class SpeedTiming {
  private readonly speeds: SpeedExcess;
  private readonly segments = new Map<string, Segment>();

  constructor(
    private readonly limits: readonly RateLimit[],
    private readonly interrupt: Interrupt = never,
  ) {
    this.speeds = new SpeedExcess(limits);
  }

  /** Returns a motion within the limits; undefined if no round satisfies all limits, or if it is interrupted. */
  time<M extends { readonly trajectory: Trajectory }>(limits: MotionLimits, parameterize: (limits: MotionLimits) => M) {
    const quick = parameterize(limits);
    if (this.speeds.excess(quick.trajectory).length === 0) return quick;
    const isSmooth = Array.from(limits.jerk).some((jerk) => jerk < Number.POSITIVE_INFINITY);
    const retimed = isSmooth ? undefined : this.retimed(quick.trajectory, limits);
    if (retimed) return { ...quick, trajectory: retimed };
    return this.interrupt() ? undefined : this.withLineRates(limits, parameterize);
  }

  /** Slows down whole lines. */
  private withLineRates<M extends { readonly trajectory: Trajectory }>(
    limits: MotionLimits,
    parameterize: (limits: MotionLimits) => M,
  ): M | undefined {
    const lineRate = (from: ArrayLike<number>, to: ArrayLike<number>) => this.rateOf(from, to);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const motion = parameterize({ ...limits, lineRate });
      if (!this.slowDown(motion.trajectory)) return motion;
      if (this.interrupt()) return undefined;
    }
    return undefined;
  }

  /** Slows down a motion where a frame is too fast; undefined if that fails, or without limits of acceleration. */
  private retimed(motion: Trajectory, limits: MotionLimits): Trajectory | undefined {
    if (!segmentKinds(motion).every((kind) => kind === 'cubic')) return undefined;
    const { interrupt, speeds } = this;
    const rules = { limits, jointNames: motion.jointNames, start: 0, tolerance: TOLERANCE, interrupt, speeds };
    const slower = retime(arcsOf(motion), rules);
    return slower && { ...motion, points: slower.points };
  }

  /** Slows down the lines next to each piece of the motion that exceeds a limit; returns false if there is none. */
  private slowDown(trajectory: Trajectory): boolean {
    const curve = new TrajectoryCurve(trajectory);
    const shares = new Map<Segment, number>();
    const q = new Float64Array(curve.dof);
    for (let k = 0; k < curve.pieces; k++)
      for (const { rate, limit } of this.limits) {
        const fast = rate.excess(curve, limit, curve.times[k], curve.times[k + 1]);
        if (fast === undefined) continue;
        curve.position(q, fast.time);
        const share = OVERSHOOT * (limit / fast.value);
        for (const segment of this.nearest(q)) shares.set(segment, Math.min(shares.get(segment) ?? 1, share));
      }
    for (const [segment, share] of shares) segment.share *= share;
    return shares.size > 0;
  }

  /** Returns the two lines nearest to a state, which are those beside its blend. */
  private nearest(q: Float64Array): Segment[] {
    return [...this.segments.values()]
      .map((segment) => ({ segment, distance: squaredDistance(q, segment) }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 2)
      .map(({ segment }) => segment);
  }

  private rateOf(from: ArrayLike<number>, to: ArrayLike<number>): number {
    const ends = [Array.from(from), Array.from(to)] as const;
    const key = JSON.stringify(ends);
    let segment = this.segments.get(key);
    if (segment === undefined) {
      segment = { from: ends[0], to: ends[1], rate: this.fullRateOf(...ends), share: 1 - HEADROOM };
      this.segments.set(key, segment);
    }
    return segment.share * segment.rate;
  }

  /** Returns the rate at which the first limit is reached on a line; Infinity if no frame moves. */
  private fullRateOf(from: readonly number[], to: readonly number[]): number {
    const points = [
      { time_from_start: 0, positions: from },
      { time_from_start: 1, positions: to },
    ];
    const jointNames = from.map((_, j) => String(j));
    const curve = new TrajectoryCurve({ jointNames, points }); // takes one second
    const rates = this.limits.map(({ rate, limit }) => {
      const bound = rate.bound(curve);
      return bound > 0 ? limit / bound : Number.POSITIVE_INFINITY;
    });
    return Math.min(...rates);
  }
}

function squaredDistance(q: Float64Array, { from, to }: Segment): number {
  let [along, length] = [0, 0];
  for (let j = 0; j < q.length; j++) {
    along += (q[j] - from[j]) * (to[j] - from[j]);
    length += (to[j] - from[j]) ** 2;
  }
  const s = length > 0 ? Math.min(1, Math.max(0, along / length)) : 0;
  return q.reduce((sum, x, j) => sum + (x - from[j] - s * (to[j] - from[j])) ** 2, 0);
}
