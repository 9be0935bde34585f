import type { Motion } from '../../core/collision/motions/motion.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { type Arc, arcMotion } from '../../core/trajectory/retiming/arc.ts';
import type { MotionLimits } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { proofDefaults } from '../checking/checkTrajectory.ts';
import { curveMotions } from '../checking/curveMotions.ts';
import { motionLimitsOf } from '../sceneRobot.ts';

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
