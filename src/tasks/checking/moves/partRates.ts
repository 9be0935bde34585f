import { type Cell, halvesOf, walk } from '../../../core/cartesian/moves/moveSet.ts';
import type { ProgramPart } from '../../../core/cartesian/moves/programSets.ts';
import { ToolTracker } from '../../../core/cartesian/toolTracker.ts';
import { jointIndex } from '../../../core/constraints/jointRanges.ts';
import { boxOf, type RatedCell, type StateCell } from '../../../core/kinematics/branches/ikBranch.ts';
import { FrameBounds } from '../../../core/kinematics/frameBounds.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { type LinkFrame, tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { norm } from '../../../core/math/vec3.ts';
import {
  constraintLabel,
  isForceConstraint,
  isRateConstraint,
  type RateConstraint,
} from '../../../core/scene/constraints.ts';
import type { ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import { isMotionStep, type Step, tcpSpeedLimit } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { isSameFrame } from '../../programs/moves/stepVerdicts.ts';

/** Bounds a speed over a cell of states: the sum of those of its generators, each times a factor, 1/s. */
export type RateBound = (states: RatedCell, factors: readonly number[]) => number;

/** Maximum number of bisections of a cell, and of cells of one part, to prove a speed. */
const MAX_LEVEL = 40;
const MAX_CELLS = 20_000;
/** Relative tolerance of speeds. */
const RATE_TOLERANCE = 1e-6;

/** Returns the limits of speeds of a scene and of one of its steps. */
export function rateLimitsOf(scene: Scene, index?: number): RateConstraint[] {
  const step: Step | undefined = scene.steps?.find((one) => one.index === index);
  const own = step && isMotionStep(step) ? step : undefined;
  const most = tcpSpeedLimit(scene, own ?? {});
  const limits = [...(scene.constraints ?? []), ...(own?.constraints ?? [])].filter(isRateConstraint);
  return most < Number.POSITIVE_INFINITY ? [...limits, { type: 'speed', name: 'tcp_speed', most }] : limits;
}

/**
 * Returns true if a part of a program is proved to keep a limit of speed. The speed of lines and arcs is that of the
 * tool; other speeds follow from the rates of the parameters; momentum and power are not proved.
 * @param enclose encloses the states of a cell about the state in its middle; undefined: it fails
 * @param boundOf returns the bound of the speed of the origin of a frame
 */
export function isRateKept(
  robot: RobotModel,
  { tcp }: Pick<Scene, 'tcp'>,
  given: RateConstraint,
  part: ProgramPart,
  move: ProgramMove,
  enclose: (cell: Cell, q: Configuration) => StateCell | undefined,
  boundOf: (robot: RobotModel, frame: LinkFrame) => RateBound = frameRate,
): boolean {
  const allowed = given.most * (1 + RATE_TOLERANCE);
  if (isForceConstraint(given)) return false;
  if (given.type === 'joint_speed')
    return isBounded(part, allowed, enclose, jointRate(jointIndex(robot, given.joint, constraintLabel(given))));
  const frame = tcpOf(robot, given.frame ?? tcp);
  const isStated =
    !part.isBlend && move.pose !== undefined && !(move.time > 0) && isSameFrame(robot, move.frame, frame);
  return isStated ? move.speed <= allowed : isBounded(part, allowed, enclose, boundOf(robot, frame));
}

function isBounded(
  { set, q, rates }: ProgramPart,
  allowed: number,
  enclose: (cell: Cell, q: Configuration) => StateCell | undefined,
  bound: RateBound,
): boolean {
  const first = set && rates && walk(set, q, set.origin, set.root.at);
  if (first === undefined) return false;
  const open: { cell: Cell; q: Configuration; level: number }[] = [{ cell: set!.root, q: first, level: 0 }];
  for (let count = 0; open.length > 0; count++) {
    const { cell, q: at, level } = open.pop()!;
    const states = enclose(cell, at);
    const factors = rates!.map((rate, k) => (cell.half[k] > 0 ? rate / cell.half[k] : 0));
    if (states && isRated(states) && bound(states, factors) <= allowed) continue;
    if (level >= MAX_LEVEL || count >= MAX_CELLS) return false;
    for (const half of halvesOf(set!, cell, states)) {
      const next = walk(set!, at, cell.at, half.at);
      if (next === undefined) return false;
      open.push({ cell: half, q: next, level: level + 1 });
    }
  }
  return true;
}

const isRated = (states: StateCell): states is RatedCell => states.rateError !== undefined;

const jointRate =
  (joint: number): RateBound =>
  ({ generators, rateError }, factors) =>
    generators.reduce(
      (sum, one, k) => sum + factors[k] * Math.abs(one[joint]),
      Math.max(...factors) * rateError[joint],
    );

/**
 * The states of a cell have the rates Σ cₖ fₖ gₖ + e, |cₖ| <= 1, |e| <= f rateError, f the greatest factor. The
 * velocity J(q₀) gₖ of a point changes within the cell by at most the bound on its acceleration for rates of the box
 * of the cell and changes of the error.
 */
function frameRate(robot: RobotModel, frame: LinkFrame): RateBound {
  const tracker = new ToolTracker(robot, frame);
  const bounds = new FrameBounds(robot, frame);
  const twist = new Float64Array(6);
  return (states, factors) => {
    const speeds = states.generators.map((generator, k) => {
      tracker.twist(twist, states.q, generator);
      return factors[k] * norm(twist.subarray(0, 3));
    });
    const T = tracker.T_world_tcp;
    const { rateError } = states;
    bounds.compute(tracker.linkPoses, [T[3], T[7], T[11]], boxOf({ ...states, error: rateError }), rateError, 1);
    return speeds.reduce((sum, value) => sum + value, Math.max(...factors) * bounds.acceleration);
  };
}
