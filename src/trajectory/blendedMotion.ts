import { blendedKnots } from './blendedKnots.ts';
import { BlendedPath } from './blendedPath.ts';
import { setFreeBlends } from './collisionFreeBlends.ts';
import { cornersOf, withoutTinySteps } from './corners.ts';
import { cubeRoot } from './restToRest.ts';
import { type SmoothBlends, smoothBlends } from './smoothBlends.ts';
import { requirePath, timeParameterize } from './timeParameterization.ts';
import { durationOf, type MotionLimits, type Trajectory, type TrajectoryPoint } from './trajectory.ts';
import { examineMotion } from './trajectoryLimits.ts';

/** Share of each limit that is left unused: the cubics that others compute from the written decimals must still keep the limit. */
const HEADROOM = 1e-6;
/** Slower and slower, until the written cubics keep every limit: it takes one or two. */
const MOST_PACES = 10;
/** 1/s²: a segment that may be passed at such an acceleration, share of its way, has none that bounds it. */
const NO_LIMIT = 1e12;
/** After as many a parabola is some millionths of a radian long. */
const MOST_HALVINGS = 20;

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
 * The fastest motion found along the path with its corners cut, each cut proved free by `isFree`: where one is not it shrinks, and where none
 * is free the motion stops at the corner. All limits hold at every moment; straight parts are on the path itself. It is never slower than the
 * motion that stops at each corner, and is that motion where nothing bounds the acceleration.
 *
 * Corners are parabolas, turned at constant acceleration ([Kunz12 §4] has circles). Sizes and speeds of all corners are chosen together; along
 * the straight ways between them the motion is time-optimal, by a pass forward and one back [Bobrow85, Pham18 §4]. Where a joint that moves
 * has a jerk limit the motion is that of a lower acceleration, averaged over time [Biagiotti12].
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
  const stops = { trajectory: stopping, corners: count, blends: 0, shrunk: 0 };
  if (count === 0 || !isSlowedDown(corners, limits)) return stops;
  const isSmooth = hasJerkLimit(corners, limits);
  const found = (isSmooth ? smoothBlends : parabolicBlends)(corners, jointNames, limits, isFree);
  const { shrunk } = found;
  const blends = found.path.entry.filter((size) => size > 0).length;
  const trajectory = blends > 0 ? withinLimits(found, jointNames, limits) : undefined;
  const isFaster = trajectory && durationOf(trajectory)! < durationOf(stopping)!;
  // Averages of a slower motion are other curves than those that were proved.
  if (!isFaster || (isSmooth && !isFree(trajectory))) return { ...stops, shrunk };
  return { trajectory, corners: count, blends, shrunk };
}

/** Whether an acceleration limit bears on each segment: one that counts, not that of a joint whose way is rounding. */
function isSlowedDown(corners: readonly ArrayLike<number>[], limits: MotionLimits): boolean {
  return new BlendedPath(corners, limits).acceleration.every((rate) => rate < NO_LIMIT);
}

/** Whether some joint that moves has a jerk limit. */
function hasJerkLimit(corners: readonly ArrayLike<number>[], { jerk }: MotionLimits): boolean {
  return corners.some((q) => Array.from(q).some((x, j) => x !== corners[0][j] && jerk[j] < Number.POSITIVE_INFINITY));
}

/** Blends as parabolas: what is free depends on their sizes alone, whatever the speed. */
function parabolicBlends(
  corners: readonly ArrayLike<number>[],
  jointNames: readonly string[],
  limits: MotionLimits,
  isFree: FreeMotionTest,
): SmoothBlends {
  const path = new BlendedPath(corners, limits);
  const proved: string[] = [];
  const cornerTest = () => (i: number) => {
    const size = `${path.entry[i]} ${path.exit[i]}`;
    if (proved[i] === size) return true;
    if (!isFree(cornerMotion(path, i, jointNames))) return false;
    proved[i] = size;
    return true;
  };
  const shrunk = setFreeBlends(path, cornerTest, MOST_HALVINGS);
  return { path, shrunk, pointsAt: (pace) => blendedKnots(path, pace).points };
}

/** The motion at the greatest pace at which its very cubics keep all limits; undefined where rounding defeats it. */
function withinLimits(
  { pointsAt }: { pointsAt: (pace: number) => TrajectoryPoint[] },
  jointNames: readonly string[],
  limits: MotionLimits,
): Trajectory | undefined {
  let pace = 1 - HEADROOM;
  for (let i = 0; i < MOST_PACES; i++) {
    const trajectory = { jointNames, points: pointsAt(pace) };
    const { faults, ratios } = examineMotion(trajectory, limits);
    const worst = Math.max(ratios.velocity, Math.sqrt(ratios.acceleration), cubeRoot(ratios.jerk));
    if (worst <= 1 - HEADROOM / 4 && faults.length === 0) return trajectory;
    if (!(worst > 0 && worst < 2)) return undefined;
    pace *= Math.min(1 - HEADROOM, (1 - HEADROOM) / worst);
  }
  return undefined;
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
