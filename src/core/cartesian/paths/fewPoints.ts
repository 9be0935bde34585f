import { norm } from '../../math/vec3.ts';
import { cubicExtremes } from '../../trajectory/polynomial.ts';
import type { MotionLimits } from '../../trajectory/trajectory.ts';
import { cubicKnot, type LegKnot } from '../legKnot.ts';
import type { TimedKnot } from '../timeLeg.ts';
import { across, type ToolTracker } from '../toolTracker.ts';

/** Parts that the pieces of a joint path are divided into: their ends are the grid of its timing. */
export const PARTS = 4;
/** Number of points within a piece at which its deviation is computed. */
const SAMPLES = 3;

/** Factor by which the tool may be faster than at the points that a cubic replaces. */
const FASTER = 1.001;

/** Returns the knots with those that divide each piece between them into equal parts. */
export function divided(knots: readonly LegKnot[]): LegKnot[] {
  return knots.flatMap((to, k) => {
    if (k === 0) return [to];
    const from = knots[k - 1];
    const parts = Array.from({ length: PARTS - 1 }, (_, i) =>
      cubicKnot(from, to, from.s + ((i + 1) / PARTS) * (to.s - from.s)),
    );
    return [...parts, to];
  });
}

/**
 * Returns the indices of some of the points of a timed joint path, the first and last included, such that the cubics
 * between them keep the limits, and deviate from the points in between by at most the tolerance, across the path.
 * @param keepsSpeed true: the tool is not noticeably faster there, either
 */
export function fewPoints(
  tracker: ToolTracker,
  path: readonly LegKnot[],
  points: readonly TimedKnot['point'][],
  limits: MotionLimits,
  tolerance: { readonly position: number; readonly angle: number },
  keepsSpeed: boolean,
): number[] {
  const near = new Deviation(tracker, path, points, tolerance, keepsSpeed);
  const isGood = (i: number, j: number) => keepsLimits(points[i], points[j], limits) && near.isNear(i, j);
  const last = points.length - 1;
  const kept = [0];
  for (let i = 0, count = 2; i < last; ) {
    let good = 1;
    let bad = last - i + 1;
    // gallops from the last count, then bisects
    for (let n = Math.min(count, last - i); bad - good > 1; ) {
      if (isGood(i, i + n)) good = n;
      else bad = n;
      n = bad > last - i ? Math.min(2 * good, last - i) : (good + bad) >> 1;
      if (n === good) break;
    }
    i += good;
    count = Math.max(2, good);
    kept.push(i);
  }
  return kept;
}

function keepsLimits(a: TimedKnot['point'], b: TimedKnot['point'], limits: MotionLimits): boolean {
  const T = b.time_from_start - a.time_from_start;
  return a.positions.every((x, j) => {
    const { velocity, acceleration } = cubicExtremes(x, b.positions[j], a.velocities[j], b.velocities[j], T);
    return velocity <= limits.velocity[j] && acceleration <= limits.acceleration[j];
  });
}

/** Deviation of the tool on cubics in time from the points that they replace, to first order. */
class Deviation {
  private readonly offset: Float64Array;
  private readonly twist = new Float64Array(6);
  private readonly along = new Float64Array(6);

  constructor(
    private readonly tracker: ToolTracker,
    private readonly path: readonly LegKnot[],
    private readonly points: readonly TimedKnot['point'][],
    private readonly tolerance: { readonly position: number; readonly angle: number },
    private readonly keepsSpeed: boolean,
  ) {
    this.offset = new Float64Array(path[0].q.length);
  }

  isNear(i: number, j: number): boolean {
    const { path, points, tracker, offset, twist, along, tolerance } = this;
    const [a, b] = [points[i], points[j]].map(({ time_from_start: s, positions, velocities }) => ({
      s,
      q: Float64Array.from(positions),
      dq: Float64Array.from(velocities),
    }));
    const stride = Math.max(1, (j - i) / (SAMPLES + 1));
    for (let at = i + stride; at < j - 0.5; at += stride) {
      const k = Math.round(at);
      const { q, dq } = path[k];
      const reached = cubicKnot(a, b, points[k].time_from_start);
      for (let n = 0; n < q.length; n++) offset[n] = reached.q[n] - q[n];
      tracker.twist(twist, q, offset);
      tracker.twist(along, q, dq);
      if (!(across(twist, along, 0) <= tolerance.position && across(twist, along, 3) <= tolerance.angle)) return false;
      if (!this.keepsSpeed) continue;
      tracker.twist(twist, q, reached.dq);
      tracker.twist(along, q, points[k].velocities);
      if (!(speedOf(twist) <= FASTER * speedOf(along))) return false;
    }
    return true;
  }
}

const speedOf = (twist: Float64Array) => norm(twist.subarray(0, 3));
