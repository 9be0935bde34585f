import { FrameSpeed } from '../../../core/cartesian/frameSpeed.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { type LinkFrame, tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import { type Interrupt, never } from '../../../core/math/interrupt.ts';
import type { Transform } from '../../../core/math/transform.ts';
import { movingAttachment } from '../../../core/scene/changedScene.ts';
import { startStateOf } from '../../../core/scene/configurationOf.ts';
import {
  type ArcStep,
  hasSegment,
  type LineStep,
  type MotionStep,
  type MoveStep,
  mayBlend,
  type PathStep,
  type Step,
  stepName,
  tcpSpeedLimit,
} from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { executedMotion, type StartState } from '../../../core/trajectory/leadIn/leadIn.ts';
import { VELOCITY } from '../../../core/trajectory/polynomial.ts';
import {
  durationOf,
  inJointOrder,
  isTimed,
  type MotionLimits,
  type Trajectory,
  type TrajectorySegment,
} from '../../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../../core/trajectory/trajectoryLimits.ts';
import { type CheckResult, restBefore } from '../../checking/checkResult.ts';
import { StopLimits } from '../../forces/stopLimits.ts';
import type { PlanOptions } from '../../planning/planOptions.ts';
import { motionLimitsOf } from '../../sceneRobot.ts';
import { partsOf, type Timeline, timelineOf, worldOfStep } from '../../timeline.ts';
import { World } from '../../world.ts';
import { completeGoals } from '../completeGoals.ts';
import { faultOf, ProgramStructure, type StepFault } from '../programStructure.ts';
import { nearestGoalPose } from '../search/goalPoses.ts';
import { fastestRateAt, fastestRates, limitFaults, setPointFaults } from '../stepLimits.ts';
import { scaledLimits } from '../stepMotion.ts';
import { goalMiss } from './goalMiss.ts';
import { type Junction, LegChecks } from './legChecks.ts';
import { limitsOfPoints } from './limitsOfPoints.ts';
import { programTorques } from './programTorques.ts';
import { proveTimeline } from './proveTimeline.ts';
import { ConstraintChecks } from './runChecks.ts';
import { toolPathDeviation } from './toolPathCheck.ts';

/** Result of checking a trajectory against a program. */
export interface ProgramCheckResult extends CheckResult {
  /** Differences from the steps, in the order of the steps. */
  readonly stepFaults: readonly StepFault[];
  /** The world in each interval between events that change its scene; empty if segments or events are wrong. */
  readonly intervals: Timeline;
}

/** Absolute tolerance of goals (rad and m) and of rest (per second). */
const TOLERANCE = 1e-6;
/** Absolute tolerance of the motion during a wait: rad and m, and per second. */
const REST_TOLERANCE = 1e-9;

/**
 * Checks a trajectory against the steps of a scene: segments and events, goals, lines and arcs, limits of each step,
 * rest at events, and collisions in the scene of each interval between events. Everything is proved over continuous
 * time. Throws `InputError` for joints that are not the robot's.
 */
export function checkProgram(
  robot: RobotModel,
  scene: Scene,
  given: Trajectory,
  options: {
    readonly checker: PlanOptions['checker'];
    readonly place?: string | undefined;
    /** Ends the proofs; the trajectory then is not valid. */
    readonly interrupt?: Interrupt;
  },
): ProgramCheckResult {
  const names = robot.variables.map((joint) => joint.name);
  const trajectory = inJointOrder(given, names, options.place);
  const complete = completeGoals(robot, scene, Float64Array.from(trajectory.points[0].positions));
  return new ProgramCheck(robot, complete, trajectory, options.checker, options.interrupt ?? never).result();
}

