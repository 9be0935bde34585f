import { FrameSpeed } from '../../../core/cartesian/frameSpeed.ts';
import { ProgramSets } from '../../../core/cartesian/moves/programSets.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { type LinkFrame, tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { startStateOf } from '../../../core/scene/configurationOf.ts';
import { isForceConstraint } from '../../../core/scene/constraints.ts';
import type { ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import {
  type ArcStep,
  hasSegment,
  type LineStep,
  type MotionStep,
  stepName,
  tcpSpeedLimit,
} from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { Trajectory, TrajectorySegment } from '../../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../../errors.ts';
import type { WrittenMove, WrittenStep } from '../../../formats/trajectories/urscript/moveScript.ts';
import { decimal } from '../../../formats/trajectories/urscript/stepCalls.ts';
import { rateLimitsOf } from '../../checking/moves/partRates.ts';
import { motionLimitsOf } from '../../sceneRobot.ts';
import { type Timeline, timelineOf, worldAt, worldOfStep } from '../../timeline.ts';
import { World } from '../../world.ts';
import { scaledLimits } from '../stepMotion.ts';
import { fastestMoves } from './fastestMoves.ts';
import { lineRates } from './lineRates.ts';
import { PartJudge } from './moveJudge.ts';
import { stepMoveLegs } from './stepVerdicts.ts';

/** Steps of a program of moves, and its duration if the controller follows trapezoidal profiles; seconds. */
export interface PlannedMoves {
  readonly steps: readonly WrittenStep[];
  readonly duration: number;
}

/** Samples of a motion: candidates for way points, and of its speed. */
const SAMPLES = 400;
/** Duration of a free motion, relative to the planned one, that is short enough. */
const ENOUGH = 1.05;
/** Way points of one free motion after which it is not written. */
const MAX_WAYPOINTS = 40;
/** Acceleration of joints whose acceleration is not limited, rad/s², and of turns of the tool on the spot, m/s². */
const [UNLIMITED, TOOL_ACCELERATION] = [1.4, 1.2];

/**
 * Returns a program of moves for a proved trajectory of a scene: free motions as joint moves through way points whose
 * lines are proved, lines and arcs as they are. Throws `InputError` for what programs of moves cannot express.
 */
export function movesOfPlan(robot: RobotModel, scene: Scene, trajectory: Trajectory): PlannedMoves {
  return new MoveWriter(robot, scene, trajectory).moves();
}

class MoveWriter {
  private readonly tcp: LinkFrame;
  private readonly speed: FrameSpeed;
  private readonly sets: ProgramSets;
  private readonly curve: TrajectoryCurve;
  private readonly timeline: Timeline;
  private q: Configuration;
  private duration = 0;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly trajectory: Trajectory,
  ) {
    this.tcp = tcpOf(robot, scene.tcp);
    this.speed = new FrameSpeed(robot, this.tcp);
    this.sets = new ProgramSets(robot);
    this.curve = new TrajectoryCurve(trajectory);
    this.timeline = timelineOf(new World(robot, scene), trajectory, this.curve);
    this.q = startStateOf(robot, scene)?.q ?? this.at(this.curve.start);
  }

  moves(): PlannedMoves {
    const { scene, trajectory, curve } = this;
    const { segments = [], events = [] } = trajectory;
    const steps = scene.steps?.map((step): WrittenStep => {
      if (!hasSegment(step)) return events.find((event) => event.step === step.index)!;
      const segment = segments.find((one) => one.step === step.index)!;
      const wait = step.kind === 'wait' ? step.duration : 0;
      this.duration += wait;
      return {
        step: step.index,
        label: stepName(step),
        moves: step.kind === 'wait' ? [] : this.motion(step, segment),
        wait,
      };
    });
    if (steps) return { steps, duration: this.duration };
    const moves = this.free(undefined, { from: curve.start, to: curve.end });
    return { steps: [{ step: undefined, label: '', moves, wait: 0 }], duration: this.duration };
  }

  private motion(step: MotionStep, segment: TrajectorySegment): WrittenMove[] {
    if (step.kind === 'path')
      throw new InputError(`${stepName(step)}: tool paths are not written as moves`, 'Leave --moves out.');
    return step.kind === 'move' ? this.free(step, segment) : this.legs(step, segment);
  }

  /** Writes lines and arcs with the rates of the shortest profiles within the limits of the step. */
  private legs(step: LineStep | ArcStep, { from, to }: TrajectorySegment): WrittenMove[] {
    const { robot, tcp, scene } = this;
    const legs = stepMoveLegs(robot, tcp, step, this.q) ?? [];
    const peak = Math.min(this.peakSpeed(from, to), tcpSpeedLimit(scene, step));
    const limits = limitsOf(robot, scene, step);
    return legs.map(({ end: pose, length }): WrittenMove => {
      const isArc = step.kind === 'arc';
      const via = isArc ? withOrigin(pose, step.via) : undefined;
      const move: ProgramMove = {
        kind: isArc ? 'movec' : 'movel',
        line: 0,
        frame: tcp,
        pose,
        ...(isArc && { via: Float64Array.from(step.via) }),
        acceleration: TOOL_ACCELERATION,
        speed: floor(Math.max(peak, 1e-3)),
        radius: 0,
        time: 0,
      };
      const end = this.sets.endOf(this.q, move);
      const { set } = end ? this.sets.parts(this.q, [move])[0] : {};
      const isLong = length > SAME;
      const rates =
        set && isLong ? lineRates(set, this.q, length, move.speed, limits) : set && { ...move, duration: 0 };
      if (end === undefined || rates === undefined)
        throw new InputError(
          `${stepName(step)}: the arm is near a singularity, or turns by half a turn`,
          'Leave --moves out.',
        );
      this.q = end;
      const { acceleration, speed } = rates;
      this.duration += rates.duration;
      return { pose, ...(via && { via }), acceleration, speed };
    });
  }

  /** Writes a free motion: its line is divided where it is farthest from the motion until every part is proved. */
  private free(step: MotionStep | undefined, { from, to }: Pick<TrajectorySegment, 'from' | 'to'>): WrittenMove[] {
    const world = step ? worldOfStep(this.timeline, step.index) : worldAt(this.timeline, from);
    const judge = new PartJudge(world, step);
    const start = this.q;
    const samples = Array.from({ length: SAMPLES + 1 }, (_, i) => this.at(from + (i / SAMPLES) * (to - from)));
    samples[0] = this.q;
    if (isSame(this.q, samples[SAMPLES])) return [];
    const found: Configuration[] = [];
    const open: [number, number][] = [[0, SAMPLES]];
    for (let part = open.pop(); part; part = open.pop()) {
      const [i, j] = part;
      if (judge.judgeLine(samples[i], samples[j]).verdict === 'valid') {
        found.push(samples[j]);
        continue;
      }
      if (j - i < 2 || open.length + found.length >= MAX_WAYPOINTS)
        throw new InputError(`${step ? stepName(step) : 'the motion'}: no way points are proved`, 'Leave --moves out.');
      const middle = farthest(samples, i, j);
      open.push([middle, j], [i, middle]);
    }
    this.q = samples[SAMPLES];
    const moveTo = (last: Configuration, joints: Configuration) => {
      const { longest: length, ...rates } = leadingRates(this.robot, this.scene, step, last, joints);
      const move: ProgramMove = { kind: 'movej', line: 0, frame: this.tcp, joints, radius: 0, time: 0, ...rates };
      return { move, length };
    };
    const limits = limitsOf(this.robot, this.scene, step);
    const setting = { judge, sets: this.sets, start, moveTo, limits };
    const { moves, duration } = fastestMoves(setting, found, ENOUGH * (to - from));
    this.duration += duration;
    return moves.map(({ joints, acceleration, speed, radius }) => ({ joints: joints!, acceleration, speed, radius }));
  }

  private peakSpeed(from: number, to: number): number {
    const { curve } = this;
    const [q, rates] = [new Float64Array(curve.dof), new Float64Array(curve.dof)];
    let most = 0;
    for (let i = 0; i <= SAMPLES; i++) {
      const time = from + (i / SAMPLES) * (to - from);
      curve.position(q, time);
      curve.velocity(rates, time);
      most = Math.max(most, this.speed.at(q, rates));
    }
    return most;
  }

  /** Returns the positions at a time, as they are written. */
  private at(time: number): Configuration {
    const q = new Float64Array(this.curve.dof);
    this.curve.position(q, time);
    return q.map((value) => Number(decimal(value)));
  }
}

