import { FrameSpeed } from '../../../src/core/cartesian/frameSpeed.ts';
import { LegProver } from '../../../src/core/cartesian/legProver.ts';
import { jointPathOf, timedLeg } from '../../../src/core/cartesian/planLeg.ts';
import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { type LinkFrame, linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { MotionLimits, Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';
import { pathFault, randomLine, TOOL } from './certifyLines.ts';
import { ChainOracle } from './chainOracle.ts';
import { fastestSmoothDuration } from './fastestSmoothDuration.ts';
import { toolPose } from './legOracle.ts';

const TOLERANCE = { position: 1e-4, angle: 0.1 * (Math.PI / 180) };
/** Samples of each piece of a spline. */
const SAMPLES = 200;
/** Relative: limits may be exceeded by rounding. */
const SLACK = 1e-6;

/** Durations of random lines with jerk limits. */
export interface SmoothLines {
  /** Durations divided by those of the numeric optimum of the same joint path, in order. */
  readonly ratios: number[];
  /** Number of lines that can be followed, but for which no motion is proved. */
  untimed: number;
  /** Limits that are exceeded, and places where the path is left, by a program that shares nothing with the planner. */
  readonly faults: string[];
}

/** Plans random lines from a given state with the same jerk limit of all joints. */
export async function smoothLineRatios(
  robot: string,
  link: string,
  count: number,
  seed: number,
  { jerk, tcpSpeed }: { readonly jerk: number; readonly tcpSpeed: number },
): Promise<SmoothLines> {
  const model = createRobotModel(await loadRobot(robot));
  const frame = { link: linkNamed(model, link), T_link_frame: TOOL };
  const tracker = new ToolTracker(model, frame);
  const tools = { tracker, prover: new LegProver(model, frame), speed: new FrameSpeed(model, frame) };
  const chain = new ChainOracle(model, frame.link, TOOL);
  const limits = { ...motionLimitsOf(model, {}), jerk: model.variables.map(() => jerk) };
  const random = new Random(seed, 1);
  const result: SmoothLines = { ratios: [], untimed: 0, faults: [] };
  for (let i = 0; i < count; i++) {
    const { q, leg } = randomLine(tracker, random);
    const { knots, fault } = jointPathOf(tools, q, leg, TOLERANCE);
    if (fault) continue;
    const motion = timedLeg(tools, leg, knots, { limits, tolerance: TOLERANCE, tcpSpeed });
    if (!motion) {
      result.untimed++;
      continue;
    }
    const end = motion.points.at(-1)!.time_from_start!;
    const wrong = limitFault(model, frame, motion, limits, tcpSpeed) ?? pathFault(model, frame, leg, motion, [0, end]);
    if (wrong !== undefined) result.faults.push(`line ${i}: ${wrong}`);
    // a redundant arm may use another joint path
    const least = model.dof > 6 ? undefined : fastestSmoothDuration(chain, leg, q, limits, tcpSpeed);
    if (least !== undefined) result.ratios.push(end / least);
  }
  result.ratios.sort((one, other) => one - other);
  return result;
}

/** Returns the first limit that samples of a motion of Hermite cubics exceed; accelerations must be continuous. */
export function limitFault(
  model: RobotModel,
  frame: LinkFrame,
  { points }: Trajectory,
  { velocity, acceleration, jerk }: MotionLimits,
  tcpSpeed: number,
): string | undefined {
  const dof = velocity.length;
  let before = new Array<number>(dof).fill(0);
  for (let k = 0; k + 1 < points.length; k++) {
    const [a, b] = [points[k], points[k + 1]];
    const T = b.time_from_start! - a.time_from_start!;
    // p + v t + c t² + d t³
    const cubics = a.positions.map((p, j) => {
      const [v, w, rise] = [a.velocities![j], b.velocities![j], b.positions[j] - p];
      return [p, v, (3 * rise) / (T * T) - (2 * v + w) / T, (v + w) / (T * T) - (2 * rise) / T ** 3];
    });
    for (const [j, [, , c, d]] of cubics.entries()) {
      if (Math.abs(6 * d) > jerk[j] * (1 + SLACK)) return `jerk ${6 * d} of joint ${j} in piece ${k}`;
      // a jump by less than the jerk limit allows in a microsecond
      if (Math.abs(2 * c - before[j]) > jerk[j] * 1e-6) return `acceleration of joint ${j} jumps at point ${k}`;
    }
    let origin: readonly number[] | undefined;
    for (let i = 0; i <= SAMPLES; i++) {
      const t = (i / SAMPLES) * T;
      for (const [j, [, v, c, d]] of cubics.entries()) {
        const rate = Math.abs(v + t * (2 * c + t * 3 * d));
        if (rate > velocity[j] * (1 + SLACK)) return `velocity ${rate} of joint ${j} in piece ${k}`;
        const steep = Math.abs(2 * c + 6 * d * t);
        if (steep > acceleration[j] * (1 + SLACK)) return `acceleration ${steep} of joint ${j} in piece ${k}`;
      }
      if (tcpSpeed === Number.POSITIVE_INFINITY) continue;
      const pose = toolPose(
        model,
        frame,
        cubics.map(([p, v, c, d]) => p + t * (v + t * (c + t * d))),
      );
      const at = [pose[3], pose[7], pose[11]];
      const moved = origin ? Math.hypot(at[0] - origin[0], at[1] - origin[1], at[2] - origin[2]) : 0;
      const speed = moved / (T / SAMPLES);
      if (speed > tcpSpeed * (1 + SLACK)) return `TCP speed ${speed} in piece ${k}`;
      origin = at;
    }
    before = cubics.map(([, , c, d]) => 2 * c + 6 * d * T);
  }
  const j = before.findIndex((value, j) => Math.abs(value) > jerk[j] * 1e-6);
  return j < 0 ? undefined : `acceleration of joint ${j} at the end`;
}
