import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import type { LinkFrame } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import type { PathStep } from '../../../../src/core/scene/program.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import {
  angleBetween,
  distance,
  inverse,
  linkPose,
  type Matrix,
  matrixOf,
  motionAt,
  multiply,
} from '../../../tasks/programs/programOracle.ts';
import { toolPose } from '../legOracle.ts';

// Independent of the sources: Hermite interpolation, Rodrigues' formula, the polyline of all way points on a fine grid
// with slerp, and the set of positions on it that the motion can have reached without going back.

/** Spacing of the grid as a share of the tolerance. */
const SPACING = 1 / 16;

type Quaternion = readonly number[];

/** Spherical linear interpolation on the shorter arc. */
function slerp(a: Quaternion, b: Quaternion, s: number): Quaternion {
  const cosine = a.reduce((sum, x, i) => sum + x * b[i], 0);
  const near = cosine < 0 ? b.map((x) => -x) : b;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  if (angle < 1e-7) return a.map((x, i) => x + s * (near[i] - x));
  return a.map((x, i) => (Math.sin((1 - s) * angle) * x + Math.sin(s * angle) * near[i]) / Math.sin(angle));
}

/** Angle between the z axes of two orientations. */
const axisAngle = (A: Matrix, B: Matrix) =>
  2 * Math.asin(Math.min(1, Math.hypot(A[2] - B[2], A[6] - B[6], A[10] - B[10]) / 2));

/** Returns poses along the way points of a step whose orientations are stated, and the indices of the way points. */
function gridOf({ points, tolerance }: PathStep): { readonly grid: Matrix[]; readonly ways: readonly number[] } {
  const poses = points.map(({ xyz, quat_wxyz }) => ({ xyz, quat: quat_wxyz! as Quaternion }));
  const grid = [matrixOf({ xyz: poses[0].xyz, quat_wxyz: poses[0].quat })];
  const ways = [0];
  for (const [k, to] of poses.slice(1).entries()) {
    const from = poses[k];
    const [A, B] = [from, to].map(({ xyz, quat }) => matrixOf({ xyz, quat_wxyz: quat }));
    const share = Math.max(distance(A, B) / tolerance.position, angleBetween(A, B) / tolerance.angle);
    const count = Math.max(1, Math.ceil(share / SPACING));
    for (let i = 1; i <= count; i++) {
      const xyz = from.xyz.map((x, j) => x + (i / count) * (to.xyz[j] - x));
      grid.push(matrixOf({ xyz, quat_wxyz: slerp(from.quat, to.quat, i / count) }));
    }
    ways.push(grid.length - 1);
  }
  return { grid, ways };
}

/** Returns for each pose of a grid the way points in whose sphere the path is from there to the way point. */
function spheresOf(grid: readonly Matrix[], ways: readonly number[], blend: number): Matrix[][] {
  const spheres = grid.map((): Matrix[] => []);
  if (!(blend > 0)) return spheres;
  for (const way of ways.slice(1, -1))
    for (const step of [-1, 1])
      for (let k = way; grid[k] && distance(grid[k], grid[way]) <= blend; k += step) spheres[k].push(grid[way]);
  return spheres;
}

/**
 * Returns the first time of about `samples` at which no position on a tool path is within `factor` times its tolerances
 * that the motion can have reached in order, or in the sphere of a corner, from the first way point; its last time if
 * it does not end at the last one; undefined if it follows the path. Way points state their orientations.
 */
export function leavesPath(
  model: RobotModel,
  tcp: LinkFrame,
  step: PathStep,
  motion: Trajectory,
  samples: number,
  factor = 1,
): number | undefined {
  const { grid, ways } = gridOf(step);
  const spheres = spheresOf(grid, ways, step.blend);
  const [position, angle] = [step.tolerance.position, step.tolerance.angle].map((x) => (factor + SPACING / 2) * x);
  const [first, last] = [motion.points[0], motion.points.at(-1)!].map(({ time_from_start }) => time_from_start!);
  const poseAt = (t: number) => {
    const q = motionAt(motion, t);
    const T = toolPose(model, tcp, q);
    return step.frame === 'world' ? T : multiply(inverse(linkPose(model, step.frame, q)), T);
  };
  const turnOf = (A: Matrix, B: Matrix) => (step.isYawFree ? axisAngle(A, B) : angleBetween(A, B));
  const isNear = (k: number, T: Matrix, moved: number, turned: number) =>
    (distance(grid[k], T) <= position + moved + 1e-9 ||
      spheres[k].some((corner) => distance(corner, T) <= step.blend + moved + 1e-9)) &&
    turnOf(grid[k], T) <= angle + turned + (step.isYawFree ? step.tilt : 0) + 1e-8;
  let before = poseAt(first);
  if (!isNear(0, before, 0, 0)) return first;
  let reached = [0];
  for (const t of sampleTimes(motion, samples)) {
    const T = poseAt(t);
    // between two samples, the motion can pass what is near one of both
    const [moved, turned] = [0.6 * distance(before, T), 0.6 * turnOf(before, T)];
    const next: number[] = [];
    const was = new Set(reached);
    let isPassing = false;
    for (let k = reached[0]; k < grid.length && (isPassing || k <= reached.at(-1)!); k++) {
      isPassing ||= was.has(k);
      isPassing &&= isNear(k, T, moved, turned) || isNear(k, before, moved, turned);
      if (isPassing && isNear(k, T, 0, 0)) next.push(k);
    }
    if (next.length === 0) return t;
    reached = next;
    before = T;
  }
  return reached.at(-1) === grid.length - 1 ? undefined : last;
}

