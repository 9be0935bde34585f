import type { CartesianLeg } from '../../src/core/cartesian/cartesianLeg.ts';
import { jointBeyondLimits } from '../../src/core/cartesian/followLeg.ts';
import type { LegKnot } from '../../src/core/cartesian/legKnot.ts';
import { describeFollowFault } from '../../src/core/cartesian/planLeg.ts';
import { stepLegs } from '../../src/core/cartesian/stepLegs.ts';
import { timeLeg } from '../../src/core/cartesian/timeLeg.ts';
import type { ToolTracker } from '../../src/core/cartesian/toolTracker.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { type LinkFrame, tcpOf } from '../../src/core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../src/core/math/configuration.ts';
import { create } from '../../src/core/math/transform.ts';
import { type ArcStep, hasSegment, type LineStep, type StepRules } from '../../src/core/scene/program.ts';
import type { Scene } from '../../src/core/scene/scene.ts';
import { wholeNanoseconds, withRoundedTimes } from '../../src/core/trajectory/roundedTimes.ts';
import {
  durationOf,
  type MotionLimits,
  type Trajectory,
  type TrajectoryPoint,
} from '../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../src/core/trajectory/trajectoryLimits.ts';
import { type PlanOptions, planDefaults } from '../../src/tasks/planning/planOptions.ts';
import type { PlanMotionResult } from '../../src/tasks/planning/planStats.ts';
import type { ProgramCheckResult } from '../../src/tasks/programs/checks/checkProgram.ts';
import { ProgramPlanning } from '../../src/tasks/programs/programPlanning.ts';
import { plannedTcpSpeed } from '../../src/tasks/programs/speedRules.ts';
import { StepMotions, scaledLimits } from '../../src/tasks/programs/stepMotion.ts';
import type { LegFault, StepPath } from '../../src/tasks/programs/stepPath.ts';
import { createSceneRobot, type Problem } from '../../src/tasks/sceneRobot.ts';
import { linkPoses, World } from '../../src/tasks/world.ts';

/** Distance between the states of free motions and of the final check, rad (L2 over the joints). */
const STEP = 0.02;
/** Distance between the states of lines, metres; of their rotations, radians. */
const LINE_STEP = { length: 1e-3, angle: 5e-3 };
/** rad or m: a joint that moves by more between two states of a line jumps to another IK branch. */
const MAX_JUMP = 0.1;

/** Results of `planSampled`. */
export interface SampledResult {
  readonly result: PlanMotionResult;
  /** Number of states of lines. */
  readonly states: number;
}

/**
 * Plans a program as `planProgram`, with samples in place of proofs: the same search, inverse kinematics, collision
 * checker and timing. Free motions have sampled edges, lines are inverse-kinematics solutions at steps of 1 mm, and the
 * timed program is checked at states 0.02 rad apart. Programs without blends, moving obstacles and constraints only.
 */
export function planSampled(problem: Problem, given: Partial<PlanOptions>): SampledResult {
  const options: PlanOptions = { ...planDefaults, ...given, edges: 'sampled', step: STEP };
  const planning = new SampledPlanning(createSceneRobot(problem), problem, options, {});
  const result = planning.solve();
  return { result, states: planning.lines.states };
}

class SampledPlanning extends ProgramPlanning {
  /** Set by the constructor of the base class. */
  declare lines: SampledMotions;

  protected override createMotions(robot: RobotModel, tcp: LinkFrame, limits: MotionLimits): StepMotions {
    this.lines = new SampledMotions(robot, tcp, limits, this.scene);
    return this.lines;
  }

  /** Checks limits as `checkProgram`, and collisions of states in the scene of each interval between events. */
  protected override check(robot: RobotModel, scene: Scene, trajectory: Trajectory): ProgramCheckResult {
    const curve = new TrajectoryCurve(trajectory);
    const { faults, ratios } = examineMotion(trajectory, this.limits);
    const linkOfTcp = robot.links[tcpOf(robot, scene.tcp).link].name;
    const q = new Float64Array(robot.dof);
    let world = new World(robot, scene, { checker: this.options.checker });
    let from = curve.start;
    let isFree = true;
    for (const step of scene.steps ?? []) {
      const segment = trajectory.segments?.find((one) => one.step === step.index);
      if (segment) isFree &&= areStatesFree(curve, world, from, segment.to);
      from = segment?.to ?? from;
      if (hasSegment(step)) continue;
      curve.position(q, from);
      world = world.after(step, linkOfTcp, q);
    }
    const valid = isFree && faults.length === 0;
    return { faults, ratios, duration: durationOf(trajectory), valid, stepFaults: [], intervals: [] };
  }
}