/** Returns the limits of joints in a step. */
function limitsOf(robot: RobotModel, scene: Scene, step: MotionStep | undefined) {
  const limits = motionLimitsOf(robot, scene);
  return step ? scaledLimits(limits, step) : limits;
}

/**
 * Returns the highest speed and acceleration of the leading axis along a line in joint space within the limits of a
 * step, as they are written, and its distance.
 */
export function leadingRates(
  robot: RobotModel,
  scene: Scene,
  step: MotionStep | undefined,
  from: Configuration,
  to: Configuration,
) {
  const limits = limitsOf(robot, scene, step);
  const distances = from.map((value, j) => Math.abs(to[j] - value));
  const longest = Math.max(...distances);
  const most = (values: ArrayLike<number>) =>
    distances.reduce(
      (least, value, j) => (value > 0 ? Math.min(least, (values[j] * longest) / value) : least),
      Infinity,
    );
  const [ofJoints, a] = [most(limits.velocity), most(limits.acceleration)];
  const line = constantRate(from, to, ofJoints);
  const shares = rateLimitsOf(scene, step?.index).map((given) => {
    if (isForceConstraint(given)) return 1;
    if (given.type === 'joint_speed') {
      const joint = robot.variables.findIndex(({ name }) => name === given.joint);
      return (given.most * longest) / (distances[joint] * ofJoints);
    }
    return given.most / new FrameSpeed(robot, tcpOf(robot, given.frame ?? scene.tcp)).bound(line);
  });
  const speed = floor(ofJoints * Math.min(1, ...shares));
  return { longest, speed, acceleration: floor(Number.isFinite(a) ? a : UNLIMITED) };
}

