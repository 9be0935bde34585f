import { type CartesianLeg, lineLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import { FrameSpeed } from '../../../src/core/cartesian/frameSpeed.ts';
import { LegProver } from '../../../src/core/cartesian/legProver.ts';
import type { LegTools } from '../../../src/core/cartesian/legTools.ts';
import { describeFollowFault, jointPathOf, timedLeg } from '../../../src/core/cartesian/planLeg.ts';
import { sampledSelfMotions } from '../../../src/core/cartesian/selfMotion.ts';
import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { withFullTurns } from '../../../src/core/kinematics/fullTurns.ts';
import { InverseKinematics } from '../../../src/core/kinematics/inverseKinematics.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { type LinkFrame, linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { examineMotion } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';
import { BruteForce } from './bruteForce.ts';
import { ChainOracle } from './chainOracle.ts';
import { fastestDuration } from './fastestDuration.ts';
import { toolPose } from './legOracle.ts';
import { LineSearch } from './lineSearch.ts';

const TOLERANCE = { position: 1e-4, angle: 0.1 * (Math.PI / 180) };
const SAMPLES = 1000;

/** Counts of random lines by result, and the lines that are wrong or missed. */
export interface LineTally {
  readonly robot: string;
  lines: number;
  proved: number;
  /** By reason. */
  readonly refused: Record<string, number>;
  /** Refused lines that a brute-force search carries out. */
  readonly missed: string[];
  /** Proved lines that an independent program finds off the line, or beyond a limit. */
  readonly wrong: string[];
  /** Durations of the proved lines divided by the least ones of the same joint paths, in order. */
  readonly ratios: number[];
}

/**
 * Plans random lines of a robot from all inverse-kinematics solutions of their start, and judges the results.
 * @param most of redundant arms: configurations along self-motions that a line is tried from, and branches of the
 *   brute-force search
 */
export async function certifyLines(
  robot: string,
  link: string,
  count: number,
  seed: number,
  most = 200,
): Promise<LineTally> {
  const model = createRobotModel(await loadRobot(robot));
  const frame = { link: linkNamed(model, link), T_link_frame: TOOL };
  const tools = {
    tracker: new ToolTracker(model, frame),
    prover: new LegProver(model, frame),
    speed: new FrameSpeed(model, frame),
  };
  const chain = new ChainOracle(model, frame.link, TOOL);
  const ik = new InverseKinematics(model, frame.link, TOOL);
  const bruteForce = new BruteForce(model, ik);
  const search = new LineSearch(chain);
  const tally: LineTally = { robot, lines: count, proved: 0, refused: {}, missed: [], wrong: [], ratios: [] };
  const random = new Random(seed, 1);
  for (let i = 0; i < count; i++) {
    const { q, leg } = randomLine(tools.tracker, random);
    const starts = [q, ...startsOf(model, ik, leg, q)];
    starts.push(...sampledSelfMotions(tools.tracker, starts, most));
    const planned = plannedLine(tools, leg, starts);
    const line = `line ${i} from q [${q.join(', ')}] by [${[3, 7, 11].map((k) => leg.end[k] - leg.start[k]).join(', ')}]`;
    if (typeof planned === 'string') {
      tally.refused[planned] = (tally.refused[planned] ?? 0) + 1;
      const isFeasible = ik.closedForm
        ? bruteForce.isFeasible(leg, q)
        : search.search(leg, new Random(seed, i + 1e6), most) !== undefined;
      if (isFeasible) tally.missed.push(`${line}: ${planned}`);
      continue;
    }
    tally.proved++;
    const fault = faultOf(model, frame, leg, planned);
    if (fault !== undefined) tally.wrong.push(`${line}: ${fault}`);
    const [first, last] = [planned.points[0], planned.points[planned.points.length - 1]];
    const least = model.dof > 6 ? undefined : fastestDuration(chain, leg, first.positions, limitsOf(model));
    if (least !== undefined) {
      tally.ratios.push(last.time_from_start! / least);
    }
  }
  tally.ratios.sort((one, other) => one - other);
  return tally;
}

/** Pose of the tool in the frame of its link. */
export const TOOL = Float64Array.of(1, 0, 0, 0.02, 0, 1, 0, -0.01, 0, 0, 1, 0.14);

/** Limits without jerk, which lines do not use. */
export const limitsOf = (model: RobotModel) => ({
  ...motionLimitsOf(model, {}),
  jerk: model.variables.map(() => Number.POSITIVE_INFINITY),
});

/** A line of 1 mm to 0.8 m, half of them with a rotation of up to one radian. */
export function randomLine(tracker: ToolTracker, random: Random): { q: Float64Array; leg: CartesianLeg } {
  const q = Float64Array.from(tracker.model.variables, ({ limits: { lower, upper } }) =>
    random.between(Math.max(-Math.PI, lower), Math.min(Math.PI, upper)),
  );
  const start = tracker.pose(q).slice();
  const end = start.slice();
  const length = 10 ** random.between(-3, -0.1);
  const direction = [0, 1, 2].map(() => random.between(-1, 1));
  const axis = [0, 1, 2].map(() => random.between(-1, 1));
  if (random.next() < 0.5) rotate(end, axis, random.between(0, 1));
  for (const [i, k] of [3, 7, 11].entries()) end[k] += (length * direction[i]) / Math.hypot(...direction);
  return { q, leg: lineLeg(start, end) };
}

/** Rotates the orientation of a pose about an axis of the world. */
function rotate(T: Float64Array, axis: readonly number[], angle: number): void {
  const [x, y, z] = axis.map((value) => value / Math.hypot(...axis));
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let column = 0; column < 3; column++) {
    const [a, b, d] = [T[column], T[4 + column], T[8 + column]];
    const along = (1 - c) * (x * a + y * b + z * d);
    T[column] = c * a + s * (y * d - z * b) + along * x;
    T[4 + column] = c * b + s * (z * a - x * d) + along * y;
    T[8 + column] = c * d + s * (x * b - y * a) + along * z;
  }
}

