import { FrameSpeed } from '../../../core/cartesian/frameSpeed.ts';
import { type Motion, MotionInterval } from '../../../core/collision/motions/motion.ts';
import { MotionProver } from '../../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../../core/collision/proofs/proverPool.ts';
import { ConstraintSet } from '../../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import {
  constraintLabel,
  isForceConstraint,
  isRateConstraint,
  isStopConstraint,
  type PathConstraint,
} from '../../../core/scene/constraints.ts';
import type { MotionStep, Step } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { MotionLimits, Trajectory, TrajectorySegment } from '../../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { isOpenAtSetPoints, unitOfConstraint } from '../../checking/constraintFaults.ts';
import { proofDefaults } from '../../checking/proofLimits.ts';
import { rateExcessOf } from '../../checking/rateLimits.ts';
import { clipped, curveMotions } from '../../checking/worldMotions.ts';
import { StopLimits } from '../../forces/stopLimits.ts';
import { partsOf, type Timeline } from '../../timeline.ts';
import type { World } from '../../world.ts';
import type { RunMotion, TimedRun } from '../programRun.ts';
import { nearestGoalPose } from '../search/goalPoses.ts';
import { FrameSpeedRules } from '../speedRules.ts';
import { limitFaults } from '../stepLimits.ts';
import { scaledLimits } from '../stepMotion.ts';
import { type Junction, LegChecks } from './legChecks.ts';

/** Fault of a run, and its time, seconds: the tool leaves its path, a frame is too fast, or another one. */
export interface RunFault {
  readonly kind: 'path' | 'rate' | 'other';
  readonly time: number;
  /** For `rate` of a frame: speed divided by its limit. */
  readonly factor?: number;
}

/** Steps of a run, by the indices of their first and last motion. */
interface StepMotionsOfRun {
  readonly step: MotionStep;
  readonly last: number;
}

/** Checks the blends of one run, so that they can be changed before the check of the whole program. */
export class RunChecks {
  private readonly steps: readonly StepMotionsOfRun[];

  constructor(
    private readonly robot: RobotModel,
    private readonly world: World,
    private readonly limits: MotionLimits,
    private readonly motions: readonly Pick<RunMotion, 'step' | 'tcpSpeed'>[],
    private readonly interrupt: Interrupt,
  ) {
    this.steps = motions
      .map(({ step }, last) => ({ step, last }))
      .filter(({ step, last }) => motions[last + 1]?.step !== step);
  }

  /** Returns the first fault of a run in the order of its steps; undefined if there is none. */
  faultOf({ trajectory, ends, blends }: TimedRun, radii: readonly number[]): RunFault | undefined {
    const { robot, world, limits, interrupt } = this;
    const tcp = tcpOf(robot, world.scene.tcp);
    const curve = new TrajectoryCurve(trajectory);
    const legs = new LegChecks(robot, tcp, curve, interrupt);
    const speed = new FrameSpeed(robot, tcp, interrupt);
    const constraints = new ConstraintChecks(robot, world.scene, trajectory, curve, [
      { from: curve.start, to: curve.end, world, step: -1 },
    ]);
    let from = curve.start;
    let junction: Junction | undefined;
    for (const { step, last } of this.steps) {
      const to = ends[last];
      const isBlended = radii[last] > 0;
      if (limitFaults(curve, robot, scaledLimits(limits, step), from, to).length > 0)
        return { kind: 'rate', time: from };
      const { tcpSpeed } = this.motions[last];
      if (tcpSpeed < Number.POSITIVE_INFINITY && speed.excess(curve, tcpSpeed, from, to))
        return { kind: 'rate', time: from };
      const factor = new FrameSpeedRules(robot, world.scene, step, interrupt).excess(curve, from, to);
      if (factor > 1) return { kind: 'rate', time: from, factor };
      const end = this.endOf(step, from, to, junction, isBlended, legs);
      if ('kind' in end) return end;
      if (constraints.faults(step, { from, to }).length > 0) return { kind: 'other', time: isBlended ? to : from };
      junction = end.junction;
      if (junction && !legs.isNear(junction, to)) return { kind: 'other', time: to };
      from = to;
    }
    const factor = this.excessOfStops(trajectory, ends);
    if (factor > 1) return { kind: 'rate', time: curve.start, factor };
    return this.collisionIn(curve, blends);
  }

  /** Checks the path of a step; returns the junction at its end, or its fault. */
  private endOf(
    step: MotionStep,
    from: number,
    to: number,
    start: Junction | undefined,
    isBlended: boolean,
    legs: LegChecks,
  ): { readonly junction: Junction | undefined } | RunFault {
    if (step.kind === 'move') {
      const T = isBlended ? nearestGoalPose(this.robot, this.world.scene, step, legs.poseAt(to)) : undefined;
      return { junction: T && { T_world_tcp: T, radius: step.blend } };
    }
    if (step.kind === 'path') return { junction: undefined }; // begins and ends at rest: is never blended
    const { deviation, end } = legs.check(step, { from, to }, start, isBlended);
    if (deviation) return { kind: 'path', time: deviation.time };
    return { junction: isBlended && end ? { T_world_tcp: end, radius: step.blend } : undefined };
  }

