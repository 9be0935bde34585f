import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { toolPose } from '../../core/cartesian/legOracle.ts';
import { motionAt } from './programOracle.ts';

// Independent of the sources: kinematics by Rodrigues' formula, dense samples, distances from straight lines and balls.

type Point = readonly number[];

/** Lines of a program whose corners are stated in the world, at one orientation, after a free motion. */
export interface LineProgram {
  readonly model: RobotModel;
  readonly frame: { readonly link: number; readonly T_link_frame: ArrayLike<number> };
  /** Rows of the rotation of the tool. */
  readonly rotation: readonly number[];
  /** Where the first free motion ends. */
  readonly start: Point;
  readonly startBlend: number;
  readonly steps: readonly LineStepOfProgram[];
  readonly limits: { readonly velocity: readonly number[]; readonly acceleration: readonly number[] };
}

export interface LineStepOfProgram {
  readonly corners: readonly Point[];
  readonly blend: number;
  /** True if another motion follows. */
  readonly isFollowed: boolean;
  readonly speed: number;
  readonly tcpSpeed: number;
}

const TOLERANCE = 1e-4 + 1e-8;
const ANGLE_TOLERANCE = (0.1 * Math.PI) / 180 + 1e-7;
const RATE = 1500;

const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const between = (a: Point, b: Point, s: number) => a.map((x, i) => x + s * (b[i] - x));

/** Returns what a motion does wrong, from dense samples; undefined if nothing is found. */
export function blendFault(program: LineProgram, motion: Trajectory): string | undefined {
  const segments = motion.segments ?? [];
  let ideal = program.start;
  let ball = program.startBlend;
  for (const [k, step] of program.steps.entries()) {
    const { from, to } = segments[k + 1];
    const before = restingAt(motion, from) ? 0 : ball;
    const after = step.isFollowed && !restingAt(motion, to) ? step.blend : 0;
    if (!(before > 0) && distance(positionOf(program, motion, from), ideal) > TOLERANCE) return `step ${k}: start`;
    const fault = stepFault(program, motion, step, { from, to, ideal, before, after });
    if (fault !== undefined) return `step ${k}: ${fault}`;
    ideal = step.corners[step.corners.length - 1];
    ball = step.blend;
  }
  const end = segments[program.steps.length].to;
  return program.steps.at(-1)!.isFollowed || restingAt(motion, end) ? undefined : 'not at rest at the end';
}

/** True if no joint moves: the robot stops there. */
export const restingAt = (motion: Trajectory, t: number) =>
  motionAt(motion, t, 1).every((rate) => Math.abs(rate) <= 1e-6);

/** Returns where a motion exceeds a limit of the jerk of all joints, or its acceleration jumps. */
export function jerkFault({ points }: Trajectory, limit: number): string | undefined {
  const rates = (k: number, j: number) => {
    const [from, to] = [points[k], points[k + 1]];
    const T = to.time_from_start! - from.time_from_start!;
    const [v, w] = [from.velocities![j], to.velocities![j]];
    const excess = (to.positions[j] - from.positions[j]) / T - (v + w) / 2;
    const mean = (w - v) / T;
    return { first: mean + (6 * excess) / T, last: mean - (6 * excess) / T, jerk: (-12 * excess) / (T * T) };
  };
  for (let j = 0; j < points[0].positions.length; j++) {
    let before = 0;
    for (let k = 0; k + 1 < points.length; k++) {
      const { first, last, jerk } = rates(k, j);
      const time = points[k].time_from_start;
      if (Math.abs(first - before) > 1e-4) return `joint ${j}: acceleration jumps by ${first - before} at ${time}`;
      if (Math.abs(jerk) > limit * (1 + 1e-5)) return `joint ${j}: jerk ${jerk} at ${time}`;
      before = last;
    }
    if (Math.abs(before) > 1e-4) return `joint ${j}: acceleration ${before} at the end`;
  }
  return undefined;
}