/** Inverse-kinematics solutions of the start of a line, with full turns. */
function startsOf(model: RobotModel, ik: InverseKinematics, leg: CartesianLeg, near: Float64Array): Float64Array[] {
  const { solutions } = ik.solve(leg.start, near, new Random(1), { solutions: 16, starts: 32 });
  return solutions.flatMap(({ q }) => withFullTurns(model, q, near, { most: 8 }));
}

/** Returns the motion along a line from the first start that carries it out; or why the first one does not. */
function plannedLine(tools: LegTools, leg: CartesianLeg, starts: readonly Float64Array[]): Trajectory | string {
  let reason: string | undefined;
  const rules = { limits: limitsOf(tools.tracker.model), tolerance: TOLERANCE, tcpSpeed: Number.POSITIVE_INFINITY };
  for (const start of starts) {
    const { knots, fault } = jointPathOf(tools, start, leg, TOLERANCE);
    if (fault) {
      reason ??= describeFollowFault(fault, tools.tracker);
      continue;
    }
    const motion = timedLeg(tools, leg, knots, rules);
    if (motion) return motion;
    reason = 'not timed';
  }
  return reason!;
}

/** Returns what an independent program finds wrong with a motion along a line. */
function faultOf(model: RobotModel, frame: LinkFrame, leg: CartesianLeg, motion: Trajectory): string | undefined {
  const [limit] = examineMotion(motion, limitsOf(model)).faults;
  if (limit) return `limit: ${JSON.stringify(limit)}`;
  return pathFault(model, frame, leg, motion, [0, motion.points.at(-1)!.time_from_start!]);
}

