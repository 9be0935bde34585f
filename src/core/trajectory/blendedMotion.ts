import { type Interrupt, never } from '../math/interrupt.ts';
import { blendedKnots } from './blendedKnots.ts';
import { BlendedPath } from './blendedPath.ts';
import { setCertifiedBlends } from './blendSizes.ts';
import { cubeRoot } from './restToRest.ts';
import { type SmoothBlends, smoothBlends } from './smoothBlends.ts';
import { cornersOf, removeTinySegments, requirePath, timeParameterize } from './timeParameterization.ts';
import { durationOf, type MotionLimits, type Trajectory, type TrajectoryPoint } from './trajectory.ts';
import { examineMotion } from './trajectoryLimits.ts';

/**
 * Fraction of each limit that is not used, so that cubics computed from the written decimals still satisfy the limit.
 */
const HEADROOM = 1e-6;
/** Maximum number of attempts with decreasing speed until the written cubics satisfy all limits; usually one or two. */
const MAX_ATTEMPTS = 10;
/** 1/s², as fraction of a segment: from this acceleration on, a segment counts as having no acceleration limit. */
const NO_LIMIT = 1e12;
/** Maximum number of halvings of a blend; a parabola then is about a millionth of a radian long. */
const MAX_HALVINGS = 20;

/** Returns true if a motion is certified (proved collision-free at every instant); false may also mean undecided. */
export type MotionTest = (motion: Trajectory) => boolean;

/** Result of `blendedMotion`. */
export interface BlendedMotion {
  /** The trajectory. */
  readonly trajectory: Trajectory;
  /** Number of corners of the path, without its ends. */
  readonly corners: number;
  /** Number of corners that are passed without a stop. */
  readonly blends: number;
  /** Number of times that a blend was reduced because it was not certified. */
  readonly shrunk: number;
}

/**
 * Computes the fastest motion found along the path with corner blending. Each blend is certified by `isFree`: it is
 * reduced while it is not, and the motion stops at a corner for which no blend is. All limits hold at every instant;
 * straight segments stay on the path. The result is never slower than the motion that stops at every corner, and equals
 * that motion if no acceleration limit applies.
 *
 * Blends are parabolas, executed at constant acceleration ([Kunz12 §4] uses circles). The sizes and speeds of all
 * blends are optimised together; along the straight segments the motion is time-optimal, computed by a forward and a
 * backward pass [Bobrow85, Pham18 §4]. If a moving joint has a jerk limit, the motion is computed for a lower
 * acceleration and averaged over time [Biagiotti12].
 * @param path at least one configuration (rad, m), start first
 * @param jointNames names of the joints, in the order of the configurations
 * @param limits positive for joints that move; Infinity: unlimited
 * @param isFree decides whether a motion is collision-free; true only if it is certified
 * @param interrupt ends the computation of blends; the motion then stops at every corner
 */
export function blendedMotion(
  path: readonly ArrayLike<number>[],
  jointNames: readonly string[],
  limits: MotionLimits,
  isFree: MotionTest,
  interrupt: Interrupt = never,
): BlendedMotion {
  requirePath(path, jointNames);
  const all = cornersOf(path);
  const corners = removeTinySegments(all, (from, to) => isFree(lineMotion(from, to, jointNames)));
  const count = Math.max(0, corners.length - 2);
  const stopping = timeParameterize(corners === all ? path : corners, jointNames, limits);
  const stops = { trajectory: stopping, corners: count, blends: 0, shrunk: 0 };
  if (count === 0) return stops;
  const sharp = new BlendedPath(corners, limits);
  if (!isAccelerationLimited(sharp)) return stops;
  const isJerkLimited = hasJerkLimit(corners, limits);
  const found = isJerkLimited
    ? smoothBlends(corners, jointNames, limits, isFree, interrupt)
    : parabolicBlends(sharp, jointNames, isFree, interrupt);
  const { shrunk } = found;
  const blends = found.path.entry.filter((size) => size > 0).length;
  const trajectory = blends > 0 ? withinLimits(found, jointNames, limits) : undefined;
  const isFaster = trajectory && durationOf(trajectory)! < durationOf(stopping)!;
  // The moving average of a slower motion is a different curve than the one that was certified.
  if (!isFaster || (isJerkLimited && !isFree(trajectory))) return { ...stops, shrunk };
  return { trajectory, corners: count, blends, shrunk };
}