const poseOf = ({ model, frame }: LineProgram, motion: Trajectory, t: number) =>
  toolPose(model, frame, motionAt(motion, t));

function positionOf(program: LineProgram, motion: Trajectory, t: number): Point {
  const T = poseOf(program, motion, t);
  return [T[3], T[7], T[11]];
}

interface StepPlace {
  readonly from: number;
  readonly to: number;
  readonly ideal: Point;
  readonly before: number;
  readonly after: number;
}

function stepFault(
  program: LineProgram,
  motion: Trajectory,
  step: LineStepOfProgram,
  { from, to, ideal, before, after }: StepPlace,
): string | undefined {
  const corners = [ideal, ...step.corners];
  const radii = corners.map((_, i) => (i === 0 ? before : i < corners.length - 1 ? step.blend : after));
  const isFree = (p: Point, slack: number) =>
    corners.some((c, i) => radii[i] > 0 && distance(p, c) <= radii[i] + slack);
  const count = Math.ceil((to - from) * RATE);
  let at = 0; // leg and share of it
  let last = positionOf(program, motion, from);
  for (let i = 0; i <= count; i++) {
    const t = from + (i / count) * (to - from);
    const T = poseOf(program, motion, t);
    const p = [T[3], T[7], T[11]];
    const speed = i === 0 ? 0 : (distance(p, last) * count) / (to - from);
    last = p;
    if (speed > step.tcpSpeed * 1.0001) return `TCP speed ${speed} at ${t}`;
    for (const [order, limits] of [
      [1, program.limits.velocity.map((limit) => limit * step.speed)],
      [2, program.limits.acceleration],
    ] as const)
      for (const [j, rate] of motionAt(motion, t, order).entries())
        if (i > 0 && i < count && Math.abs(rate) > limits[j] * (1 + 1e-5)) return `joint ${j} at ${t}: ${rate}`;
    if (isFree(p, 1e-8)) continue;
    const share = shareOf(corners, p, at);
    if (share === undefined) return `off its path at ${t}`;
    const sampled = 2 * TOLERANCE + (2 * speed * (to - from)) / count; // between two samples, and of the lowest share
    for (let skipped = at; skipped < share; skipped += 0.002) {
      const leg = Math.min(corners.length - 2, Math.floor(skipped));
      const ideal = between(corners[leg], corners[leg + 1], skipped - leg);
      if (!isFree(ideal, sampled) && distance(ideal, p) > sampled + 8 * TOLERANCE) return `leaves its path out at ${t}`;
    }
    at = share;
    const turn = program.rotation.reduce((sum, x, k) => sum + (x - T[4 * Math.floor(k / 3) + (k % 3)]) ** 2, 0);
    if (2 * Math.asin(Math.min(1, Math.sqrt(turn / 8))) > ANGLE_TOLERANCE) return `turned at ${t}`;
  }
  const end = corners[corners.length - 1];
  const off = distance(positionOf(program, motion, to), end);
  return off <= Math.max(after, TOLERANCE) + 1e-8 ? undefined : `ends ${off} m away`;
}

/** Returns the lowest share of the way, not before `at`, at which a point is on it. */
function shareOf(corners: readonly Point[], p: Point, at: number): number | undefined {
  for (let leg = Math.floor(at); leg + 1 < corners.length; leg++) {
    const [a, b] = [corners[leg], corners[leg + 1]];
    const length = distance(a, b);
    const along = p.reduce((sum, x, i) => sum + ((x - a[i]) * (b[i] - a[i])) / length, 0);
    const s = Math.min(1, Math.max(0, along / length));
    if (distance(p, between(a, b, s)) > TOLERANCE) continue;
    const room = TOLERANCE / length;
    if (leg + Math.min(1, s + room) < at) continue;
    return Math.max(at, leg + Math.max(0, s - room));
  }
  return undefined;
}