/** Returns where samples of a motion deviate from a line between two times, or go back on it. */
export function pathFault(
  model: RobotModel,
  frame: LinkFrame,
  leg: CartesianLeg,
  { points }: Trajectory,
  [begin, end]: readonly [number, number],
): string | undefined {
  const turn = turnBetween(leg.start, leg.end);
  let farthest = 0;
  for (let i = 0, k = 1; i <= SAMPLES; i++) {
    const t = begin + (i / SAMPLES) * (end - begin);
    while (k + 1 < points.length && points[k].time_from_start! < t) k++;
    const T = toolPose(model, frame, between(points[k - 1], points[k], t));
    const s = i === SAMPLES ? 1 : bestFraction(T, leg, turn);
    const { position, angle } = deviation(T, leg, turn, s);
    if (position > TOLERANCE.position * (1 + 1e-6) || angle > TOLERANCE.angle * (1 + 1e-6))
      return `${position} m and ${angle} rad off at ${t} s`;
    const slack = 2 * Math.min(TOLERANCE.position / leg.length, TOLERANCE.angle / (turn.angle || 1e-9));
    if (s < farthest - slack) return `goes back from ${farthest} to ${s} at ${t} s`;
    farthest = Math.max(farthest, s);
  }
  return undefined;
}

interface Turn {
  readonly axis: readonly number[];
  readonly angle: number;
}

/** Rotation from one orientation to another, less than half a turn. */
function turnBetween(A: ArrayLike<number>, B: ArrayLike<number>): Turn {
  const entry = (i: number, j: number) => [0, 1, 2].reduce((sum, k) => sum + B[4 * i + k] * A[4 * j + k], 0);
  const v = [entry(2, 1) - entry(1, 2), entry(0, 2) - entry(2, 0), entry(1, 0) - entry(0, 1)];
  const sine = Math.hypot(...v) / 2;
  const angle = Math.atan2(sine, (entry(0, 0) + entry(1, 1) + entry(2, 2) - 1) / 2);
  return { axis: sine > 0 ? v.map((x) => x / (2 * sine)) : [0, 0, 1], angle };
}

function deviation(T: ArrayLike<number>, leg: CartesianLeg, { axis, angle }: Turn, s: number) {
  const wanted = leg.start.slice();
  rotate(wanted, axis, s * angle);
  const at = (k: number) => leg.start[k] + s * (leg.end[k] - leg.start[k]);
  const squares = [0, 1, 2, 4, 5, 6, 8, 9, 10].reduce((sum, k) => sum + (T[k] - wanted[k]) ** 2, 0);
  return {
    position: Math.hypot(T[3] - at(3), T[7] - at(7), T[11] - at(11)),
    angle: 2 * Math.asin(Math.min(1, Math.sqrt(squares / 8))),
  };
}

/** Fraction of the nearest point of the line; if that is off, the one with the least relative deviation. */
function bestFraction(T: ArrayLike<number>, leg: CartesianLeg, turn: Turn): number {
  const along = [3, 7, 11].reduce((sum, k) => sum + (T[k] - leg.start[k]) * (leg.end[k] - leg.start[k]), 0);
  const nearest = Math.min(1, Math.max(0, along / leg.length ** 2));
  const cost = (s: number) => {
    const { position, angle } = deviation(T, leg, turn, s);
    return Math.max(position / TOLERANCE.position, angle / TOLERANCE.angle);
  };
  if (cost(nearest) <= 1) return nearest;
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step++) {
    const [x, y] = [low + (high - low) / 3, high - (high - low) / 3];
    if (cost(x) < cost(y)) high = y;
    else low = x;
  }
  return low;
}

/** Positions of the Hermite cubic between two points. */
function between(a: Trajectory['points'][number], b: Trajectory['points'][number], t: number): number[] {
  const T = b.time_from_start! - a.time_from_start!;
  const u = (t - a.time_from_start!) / T;
  const [h00, h10, h01, h11] = [(1 + 2 * u) * (1 - u) ** 2, u * (1 - u) ** 2, u * u * (3 - 2 * u), u * u * (u - 1)];
  return a.positions.map(
    (p, j) => h00 * p + h10 * T * a.velocities![j] + h01 * b.positions[j] + h11 * T * b.velocities![j],
  );
}
