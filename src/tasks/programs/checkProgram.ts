import type { CartesianLeg } from '../../cartesian/cartesianLeg.ts';
import { FrameSpeed } from '../../cartesian/frameSpeed.ts';
import { LegProver, type LegVerdict, type PathTolerance } from '../../cartesian/legProver.ts';
import { stepLegs } from '../../cartesian/stepLegs.ts';
import { ToolTracker } from '../../cartesian/toolTracker.ts';
import { type Motion, MotionInterval } from '../../collision/motion.ts';
import { MotionProver } from '../../collision/motionProver.ts';
import { proveUnlessInterrupted } from '../../collision/slicedProof.ts';
import { ConstraintSet } from '../../constraints/constraintSet.ts';
import { poseError } from '../../kinematics/poseError.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type LinkFrame, tcpOf } from '../../kinematics/toolCenterPoint.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import { norm } from '../../math/vec3.ts';
import { constraintLabel } from '../../scene/constraints.ts';
import {
  type ArcStep,
  hasSegment,
  type LineStep,
  type MotionStep,
  type Step,
  stepName,
  tcpSpeedLimit,
} from '../../scene/program.ts';
import type { Scene } from '../../scene/scene.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import { ACCELERATION, maxMagnitude, VELOCITY } from '../../trajectory/polynomialExtremes.ts';
import {
  durationOf,
  isTimed,
  type MotionLimits,
  type Trajectory,
  type TrajectorySegment,
} from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../trajectory/trajectoryLimits.ts';
import { type CheckResult, proofDefaults } from '../checking/checkTrajectory.ts';
import { curveMotions } from '../checking/curveMotions.ts';
import type { PlanOptions } from '../planning/planOptions.ts';
import { configurationOf, motionLimitsOf } from '../sceneRobot.ts';
import { goalMiss } from './goalMiss.ts';
import { faultOf, ProgramStructure, type StepFault } from './programStructure.ts';
import { linkPoses, ProgramWorld } from './programWorld.ts';
import { scaledLimits } from './stepMotion.ts';

export type { StepFault } from './programStructure.ts';

/** Result of checking a trajectory against a program. */
export interface ProgramCheckResult extends CheckResult {
  /** Differences from the steps, in the order of the steps. */
  readonly stepFaults: readonly StepFault[];
  /** The scene in each interval between events that change it; empty if segments or events are wrong. */
  readonly intervals: readonly ProgramInterval[];
}

/** Interval of time with one scene. */
export interface ProgramInterval {
  /** Start, seconds. */
  readonly from: number;
  /** End, seconds. */
  readonly to: number;
  /** The scene then. */
  readonly world: ProgramWorld;
}

/** Absolute, rad and m (or per second): differences between a goal or rest and the trajectory that are accepted. */
const TOLERANCE = 1e-6;
/** Absolute, rad and m, and per second: the robot may move by this during a wait. */
const REST_TOLERANCE = 1e-9;
/** Relative: rates may exceed their scaled limits by this. */
const RATE_TOLERANCE = 1e-6;