/** Returns the line between two states, along which the leading axis has a constant speed. */
function constantRate(from: Configuration, to: Configuration, rate: number): TrajectoryCurve {
  const distance = from.reduce((most, value, j) => Math.max(most, Math.abs(to[j] - value)), 0);
  const points = [from, to].map((q, i) => ({
    time_from_start: (i * Math.max(distance, 1e-9)) / rate,
    positions: Array.from(q),
  }));
  return new TrajectoryCurve({
    jointNames: points[0].positions.map((_, j) => `${j}`),
    points,
    interpolation: 'linear',
  });
}

/** rad: states that differ by less are one. */
const SAME = 1e-9;

const isSame = (one: Configuration, other: Configuration) =>
  one.every((value, j) => Math.abs(value - other[j]) <= SAME);

/** Rates are written with four decimals. */
const floor = (value: number) => Math.max(1e-4, Math.floor(value * 1e4) / 1e4);

/** Returns the index between two samples of the one that is farthest from the line between them. */
function farthest(samples: readonly Configuration[], i: number, j: number): number {
  const [a, b] = [samples[i], samples[j]];
  const line = b.map((value, k) => value - a[k]);
  const squared = line.reduce((sum, value) => sum + value * value, 0);
  let [found, most] = [Math.floor(0.5 * (i + j)), 0];
  for (let m = i + 1; m < j; m++) {
    const along = line.reduce((sum, value, k) => sum + value * (samples[m][k] - a[k]), 0);
    const share = squared > 0 ? Math.min(1, Math.max(0, along / squared)) : 0;
    const off = line.reduce((sum, value, k) => sum + (samples[m][k] - a[k] - share * value) ** 2, 0);
    if (off > most) [found, most] = [m, off];
  }
  return found;
}

function withOrigin(T: ArrayLike<number>, xyz: ArrayLike<number>): Float64Array {
  const out = Float64Array.from(T);
  for (const [i, k] of [3, 7, 11].entries()) out[k] = xyz[i];
  return out;
}