/**
 * Returns true if an acceleration limit applies on every segment; one of a joint that moves only by a rounding error
 * does not count.
 */
function isAccelerationLimited({ acceleration }: BlendedPath): boolean {
  return acceleration.every((rate) => rate < NO_LIMIT);
}

/** Returns true if any moving joint has a jerk limit. */
function hasJerkLimit(corners: readonly ArrayLike<number>[], { jerk }: MotionLimits): boolean {
  return corners.some((q) => Array.from(q).some((x, j) => x !== corners[0][j] && jerk[j] < Number.POSITIVE_INFINITY));
}

/** Computes parabolic blends of a path without blends. Their collisions depend on their sizes, not on the speed. */
function parabolicBlends(
  path: BlendedPath,
  jointNames: readonly string[],
  isFree: MotionTest,
  interrupt: Interrupt,
): SmoothBlends {
  const { entry, exit } = path;
  // sizes of the last blend of each corner that was certified
  const certifiedEntry = new Float64Array(entry.length).fill(Number.NaN);
  const certifiedExit = new Float64Array(entry.length).fill(Number.NaN);
  const isCornerFree = (i: number) => {
    if (certifiedEntry[i] === entry[i] && certifiedExit[i] === exit[i]) return true;
    if (!isFree(cornerMotion(path, i, jointNames))) return false;
    certifiedEntry[i] = entry[i];
    certifiedExit[i] = exit[i];
    return true;
  };
  const cornerTest = () => isCornerFree;
  const shrunk = setCertifiedBlends(path, cornerTest, MAX_HALVINGS, interrupt);
  return { path, shrunk, pointsAt: (pace) => blendedKnots(path, pace).points };
}

/**
 * Returns the motion at the greatest pace at which its cubics satisfy all limits; undefined if rounding errors prevent
 * it.
 */
function withinLimits(
  { pointsAt }: { pointsAt: (pace: number) => TrajectoryPoint[] },
  jointNames: readonly string[],
  limits: MotionLimits,
): Trajectory | undefined {
  let pace = 1 - HEADROOM;
  for (let i = 0; i < MAX_ATTEMPTS; i++) {
    const trajectory = { jointNames, points: pointsAt(pace) };
    const { faults, ratios } = examineMotion(trajectory, limits);
    const worst = Math.max(ratios.velocity, Math.sqrt(ratios.acceleration), cubeRoot(ratios.jerk));
    if (worst <= 1 - HEADROOM / 4 && faults.length === 0) return trajectory;
    if (!(worst > 0 && worst < 2)) return undefined;
    pace *= Math.min(1 - HEADROOM, (1 - HEADROOM) / worst);
  }
  return undefined;
}

/** The straight line between two states, as a path. */
function lineMotion(from: ArrayLike<number>, to: ArrayLike<number>, jointNames: readonly string[]): Trajectory {
  return { jointNames, points: [{ positions: Array.from(from) }, { positions: Array.from(to) }] };
}

/** The parabola of one blend, as a motion of one second. */
function cornerMotion(
  { corners, displacements, entry, exit }: BlendedPath,
  i: number,
  jointNames: readonly string[],
): Trajectory {
  const at = (fraction: number, way: Float64Array, velocity: number, size: number) => ({
    positions: Array.from(corners[i + 1], (x, j) => x + fraction * way[j]),
    velocities: Array.from(way, (w) => velocity * size * w),
  });
  return {
    jointNames,
    points: [
      { time_from_start: 0, ...at(-entry[i], displacements[i], 2, entry[i]) },
      { time_from_start: 1, ...at(exit[i], displacements[i + 1], 2, exit[i]) },
    ],
  };
}