/** True if states of a curve that are about STEP apart are collision-free. */
function areStatesFree(curve: TrajectoryCurve, world: World, from: number, to: number): boolean {
  const [q, before] = [new Float64Array(curve.dof), new Float64Array(curve.dof)];
  const times = [from, ...Array.from(curve.times).filter((time) => time > from && time < to), to];
  curve.position(before, from);
  let travelled = STEP; // since the last state that was checked
  for (let k = 0; k + 1 < times.length; k++) {
    curve.position(q, times[k + 1]);
    const pieces = Math.max(1, Math.ceil(distance(before, q) / STEP));
    for (let i = 1; i <= pieces; i++) {
      curve.position(q, times[k] + (i / pieces) * (times[k + 1] - times[k]));
      travelled += distance(before, q);
      before.set(q);
      if (travelled < STEP && k + 2 < times.length) continue;
      travelled = 0;
      if (!world.still.manager.isCollisionFree(q)) return false;
    }
  }
  return true;
}

function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return Math.sqrt(sum);
}

/** Lines and arcs by inverse kinematics at steps of 1 mm, without proofs. */
class SampledMotions extends StepMotions {
  /** Number of states that were checked. */
  states = 0;

  constructor(
    private readonly arm: RobotModel,
    tcp: LinkFrame,
    private readonly mostOf: MotionLimits,
    private readonly from: Scene,
  ) {
    super(arm, tcp, mostOf, from);
  }

  override path(step: LineStep | ArcStep, q: Configuration, world: World): StepPath | LegFault {
    const { tracker } = this.tools;
    this.followed++;
    const legs = stepLegs(step, tracker.pose(q), linkPoses(this.arm, q));
    if (!legs) return { fraction: 0, reason: 'no circle', isLimit: false };
    const done: { leg: CartesianLeg; knots: readonly LegKnot[] }[] = [];
    let at = q;
    for (const leg of legs) {
      const knots = this.sampled(tracker, leg, at, world);
      if ('reason' in knots) return knots;
      done.push({ leg, knots });
      at = knots[knots.length - 1].q;
    }
    return { legs: done, end: at };
  }

  override timed({ legs }: StepPath, rules: StepRules): readonly TrajectoryPoint[] | LegFault {
    const limits = scaledLimits(this.mostOf, rules);
    const tcpSpeed = plannedTcpSpeed(this.from, rules);
    const points: TrajectoryPoint[] = [];
    let time = 0;
    for (const { leg, knots } of legs) {
      const timed = timeLeg(knots, limits, leg.length > 0 ? tcpSpeed / leg.length : Number.POSITIVE_INFINITY);
      const jointNames = this.arm.variables.map((joint) => joint.name);
      const fastest = { jointNames, points: timed.map(({ point }) => point), interpolation: 'cubic' } as const;
      const rounded = withRoundedTimes(fastest, limits);
      if (!rounded) return { fraction: 0, reason: 'no motion within the limits of the joints', isLimit: false };
      for (const point of rounded.points.slice(1))
        points.push({ ...point, time_from_start: wholeNanoseconds(time + point.time_from_start!) });
      time = points[points.length - 1].time_from_start!;
    }
    return points;
  }

  private sampled(tracker: ToolTracker, leg: CartesianLeg, q: Configuration, world: World) {
    const steps = Math.max(1, Math.ceil(Math.max(leg.length / LINE_STEP.length, leg.angle / LINE_STEP.angle)));
    const knots: LegKnot[] = [];
    const T = create();
    const twist = new Float64Array(6);
    const at = q.slice();
    for (let k = 0; k <= steps; k++) {
      const s = k / steps;
      const before = at.slice();
      const last = knots.length > 0 ? knots[knots.length - 1].dq : undefined;
      for (let j = 0; last && j < at.length; j++) at[j] += last[j] / steps;
      leg.poseAt(T, s);
      const isFound = tracker.correct(at, T) && at.every((value, j) => Math.abs(value - before[j]) <= MAX_JUMP);
      if (!isFound) return { fraction: s, reason: describeFollowFault({ kind: 'singular' }, tracker), isLimit: false };
      const joint = jointBeyondLimits(tracker, at);
      if (joint !== undefined) return { fraction: s, reason: `${joint} at its limit`, isLimit: true };
      this.states++;
      if (!world.still.manager.isCollisionFree(at)) return { fraction: s, reason: 'a collision', isLimit: false };
      leg.twistAt(twist, s);
      const dq = new Float64Array(at.length);
      tracker.tangent(dq, at, twist, 1e-6 * (leg.length + leg.angle));
      knots.push({ s, q: at.slice(), dq });
    }
    return knots;
  }
}