/**
 * Checks a trajectory against the steps of a scene: segments and events, goals, lines and arcs, limits of each step,
 * rest at events, and collisions in the scene as it is between events. Everything is proved over continuous time.
 * Throws `InputError` for joints that are not the robot's.
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
  return new ProgramCheck(robot, scene, trajectory, options.checker, options.interrupt ?? never).result();
}

class ProgramCheck {
  private readonly faults: StepFault[] = [];
  /** Time of the trajectory, seconds, at which a proof of a step was interrupted. */
  private interruptedAt: number | undefined;
  private readonly tcp: LinkFrame;
  private readonly limits: MotionLimits;
  private readonly steps: readonly Step[];
  private readonly curve: TrajectoryCurve;
  private readonly structure: ProgramStructure;
  private readonly tracker: ToolTracker;
  private readonly prover: LegProver;
  private readonly speed: FrameSpeed;
  private readonly q: Float64Array;
  private readonly rates: Float64Array;
  private motions: readonly Motion[] | undefined;

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
    this.structure = new ProgramStructure(this.steps, trajectory, this.curve, robot.links[this.tcp.link].name);
    this.tracker = new ToolTracker(robot, this.tcp);
    this.prover = new LegProver(robot, this.tcp, interrupt);
    this.speed = new FrameSpeed(robot, this.tcp, interrupt);
    this.q = new Float64Array(robot.dof);
    this.rates = new Float64Array(robot.dof);
  }

  result(): ProgramCheckResult {
    const { trajectory, limits } = this;
    const { faults, ratios } = examineMotion(trajectory, limits);
    const base = { faults, ratios, duration: durationOf(trajectory) };
    const timesAreWrong = faults.some((fault) => fault.kind === 'time') || !isTimed(trajectory);
    if (timesAreWrong && faults.length === 0) this.fault(this.steps[0], 'a program needs points with times');
    if (trajectory.setPoints) this.fault(this.steps[0], 'set points do not show whether the robot rests at events');
    if (!timesAreWrong) this.faults.push(...this.structure.faults());
    if (timesAreWrong || this.faults.length > 0)
      return { ...base, valid: false, stepFaults: this.faults, intervals: [] };

    this.checkSteps();
    const intervals = this.intervals();
    const { interruptedAt } = this;
    const proof = interruptedAt === undefined ? this.prove(intervals) : { interrupted: { time: interruptedAt } };
    const valid = faults.length === 0 && this.faults.length === 0 && Object.keys(proof).length === 0;
    return { ...base, valid, stepFaults: this.faults, ...proof, intervals };
  }

  private get segments(): readonly TrajectorySegment[] {
    return this.structure.segments;
  }

  private checkSteps(): void {
    const { scene, robot, curve } = this;
    if (scene.start !== undefined) {
      const start = configurationOf(robot, scene.start, `${scene.name}: start`);
      curve.position(this.q, curve.start);
      const miss = start.reduce((most, value, j) => Math.max(most, Math.abs(value - this.q[j])), 0);
      if (!(miss <= TOLERANCE)) this.fault(this.steps[0], `the trajectory starts ${miss} away from the start`);
    }
    let world = new ProgramWorld(robot, scene, this.checker);
    if (this.segments.length === 0) this.checkConstraints(this.steps[0], { from: curve.start, to: curve.end });
    for (const step of this.steps) {
      const segment = this.segments.find((one) => one.step === step.index);
      if (hasSegment(step) && segment) {
        this.checkConstraints(step, segment);
        if (step.kind === 'wait') this.checkWait(step, segment);
        else this.checkMotion(step, segment, world);
      } else if (!hasSegment(step)) {
        const time = this.structure.endBefore(step.index);
        this.checkRest(step, time, 'at the event');
        curve.position(this.q, time);
        world = world.after(step, robot.links[this.tcp.link].name, this.q);
      }
    }
  }

  private checkWait(step: Extract<Step, { kind: 'wait' }>, { from, to }: TrajectorySegment): void {
    if (!(Math.abs(to - from - step.duration) <= TOLERANCE))
      this.fault(step, `waits ${to - from} s instead of ${step.duration} s`);
    const drift = to - from + 1; // bounds both the speed and the distance
    if (this.fastest(from, to, VELOCITY).some((rate) => !(rate * drift <= REST_TOLERANCE)))
      this.fault(step, 'the robot moves while it waits');
  }

  private checkMotion(step: MotionStep, segment: TrajectorySegment, world: ProgramWorld): void {
    const { from, to } = segment;
    this.checkRest(step, to, 'at its end');
    this.checkLimits(step, segment);
    const most = tcpSpeedLimit(this.scene, step);
    if (most < Number.POSITIVE_INFINITY && to > from) {
      const fault = this.speed.excess(this.curve, most, from, to);
      const what = fault && `TCP speed ${round(fault.value)} m/s at ${round(fault.time)} s, its limit is ${most} m/s`;
      if (what !== undefined) this.unproved(step, what, fault!.time);
    }
    if (step.kind === 'move') {
      this.curve.position(this.q, to);
      const miss = goalMiss(this.robot, world.scene, step.goals, this.q, stepName(step));
      if (!(miss <= TOLERANCE)) this.fault(step, `its end misses the goal by ${round(miss)}`);
    } else this.checkLegs(step, segment);
  }

  /** Proves the constraints of the scene and of a step in its segment, which may be a single instant. */
  private checkConstraints(step: Step | undefined, { from, to }: Pick<TrajectorySegment, 'from' | 'to'>): void {
    const { robot, scene } = this;
    const given = [
      ...(scene.constraints ?? []),
      ...(step !== undefined && 'constraints' in step ? step.constraints : []),
    ];
    if (given.length === 0) return;
    this.motions ??= curveMotions(this.curve);
    for (const one of given) {
      const label = constraintLabel(one);
      if (one.type === 'speed') {
        const speed = new FrameSpeed(robot, tcpOf(robot, one.frame ?? scene.tcp));
        const fault = speed.excess(this.curve, one.most, from, to);
        if (fault)
          this.fault(step, `constraint "${label}" is violated: ${round(fault.value)} m/s at ${round(fault.time)} s`);
        continue;
      }
      const set = new ConstraintSet(robot, [one], scene.tcp);
      for (const motion of to > from ? clipped(this.motions, from, to) : instant(this.motions, from)) {
        const found = set.violation(motion);
        if (!found) continue;
        const how = found.excess > 0 ? `is violated by ${round(found.excess)}` : 'cannot be proved';
        this.fault(step, `constraint "${label}" ${how} at ${round(found.time)} s`);
        break;
      }
    }
  }

  /** Proves that a line or arc is followed: each leg in the interval between the times at its ends. */
  private checkLegs(step: LineStep | ArcStep, { from, to }: TrajectorySegment): void {
    const { curve, q } = this;
    curve.position(q, from);
    const legs = stepLegs(step, this.tracker.pose(q), linkPoses(this.robot, q));
    if (!legs) {
      this.fault(step, 'its points define no circle');
      return;
    }
    let start = from;
    for (const [i, leg] of legs.entries()) {
      const end = i === legs.length - 1 ? to : this.timeNearest(leg, start, to, step.tolerance);
      const verdict = this.prover.prove(curve, { leg, from: start, to: end }, step.tolerance);
      if (verdict.kind !== 'proved') {
        if (verdict.kind === 'deviates') this.fault(step, describeDeviation(verdict));
        else this.unproved(step, describeDeviation(verdict), verdict.time);
        return;
      }
      start = end;
    }
  }

  /**
   * Returns the time of the point of the trajectory whose tool pose is nearest to the end of a leg, at the first visit:
   * a polyline may return to a corner.
   */
  private timeNearest(leg: CartesianLeg, from: number, to: number, tolerance: PathTolerance): number {
    const error = new Float64Array(6);
    let best = to;
    let least = Number.POSITIVE_INFINITY;
    let isVisited = false;
    for (const time of this.curve.times) {
      if (time < from || time > to) continue;
      this.curve.position(this.q, time);
      poseError(error, this.tracker.pose(this.q), leg.end);
      const position = norm(error.subarray(0, 3)) / tolerance.position;
      const angle = norm(error.subarray(3, 6)) / tolerance.angle;
      const isWithin = position <= 1 && angle <= 1;
      if (isVisited && !isWithin) break;
      isVisited = isWithin;
      if (position + angle >= least) continue;
      least = position + angle;
      best = time;
    }
    return best;
  }

  private checkLimits(step: MotionStep, { from, to }: TrajectorySegment): void {
    const limits = scaledLimits(this.limits, step);
    for (const [kind, order] of [
      ['velocity', VELOCITY],
      ['acceleration', ACCELERATION],
    ] as const) {
      for (const [j, rate] of this.fastest(from, to, order).entries()) {
        if (rate <= limits[kind][j] * (1 + RATE_TOLERANCE)) continue;
        const { name } = this.robot.variables[j];
        this.fault(step, `${name}: ${kind} ${round(rate)}, its limit is ${round(limits[kind][j])} in this step`);
      }
    }
  }

  /** Returns the maximum magnitude of a derivative of each joint over an interval. */
  private fastest(from: number, to: number, order: number): number[] {
    const { curve } = this;
    const out = new Array<number>(curve.dof).fill(0);
    for (let k = 0; k < curve.pieces; k++) {
      const a = Math.max(from, curve.times[k]) - curve.times[k];
      const b = Math.min(to, curve.times[k + 1]) - curve.times[k];
      if (!(b > a)) continue;
      for (let j = 0; j < curve.dof; j++)
        out[j] = Math.max(out[j], maxMagnitude(curve.polynomials, curve.polynomialIndex(k, j), order, a, b));
    }
    return out;
  }

  private checkRest(step: Step, time: number, where: string): void {
    this.curve.velocity(this.rates, time);
    const fastest = this.rates.reduce((most, rate) => Math.max(most, Math.abs(rate)), 0);
    if (!(fastest <= TOLERANCE)) this.fault(step, `not at rest ${where}, ${round(time)} s: velocity ${round(fastest)}`);
  }

  /** Returns the scene of each interval between events that change it. */
  private intervals(): ProgramInterval[] {
    const { curve, robot } = this;
    const linkOfTcp = robot.links[this.tcp.link].name;
    const out: ProgramInterval[] = [];
    let world = new ProgramWorld(robot, this.scene, this.checker);
    let from = curve.start;
    for (const step of this.steps) {
      if (hasSegment(step) || step.kind === 'set') continue;
      const time = this.structure.endBefore(step.index);
      out.push({ from, to: time, world });
      curve.position(this.q, time);
      world = world.after(step, linkOfTcp, this.q);
      from = time;
    }
    return [...out, { from, to: curve.end, world }];
  }

  /**
   * Proves each interval collision-free in its scene; returns the first pair in collision or unresolved, or where the
   * proof was interrupted. Empty if and only if every interval is proved.
   */
  private prove(intervals: readonly ProgramInterval[]): Pick<CheckResult, 'collision' | 'unresolved' | 'interrupted'> {
    const motions = curveMotions(this.curve);
    for (const { from, to, world } of intervals) {
      if (this.interrupt()) return { interrupted: { time: from } };
      const { manager } = world;
      this.curve.position(this.q, from);
      const pair = manager.firstCollision(this.q);
      if (pair) return { collision: { pair, time: from } };
      if (!(to > from)) continue;
      const prover = new MotionProver(manager.posed, proofDefaults);
      for (const motion of clipped(motions, from, to)) {
        const verdict = proveUnlessInterrupted(prover, motion, this.interrupt);
        if (verdict === 'certified') continue;
        if (verdict === undefined) return { interrupted: { time: motion.start } };
        const contact = { pair: manager.model.namesOf(prover.pair), time: prover.time };
        return verdict === 'collision' ? { collision: contact } : { unresolved: contact };
      }
    }
    return {};
  }

  /** Notes what is not proved: a fault, unless the proof was interrupted. */
  private unproved(step: Step, what: string, time: number): void {
    if (this.interrupt()) this.interruptedAt ??= time;
    else this.fault(step, what);
  }

  /** @param step undefined: a program without steps */
  private fault(step: Step | undefined, what: string): void {
    this.faults.push(faultOf(step, what));
  }
}

/** Returns the parts of motions within an interval of time. */
export function* clipped(motions: readonly Motion[], from: number, to: number): Generator<Motion> {
  for (const motion of motions) {
    const start = Math.max(from, motion.start);
    const end = Math.min(to, motion.end);
    if (!(end > start)) continue;
    yield start === motion.start && end === motion.end ? motion : new MotionInterval(motion, start, end);
  }
}

/** Returns the state at a time as a motion of no duration; within the curve, there is one. */
function instant(motions: readonly Motion[], time: number): Motion[] {
  const motion = motions.find(({ end }) => time <= end) ?? motions[motions.length - 1];
  return [new MotionInterval(motion, time, time)];
}

function describeDeviation(verdict: Exclude<LegVerdict, { kind: 'proved' }>): string {
  const { time, position, angle, kind } = verdict;
  const off = `${round(1000 * position)} mm and ${round((angle * 180) / Math.PI)} deg off its path at ${round(time)} s`;
  return kind === 'deviates' ? off : `cannot be proved to be on its path: at most ${off}`;
}

const round = (value: number) => Number(value.toPrecision(6));