  /** Returns by what factor the run is too fast for its stops; at most 1 if they keep their limits. */
  private excessOfStops(trajectory: Trajectory, ends: readonly number[]): number {
    const stops = StopLimits.of(this.robot, this.world.scene, this.interrupt);
    if (stops === undefined) return 0;
    let end = 0;
    const segments = this.steps.map(({ step: { index, kind }, last }): TrajectorySegment => {
      const from = end;
      end = ends[last];
      return { step: index, kind, from, to: end };
    });
    return stops.excess({ ...trajectory, segments });
  }

  private collisionIn(curve: TrajectoryCurve, blends: TimedRun['blends']): RunFault | undefined {
    const motions = curveMotions(curve);
    const prover = new MotionProver(this.world.still.manager.posed, proofDefaults);
    for (const blend of blends) {
      if (!blend) continue;
      for (const motion of clipped(motions, blend[0], blend[1]))
        if (proveUnlessInterrupted(prover, motion, this.interrupt) !== 'certified')
          return { kind: 'other', time: 0.5 * (blend[0] + blend[1]) };
    }
    return undefined;
  }
}

/** Proves the constraints of a program along a trajectory. */
export class ConstraintChecks {
  private motions: readonly Motion[] | undefined;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly trajectory: Pick<Trajectory, 'setPoints'>,
    private readonly curve: TrajectoryCurve,
    /** Intervals, in each of which the loads of the robot do not change. */
    private readonly intervals: Timeline,
  ) {}

  /**
   * Proves the constraints of the scene and of a step in its segment, which may be a single instant. Returns what is
   * violated or cannot be proved.
   * @param step undefined: a program without steps
   */
  faults(step: Step | undefined, { from, to }: Pick<TrajectorySegment, 'from' | 'to'>): string[] {
    const own = step !== undefined && 'constraints' in step ? step.constraints : [];
    // Limits of stops concern the motion as a whole: see `StopLimits`.
    const ofScene = (this.scene.constraints ?? []).filter((one) => !isStopConstraint(one));
    const given = [...ofScene, ...own];
    const onRates = given.filter(isRateConstraint);
    const violated = this.areStatesKept(given, from, to) ? onRates : given;
    return violated.map((one) => this.faultOf(one, from, to)).filter((fault) => fault !== undefined);
  }

  /** Returns true if all constraints on states are proved at once. */
  private areStatesKept(constraints: readonly PathConstraint[], from: number, to: number): boolean {
    const { robot, scene } = this;
    const set = ConstraintSet.ofScene(robot, { ...scene, constraints });
    return set === undefined || this.motionsIn(from, to).every((motion) => set.violation(motion) === undefined);
  }

  private motionsIn(from: number, to: number): Motion[] {
    this.motions ??= curveMotions(this.curve);
    return to > from ? [...clipped(this.motions, from, to)] : instant(this.motions, from);
  }

  private faultOf(one: PathConstraint, from: number, to: number): string | undefined {
    const { robot, scene, curve } = this;
    const label = constraintLabel(one);
    if (isOpenAtSetPoints(one, this.trajectory))
      return `constraint "${label}" cannot be proved: set points state no accelerations`;
    if (isStopConstraint(one)) return `constraint "${label}" cannot be proved: stops of steps are not judged`;
    if (isRateConstraint(one)) {
      const within = isForceConstraint(one) ? partsOf(this.intervals) : [{ from, to, scene }];
      for (const part of within) {
        const [begin, end] = [Math.max(from, part.from), Math.min(to, part.to)];
        const fault = begin > end ? undefined : rateExcessOf(robot, one, part.scene)(curve, begin, end);
        const unit = one.type === 'joint_speed' ? '' : ` ${unitOfConstraint(one, robot)}`;
        if (fault) return `constraint "${label}" is violated: ${round(fault.value)}${unit} at ${round(fault.time)} s`;
      }
      return undefined;
    }
    const set = new ConstraintSet(robot, [one], scene.tcp);
    for (const motion of this.motionsIn(from, to)) {
      const found = set.violation(motion);
      if (!found) continue;
      const how = found.excess > 0 ? `is violated by ${round(found.excess)}` : 'cannot be proved';
      return `constraint "${label}" ${how} at ${round(found.time)} s`;
    }
    return undefined;
  }
}

/** Returns the state at a time, which lies within the motions, as one motion of no duration. */
function instant(motions: readonly Motion[], time: number): Motion[] {
  const motion = motions.find(({ end }) => time <= end) ?? motions[motions.length - 1];
  return [new MotionInterval(motion, time, time)];
}

const round = (value: number) => Number(value.toPrecision(6));