class ProgramCheck {
  private readonly faults: StepFault[] = [];
  /** Time of the trajectory, seconds, at which a proof of a step was interrupted. */
  private interruptedAt: number | undefined;
  /** True if the first point is not the start. */
  private isAway = false;
  private readonly tcp: LinkFrame;
  private readonly limits: MotionLimits;
  private readonly steps: readonly Step[];
  private readonly curve: TrajectoryCurve;
  /** Where the robot is at time 0; undefined: at the first point. */
  private readonly start: StartState | undefined;
  /** The motion from time 0 on, if the first point is later, and its curve. */
  private readonly executed: Trajectory;
  private readonly wholeCurve: TrajectoryCurve;
  private readonly structure: ProgramStructure;
  private readonly segments: readonly TrajectorySegment[];
  private readonly legs: LegChecks;
  private constraints: ConstraintChecks | undefined;
  private readonly speed: FrameSpeed;
  /** Junction of the step with the one before it; undefined if the robot is at rest there. */
  private junction: (Junction & { readonly tcpSpeed: number }) | undefined;
  /** The limits of the step of each set point. */
  private readonly pointLimits: readonly MotionLimits[];
  private readonly q: Float64Array;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly trajectory: Trajectory,
    private readonly checker: PlanOptions['checker'],
    private readonly interrupt: Interrupt,
  ) {
    this.tcp = tcpOf(robot, scene.tcp);
    this.limits = motionLimitsOf(robot, scene);
    this.steps = scene.steps ?? [];
    this.curve = new TrajectoryCurve(trajectory);
    this.start = startStateOf(robot, scene);
    this.executed = isTimed(trajectory) ? executedMotion(trajectory, this.start) : trajectory;
    this.wholeCurve = this.executed === trajectory ? this.curve : new TrajectoryCurve(this.executed);
    this.structure = new ProgramStructure(this.steps, trajectory, this.curve, robot.links[this.tcp.link].name);
    this.segments = this.structure.segments;
    this.pointLimits = trajectory.setPoints ? limitsOfPoints(trajectory, this.segments, this.steps, this.limits) : [];
    this.legs = new LegChecks(robot, this.tcp, this.curve, interrupt);
    this.speed = new FrameSpeed(robot, this.tcp, interrupt);
    this.q = new Float64Array(robot.dof);
  }

  result(): ProgramCheckResult {
    const { trajectory } = this;
    const { faults, ratios } = examineMotion(trajectory, this.limits);
    const base = { faults, ratios, duration: durationOf(trajectory) };
    const timesAreWrong = faults.some((fault) => fault.kind === 'time') || !isTimed(trajectory);
    if (timesAreWrong && faults.length === 0) this.fault(this.steps[0], 'a program needs points with times');
    if (!timesAreWrong) this.faults.push(...this.structure.faults());
    if (timesAreWrong || this.faults.length > 0)
      return { ...base, valid: false, stepFaults: this.faults, intervals: [] };
    const world = new World(this.robot, this.scene, { checker: this.checker });
    const intervals = timelineOf(world, trajectory, this.curve, this.wholeCurve);
    this.constraints = new ConstraintChecks(this.robot, this.scene, trajectory, this.wholeCurve, intervals);
    this.checkSteps(intervals);
    const { interruptedAt } = this;
    const proof =
      interruptedAt === undefined
        ? proveTimeline(this.wholeCurve, intervals, this.interrupt)
        : { interrupted: { time: interruptedAt } };
    const torques = programTorques(this.robot, this.executed, this.wholeCurve, intervals, this.interrupt);
    const isKept = faults.length === 0 && !torques?.faults.length && this.faults.length === 0;
    const limits = isKept ? StopLimits.of(this.robot, this.scene, this.interrupt) : undefined; // else, none is proved
    const stops = limits?.check(this.executed, partsOf(intervals));
    const valid = isKept && !stops?.faults.length && Object.keys(proof).length === 0;
    const isLeadInKept = !this.isAway && faults.every(({ time }) => time > this.curve.start);
    const leadIn = this.wholeCurve === this.curve ? undefined : restBefore(this.curve.start, isLeadInKept, proof);
    const measured = (torques || stops) && {
      faults: [...faults, ...(torques?.faults ?? []), ...(stops?.faults ?? [])],
      ratios: torques ? { ...ratios, torque: torques.ratio } : ratios,
      margins: { ...torques?.margins, ...stops?.margins },
    };
    return { ...base, ...measured, valid, stepFaults: this.faults, ...(leadIn && { leadIn }), ...proof, intervals };
  }

  private checkSteps(intervals: Timeline): void {
    const { curve, start } = this;
    if (start !== undefined) {
      curve.position(this.q, curve.start);
      const miss = start.q.reduce((most, value, j) => Math.max(most, Math.abs(value - this.q[j])), 0);
      this.isAway = !(miss <= TOLERANCE);
      if (this.isAway) this.fault(this.steps[0], `the trajectory starts ${miss} away from the start`);
      if (curve !== this.wholeCurve) this.checkConstraints(undefined, { from: 0, to: curve.start });
    }
    if (this.segments.length === 0) this.checkConstraints(this.steps[0], { from: curve.start, to: curve.end });
    for (const step of this.steps) {
      const segment = this.segments.find((one) => one.step === step.index);
      const { scene } = worldOfStep(intervals, step.index);
      if (hasSegment(step) && segment) {
        this.checkConstraints(step, segment);
        if (step.kind === 'wait') this.checkWait(step, segment);
        else this.checkMotion(step, segment, scene);
      } else if (!hasSegment(step)) {
        const time = this.structure.endBefore(step.index);
        this.checkRest(step, time, 'at the event');
        const moving = movingAttachment(scene, step, time);
        if (moving !== undefined) this.fault(step, moving);
      }
    }
  }

  private checkWait(step: Extract<Step, { kind: 'wait' }>, { from, to }: TrajectorySegment): void {
    if (!(Math.abs(to - from - step.duration) <= TOLERANCE))
      this.fault(step, `waits ${to - from} s instead of ${step.duration} s`);
    const drift = to - from + 1; // bounds both the speed and the distance
    if (fastestRates(this.curve, from, to, VELOCITY).some((rate) => !(rate * drift <= REST_TOLERANCE)))
      this.fault(step, 'the robot moves while it waits');
  }

  private checkMotion(step: MotionStep, segment: TrajectorySegment, scene: Scene): void {
    const { from, to } = segment;
    const isBlended = mayBlend(this.steps, step) && !this.isAtRest(to);
    if (!isBlended) this.checkRest(step, to, 'at its end');
    const limits = scaledLimits(this.limits, step);
    const limitFaultsOfStep = this.trajectory.setPoints
      ? setPointFaults(this.trajectory, this.robot, this.pointLimits, segment)
      : limitFaults(this.curve, this.robot, limits, from, to);
    for (const what of limitFaultsOfStep) this.fault(step, what);
    this.checkTcpSpeed(step, segment);
    if (step.kind === 'path') {
      this.checkPath(step, segment, scene);
      return;
    }
    const end =
      step.kind === 'move' ? this.checkGoal(step, to, scene, isBlended) : this.checkLegs(step, segment, isBlended);
    const tcpSpeed = tcpSpeedLimit(this.scene, step);
    this.junction = isBlended && end ? { T_world_tcp: end, radius: step.blend, tcpSpeed } : undefined;
  }

  private checkTcpSpeed(step: MotionStep, { from, to }: TrajectorySegment): void {
    const { scene, curve, junction } = this;
    // The interval of set points that contains `from` still belongs to the previous step.
    const begin = this.trajectory.setPoints && junction ? Math.min(to, curve.times[curve.pieceAt(from) + 1]) : from;
    const most = tcpSpeedLimit(scene, step);
    const before = junction ? Math.max(most, junction.tcpSpeed) : most;
    for (const [limit, start, end] of [
      [before, from, begin],
      [most, begin, to],
    ]) {
      if (!(limit < Number.POSITIVE_INFINITY && end > start)) continue;
      const fault = this.speed.excess(curve, limit, start, end);
      const what = fault && `TCP speed ${round(fault.value)} m/s at ${round(fault.time)} s, its limit is ${limit} m/s`;
      if (what !== undefined) this.unproved(step, what, fault!.time);
    }
  }

  /** Checks the end of a free motion; returns the ideal pose of the tool there if it is blended. */
  private checkGoal(step: MoveStep, to: number, scene: Scene, isBlended: boolean): Transform | undefined {
    const { robot, q } = this;
    if (!isBlended) {
      this.curve.position(q, to);
      const miss = goalMiss(robot, scene, step.goals, q, stepName(step));
      if (!(miss <= TOLERANCE)) this.fault(step, `its end misses the goal by ${round(miss)}`);
      return undefined;
    }
    const end = nearestGoalPose(robot, scene, step, this.legs.poseAt(to));
    if (!end) this.fault(step, 'not at rest at its end, although its goals do not determine the pose of the tool');
    else if (!this.legs.isNear({ T_world_tcp: end, radius: step.blend }, to))
      this.fault(step, `ends farther away from its goal than its blend of ${step.blend} m`);
    return end;
  }

  /** Proves that a tool path is followed, from rest to rest. */
  private checkPath(step: PathStep, segment: TrajectorySegment, scene: Scene): void {
    const { robot, tcp, trajectory, curve, interrupt } = this;
    this.junction = undefined;
    this.checkRest(step, segment.from, 'at its start');
    const deviation = toolPathDeviation(robot, tcp, scene, step, trajectory, curve, segment, interrupt);
    if (deviation?.isUndecided) this.unproved(step, deviation.what, deviation.time);
    else if (deviation) this.fault(step, deviation.what);
  }

  /** Proves that a line or arc is followed; returns the ideal pose of the tool at its end. */
  private checkLegs(step: LineStep | ArcStep, segment: TrajectorySegment, isBlended: boolean): Transform | undefined {
    const { deviation, end } = this.legs.check(step, segment, this.junction, isBlended);
    if (deviation?.isUndecided) this.unproved(step, deviation.what, deviation.time);
    else if (deviation) this.fault(step, deviation.what);
    if (isBlended && end && !this.legs.isNear({ T_world_tcp: end, radius: step.blend }, segment.to))
      this.fault(step, `ends farther away from its end point than its blend of ${step.blend} m`);
    return end;
  }

  private checkConstraints(step: Step | undefined, segment: Pick<TrajectorySegment, 'from' | 'to'>): void {
    for (const what of this.constraints!.faults(step, segment)) this.fault(step, what);
  }

  private isAtRest(time: number): boolean {
    return fastestRateAt(this.trajectory, this.curve, time) <= TOLERANCE;
  }

  private checkRest(step: Step, time: number, where: string): void {
    const fastest = fastestRateAt(this.trajectory, this.curve, time);
    if (!(fastest <= TOLERANCE)) this.fault(step, `not at rest ${where}, ${round(time)} s: velocity ${round(fastest)}`);
  }

  /** Records a property that is not proved: a fault, unless the proof was interrupted. */
  private unproved(step: Step, what: string, time: number): void {
    if (this.interrupt()) this.interruptedAt ??= time;
    else this.fault(step, what);
  }

  /** @param step undefined: a program without steps */
  private fault(step: Step | undefined, what: string): void {
    this.faults.push(faultOf(step, what));
  }
}

const round = (value: number) => Number(value.toPrecision(6));
