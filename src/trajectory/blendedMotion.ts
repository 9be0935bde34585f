import { blendedKnots } from './blendedKnots.ts';
import { BlendedPath, SHORTEST_BLEND } from './blendedPath.ts';
import { type BlendCaps, improveBlends, setLargestBlends } from './blendSizes.ts';
import { cornersOf, withoutTinySteps } from './corners.ts';
import { requirePath, timeParameterize } from './timeParameterization.ts';
import { durationOf, type MotionLimits, type Trajectory } from './trajectory.ts';
import { examineMotion } from './trajectoryLimits.ts';

/** Share of each limit that is left unused: the cubics that others compute from the written decimals must still keep the limit. */
const HEADROOM = 1e-6;
/** Slower and slower, until the written cubics keep every limit: it takes one or two. */
const MOST_PACES = 10;
/** Every blend that is not free is halved; none is looked at more often. */
const MOST_HALVINGS = 24;

/** Whether a motion is free, over its whole course: 'no' may also mean 'not shown'. */
export type FreeMotionTest = (motion: Trajectory) => boolean;

export interface BlendedMotion {
  readonly trajectory: Trajectory;
  /** Corners of the path, its ends aside. */
  readonly corners: number;
  /** Those that are passed without a stop. */
  readonly blends: number;
  /** Times that a blend was made smaller because it was not free. */
  readonly shrunk: number;
}

/**
 * The fastest motion found along the path with its corners cut by parabolas, each proved free by `isFree`: where one is not it shrinks, and
 * where none is free the motion stops at the corner. All limits hold at every moment. Straight parts are on the path itself. It is never slower
 * than the motion that stops at each corner, and is that motion where a joint that moves has a jerk limit or no acceleration limit.
 * @param path,jointNames,limits as in `timeParameterize`
 */
export function blendedMotion(
  path: readonly ArrayLike<number>[],
  jointNames: readonly string[],
  limits: MotionLimits,
  isFree: FreeMotionTest,
): BlendedMotion {
  requirePath(path, jointNames);
  const all = cornersOf(path);
  const corners = withoutTinySteps(all, (from, to) => isFree(lineMotion(from, to, jointNames)));
  const count = Math.max(0, corners.length - 2);
  const stopping = timeParameterize(corners === all ? path : corners, jointNames, limits);
  const none = { trajectory: stopping, corners: count, blends: 0, shrunk: 0 };
  if (count === 0 || !isBlendable(corners, limits)) return none;
  const blended = new BlendedPath(corners, limits);
  const shrunk = setFreeBlends(blended, jointNames, isFree);
  const blends = blended.rate.filter((rate) => rate > 0).length;
  const trajectory = blends > 0 ? withinLimits(blended, jointNames, limits) : undefined;
  if (!trajectory || !(durationOf(trajectory)! < durationOf(stopping)!)) return { ...none, shrunk };
  return { trajectory, corners: count, blends, shrunk };
}

/** Every segment is slowed down by an acceleration limit, and by no jerk limit. */
function isBlendable(corners: readonly ArrayLike<number>[], limits: MotionLimits): boolean {
  return corners.slice(1).every((to, i) => {
    const moving = Array.from(to, (_, j) => j).filter((j) => to[j] !== corners[i][j]);
    return (
      moving.some((j) => limits.acceleration[j] < Number.POSITIVE_INFINITY) &&
      moving.every((j) => limits.jerk[j] === Number.POSITIVE_INFINITY)
    );
  });
}

/** Sizes that are good, then those of them that are free; returns how often one had to shrink. */
function setFreeBlends(path: BlendedPath, jointNames: readonly string[], isFree: FreeMotionTest): number {
  const count = path.rate.length;
  const caps: BlendCaps = { entry: new Float64Array(count).fill(1), exit: new Float64Array(count).fill(1) };
  const halvings = new Uint8Array(count);
  const proved = Array.from({ length: count }, () => '');
  let shrunk = 0;
  setLargestBlends(path, caps);
  for (;;) {
    improveBlends(path, caps);
    let all = true;
    for (let i = 0; i < count; i++) {
      const size = `${path.entry[i]} ${path.exit[i]}`;
      if (path.entry[i] === 0 || proved[i] === size) continue;
      if (isFree(cornerMotion(path, i, jointNames))) {
        proved[i] = size;
        continue;
      }
      all = false;
      shrunk++;
      const kept = ++halvings[i] > MOST_HALVINGS || path.rate[i] * SHORTEST_BLEND >= 1 ? 0 : 0.5;
      caps.entry[i] = kept * path.entry[i];
      caps.exit[i] = kept * path.exit[i];
      path.entry[i] = caps.entry[i];
      path.exit[i] = caps.exit[i];
    }
    if (all) return shrunk;
  }
}

function lineMotion(from: ArrayLike<number>, to: ArrayLike<number>, jointNames: readonly string[]): Trajectory {
  return { jointNames, points: [{ positions: Array.from(from) }, { positions: Array.from(to) }] };
}

/** The parabola of one corner, as a motion that takes a second. */
function cornerMotion(
  { corners, ways, entry, exit }: BlendedPath,
  i: number,
  jointNames: readonly string[],
): Trajectory {
  const at = (share: number, way: Float64Array, velocity: number, size: number) => ({
    positions: Array.from(corners[i + 1], (x, j) => x + share * way[j]),
    velocities: Array.from(way, (w) => velocity * size * w),
  });
  return {
    jointNames,
    points: [
      { time_from_start: 0, ...at(-entry[i], ways[i], 2, entry[i]) },
      { time_from_start: 1, ...at(exit[i], ways[i + 1], 2, exit[i]) },
    ],
  };
}

/** The motion at the greatest pace at which its very cubics keep all limits; undefined where rounding defeats it. */
function withinLimits(path: BlendedPath, jointNames: readonly string[], limits: MotionLimits): Trajectory | undefined {
  let pace = 1 - HEADROOM;
  for (let i = 0; i < MOST_PACES; i++) {
    const trajectory = { jointNames, points: blendedKnots(path, pace) };
    const { faults, ratios } = examineMotion(trajectory, limits);
    const worst = Math.max(ratios.velocity, Math.sqrt(ratios.acceleration));
    if (worst <= 1 - HEADROOM / 4 && faults.length === 0) return trajectory;
    if (!(worst > 0 && worst < 2)) return undefined;
    pace *= Math.min(1 - HEADROOM, (1 - HEADROOM) / worst);
  }
  return undefined;
}