/** Returns about `count` times after the first point of a motion, as many on each piece. */
function sampleTimes({ points }: Trajectory, count: number): number[] {
  const each = Math.ceil(count / points.length);
  return points.slice(1).flatMap(({ time_from_start: to }, k) => {
    const from = points[k].time_from_start!;
    return Array.from({ length: each }, (_, i) => from + ((i + 1) / each) * (to! - from));
  });
}

/** Share by which sampled rates may exceed a limit: rounding, and differences in place of derivatives. */
const EXCESS = 1e-3;
/** Rounding of a third difference of positions, rad or m. */
const ROUNDING = 2e-14;

/** Returns the joint whose third difference around a time exceeds its limit of jerk; undefined if none does. */
function sharpest({ variables }: RobotModel, motion: Trajectory, t: number, h: number): string | undefined {
  const [first, last] = [motion.points[0], motion.points.at(-1)!].map(({ time_from_start }) => time_from_start!);
  const middle = Math.min(last - 1.5 * h, Math.max(first + 1.5 * h, t));
  const [a, b, c, d] = [-1.5, -0.5, 0.5, 1.5].map((k) => motionAt(motion, middle + k * h));
  const jerkOf = (j: number) => Math.abs(d[j] - a[j] + 3 * (b[j] - c[j])) / h ** 3;
  return variables.find(({ limits }, j) => !(jerkOf(j) <= (1 + EXCESS) * limits.jerk + ROUNDING / h ** 3))?.name;
}

/** Returns which limit of a joint, or of the speed in the frame of the path, a motion exceeds at a sample, and when. */
export function brokenLimit(
  { model, tcp }: { readonly model: RobotModel; readonly tcp: LinkFrame },
  { frame, pathSpeed = Number.POSITIVE_INFINITY }: PathStep,
  motion: Trajectory,
  samples: number,
): string | undefined {
  const [first, last] = [motion.points[0], motion.points.at(-1)!].map(({ time_from_start }) => time_from_start!);
  const h = Math.min(1e-4, (last - first) / samples);
  const pointAt = (q: ArrayLike<number>) => {
    const T = toolPose(model, tcp, q);
    return frame === 'world' ? T : multiply(inverse(linkPose(model, frame, q)), T);
  };
  for (let i = 0; i < samples; i++) {
    const t = first + h + (i / (samples - 1)) * (last - first - 2 * h);
    const [a, q, b] = [t - h, t, t + h].map((time) => motionAt(motion, time));
    for (const [j, { name, limits }] of model.variables.entries()) {
      const [velocity, acceleration] = [(b[j] - a[j]) / (2 * h), (b[j] - 2 * q[j] + a[j]) / (h * h)];
      if (!(q[j] >= limits.lower - 1e-9 && q[j] <= limits.upper + 1e-9)) return `${name} beyond its range at ${t} s`;
      if (!(Math.abs(velocity) <= (1 + EXCESS) * limits.velocity)) return `velocity of ${name} at ${t} s`;
      if (!(Math.abs(acceleration) <= (1 + EXCESS) * limits.acceleration + 1e-5))
        return `acceleration of ${name} at ${t} s`;
    }
    const jerk = sharpest(model, motion, t, 2 * h);
    if (jerk !== undefined) return `jerk of ${jerk} at ${t} s`;
    const speed = distance(pointAt(a), pointAt(b)) / (2 * h);
    if (!(speed <= (1 + EXCESS) * pathSpeed)) return `speed ${speed} m/s at ${t} s`;
  }
  return undefined;
}
