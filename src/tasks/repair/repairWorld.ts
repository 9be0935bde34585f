import type { Motion } from '../../core/collision/motions/motion.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { cubeRoot } from '../../core/trajectory/restToRest.ts';
import { type Arc, arcMotion, totalDuration } from '../../core/trajectory/retiming/arc.ts';
import { retime, slowedDown } from '../../core/trajectory/retiming/retime.ts';
import { smoothCorners } from '../../core/trajectory/retiming/smoothCorners.ts';
import { laterPoints, type MotionLimits, type TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../core/trajectory/trajectoryLimits.ts';
import { proofDefaults } from '../checking/proofLimits.ts';
import { curveMotions } from '../checking/worldMotions.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { blendRules, timedBy } from '../timing/blendRules.ts';
import { timingContext } from '../timing/timingContext.ts';
import { createSpeedExcess } from './speedExcess.ts';

/**
 * Limits of the proofs of new arcs: coarser than those of given arcs, so that candidates with almost no clearance are
 * rejected quickly.
 */
const CANDIDATE_PROOF = { resolution: 1e-4, intervals: 20_000 };
/** Rad or m: as in `examineMotion`. */
const POSITION_TOLERANCE = 1e-9;

/** Robot, scene and provers of one repair; not shared between threads. */
export class RepairWorld {
  readonly constraints: ConstraintSet;
  readonly limits: MotionLimits;
  readonly jointNames: readonly string[];
  readonly padding: number;
  private readonly finest: MotionProver;
  private readonly prover: MotionProver;
  private readonly lower: Float64Array;
  private readonly upper: Float64Array;

  constructor(
    readonly robot: RobotModel,
    readonly scene: Scene,
    readonly interrupt: Interrupt,
    /** Collision manager of the scene. */
    readonly manager: CollisionManager,
  ) {
    this.constraints = new ConstraintSet(robot, scene.constraints ?? [], scene.tcp);
    this.limits = motionLimitsOf(robot, scene);
    this.jointNames = robot.variables.map(({ name }) => name);
    this.padding = this.manager.model.scene.padding;
    this.finest = new MotionProver(this.manager.posed, proofDefaults);
    this.prover = new MotionProver(this.manager.posed, CANDIDATE_PROOF);
    this.lower = new Float64Array(robot.dof);
    this.upper = new Float64Array(robot.dof);
  }

  /** Returns true if a given arc is proved valid as by `check`: limits of positions, constraints, collisions. */
  isGivenValid(arc: Arc): boolean {
    return this.givenFaultTime(arc) === undefined;
  }

  /** Returns a time of a given arc at which it is not valid, or not proved; undefined if it is proved valid. */
  givenFaultTime(arc: Arc): number | undefined {
    return this.faultTime(arc, this.finest);
  }

  /** Returns true if a new arc is proved valid, with a smaller budget. */
  isValid(arc: Arc): boolean {
    return this.newFaultTime(arc) === undefined;
  }

  /** Returns a time of a new arc at which it is not valid, or not proved; undefined if it is proved valid. */
  newFaultTime(arc: Arc): number | undefined {
    return this.faultTime(arc, this.prover);
  }

  /** Returns true if a state is within its limits, satisfies the constraints and is collision-free. */
  isStateValid(q: Float64Array): boolean {
    return this.isWithinLimits(q) && this.constraints.isSatisfied(q) && this.manager.isCollisionFree(q);
  }

  isWithinLimits(q: ArrayLike<number>): boolean {
    for (let j = 0; j < q.length; j++) if (!this.isWithin(q[j], j)) return false;
    return true;
  }

  /** Returns true if a value of joint j is within its limits. */
  isWithin(value: number, j: number): boolean {
    const { lower, upper } = this.limits;
    return value >= lower[j] - POSITION_TOLERANCE && value <= upper[j] + POSITION_TOLERANCE;
  }

  private faultTime(arc: Arc, prover: MotionProver): number | undefined {
    const curve = new TrajectoryCurve(arcMotion(arc, this.jointNames));
    const { lower, upper } = this;
    const scale = arc.duration / (curve.end - curve.start);
    curve.positionBounds(lower, upper, curve.start, curve.end);
    if (!this.isWithinLimits(lower) || !this.isWithinLimits(upper)) return this.limitTime(curve) * scale;
    const [motion] = curveMotions(curve);
    const violation = this.constraints.violation(motion);
    if (violation) return violation.time * scale;
    prover.clearCaches();
    return this.collisionTime(prover, motion, scale);
  }

  private collisionTime(prover: MotionProver, motion: Motion, scale: number): number | undefined {
    const verdict = proveUnlessInterrupted(prover, motion, this.interrupt);
    if (verdict === 'certified') return undefined;
    return (verdict === undefined ? motion.start : prover.time) * scale;
  }

  /** Returns the sampled time of a curve at which a joint is farthest beyond its limits. */
  private limitTime(curve: TrajectoryCurve): number {
    const { lower, upper } = this.limits;
    const q = new Float64Array(curve.dof);
    let [worst, time] = [Number.NEGATIVE_INFINITY, curve.start];
    for (let i = 0; i <= LIMIT_SAMPLES; i++) {
      const t = curve.start + (i / LIMIT_SAMPLES) * (curve.end - curve.start);
      curve.position(q, t);
      const excess = q.reduce((most, x, j) => Math.max(most, lower[j] - x, x - upper[j]), Number.NEGATIVE_INFINITY);
      if (excess > worst) [worst, time] = [excess, t];
    }
    return time;
  }
}

const LIMIT_SAMPLES = 64;

/** Distance (rad, m, in each joint) between resampled segments and the given curve. */
const RESAMPLING = 2e-7;
/** Factor by which a motion is slowed down beyond the measured excess. */
const OVERSHOOT = 1 + 1e-6;
const MAX_ROUNDS = 20;
/** Rad or m, in each joint: distance of blends from the corners of a given curve, and of one with replaced parts. */
const CORNER_TOLERANCE = 5e-5;
const CURVE_TOLERANCE = 5e-7;
/** Seconds: rounding errors of durations, as in the check of programs. */
const TIME_TOLERANCE = 1e-9;

/** Options of `repairTimes`. */
interface TimesOptions {
  /** Time of the first point, seconds. */
  readonly start: number;
  /** True if all times are to remain. */
  readonly keepTimes: boolean;
  /** True if the curve is the given one: corners may then be blended farther away from it. */
  readonly isCurveKept: boolean;
}

/** The timed motion: points, and the curve with true for each arc that keeps its times and its polynomial. */
interface TimesRepair {
  readonly points: readonly TrajectoryPoint[];
  readonly arcs: readonly Arc[];
  readonly kept: readonly boolean[];
}

/**
 * Computes times of a curve within all limits, as near as possible to its own: corners are smoothed, and the motion is
 * slowed down where it is too fast. Undefined if that fails. The result is not proved.
 */
export function repairTimes(world: RepairWorld, given: readonly Arc[], options: TimesOptions): TimesRepair | undefined {
  const { limits, jointNames } = world;
  const { start, keepTimes, isCurveKept } = options;
  const arcs = smoothCorners(given, {
    velocityLimits: limits.velocity,
    tolerance: isCurveKept ? CORNER_TOLERANCE : CURVE_TOLERANCE,
    isValid: (arc) => world.isValid(arc),
  });
  if (keepTimes) return { arcs, points: atGivenTimes(arcs, start), kept: arcs.map(() => true) };
  if (hasJerkLimit(arcs, limits)) return withJerkLimits(world, given, arcs, start);
  const { robot, scene, interrupt } = world;
  const speeds = createSpeedExcess(robot, scene, interrupt);
  const retimed = retime(arcs, { limits, jointNames, start, tolerance: RESAMPLING, interrupt, speeds });
  return retimed && { arcs, ...retimed };
}

/** Returns true if two curves have the same duration. */
export const areEquallyLong = (a: readonly Arc[], b: readonly Arc[]): boolean =>
  Math.abs(totalDuration(a) - totalDuration(b)) <= TIME_TOLERANCE;

/** Returns the points of arcs at their given times, which sums of durations would round. */
function atGivenTimes(arcs: readonly Arc[], start: number): TrajectoryPoint[] {
  return slowedDown(arcs, 1, start).map((point, k) => ({
    ...point,
    time_from_start: arcs[k]?.given?.from ?? arcs[k - 1]?.given?.to ?? point.time_from_start!,
  }));
}

/** Returns true if a joint that moves has a jerk limit. */
function hasJerkLimit(arcs: readonly Arc[], { jerk }: MotionLimits): boolean {
  return arcs.some(({ polynomials }) =>
    polynomials.some((c, i) => i % SIZE !== 0 && c !== 0 && jerk[Math.floor(i / SIZE)] < Number.POSITIVE_INFINITY),
  );
}
const SIZE = 6;

/**
 * Computes the times of a motion with jerk limits: those given; the whole motion slowed down; or, along straight lines,
 * with a stop at each corner.
 */
function withJerkLimits(
  world: RepairWorld,
  given: readonly Arc[],
  arcs: readonly Arc[],
  start: number,
): TimesRepair | undefined {
  const { jointNames, limits, robot, manager, interrupt, scene } = world;
  const frames = createSpeedExcess(robot, scene, interrupt);
  let factor = 1;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const points = slowedDown(arcs, factor, start);
    const { faults, ratios } = examineMotion({ jointNames, points }, limits);
    const speeds = frames?.excess({ jointNames, points }).map(({ ratio }) => ratio) ?? [];
    const most = Math.max(ratios.velocity, Math.sqrt(ratios.acceleration), cubeRoot(ratios.jerk), ...speeds);
    if (faults.length === 0 && speeds.length === 0) return { arcs, points, kept: arcs.map(() => factor === 1) };
    if (!(most > 1 && most < Number.POSITIVE_INFINITY)) break;
    factor *= most * OVERSHOOT;
  }
  if (!given.every(({ kind }) => kind === 'linear')) return undefined;
  const path = [given[0].from, ...given.map(({ to }) => to)].map(({ positions }) => positions);
  const timed = timedBy(blendRules.stop, path, timingContext(robot, manager.posed, never, interrupt));
  const points = timed && laterPoints(timed.trajectory.points, start);
  return points && { arcs: given, points, kept: given.map(() => false) };
}
