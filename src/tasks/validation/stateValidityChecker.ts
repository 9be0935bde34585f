import { StraightMotion } from '../../core/collision/motions/motion.ts';
import type { Clearance, CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../core/collision/validators/certifiedMotionValidator.ts';
import { isWithinLimits, RobotJointSpace } from '../../core/collision/validators/robotJointSpace.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { Pose, RobotDescription, RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import { PairGradients } from '../../core/optimization/pairGradients.ts';
import { shortestDifference } from '../../core/planning/metric.ts';
import type { CheckedScene, Scene } from '../../core/scene/scene.ts';
import type { ConvexShape, ShapeSpec } from '../../core/shapes/shape.ts';
import { InputError } from '../../errors.ts';
import { withWiderLimits } from '../planning/startTolerance.ts';
import { createSceneRobot } from '../sceneRobot.ts';
import { stillWorld } from '../world.ts';
import { type ClearanceGradient, clearanceGradient } from './clearanceGradient.ts';
import { type MotionValidityResult, StraightMotionChecker } from './validateMotions.ts';

/** Options of `StateValidityChecker`. */
export interface CheckerOptions {
  /** Narrow-phase algorithm. */
  readonly checker?: CheckerName;
  /** Creates the shape of a part; may return cached shapes. */
  readonly shapeOf?: (spec: ShapeSpec) => ConvexShape;
  /** Called at times during the proof of a motion, which it ends if it throws. */
  readonly interrupt?: Interrupt;
}

/**
 * State and motion validity checker for external planners. A configuration is any array of numbers, one per planned
 * joint (rad, m); it is copied. Throws `InputError` for wrong lengths; NaN is out of limits. Contains scratch memory
 * and caches, so each thread needs its own checker.
 */
export class StateValidityChecker {
  /** Number of planned joints: the length of q. */
  readonly dof: number;
  /** Names of the planned joints, in the order of q. */
  readonly joints: readonly string[];
  /** Lower sampling bound of each joint: its limit; half a turn, or ten metres, below 0 if it has none. */
  readonly lower: Float64Array;
  /** Upper sampling bound of each joint, likewise above 0. */
  readonly upper: Float64Array;
  /**
   * Constraints of the scene on states; undefined if there are none.
   * @internal
   */
  readonly constraints: ConstraintSet | undefined;
  /** The collision manager, for further queries. */
  readonly manager: CollisionManager;
  // Created on first use: each takes milliseconds in scenes of thousands of pairs.
  private createdMotions: CertifiedMotionValidator | undefined;
  private createdJudge: StraightMotionChecker | undefined;
  private createdGradients: PairGradients | undefined;
  private tolerated: { readonly tolerance: number; readonly checker: StateValidityChecker } | undefined;
  private readonly space: RobotJointSpace;
  private readonly q: Configuration;
  private readonly qTo: Configuration;

  constructor(
    /** Model of the robot of the scene. */
    readonly robot: RobotModel,
    private readonly scene: CheckedScene,
    private readonly options: CheckerOptions = {},
  ) {
    const space = new RobotJointSpace(robot);
    this.dof = robot.dof;
    this.joints = robot.variables.map((joint) => joint.name);
    this.lower = space.lower;
    this.upper = space.upper;
    this.manager = stillWorld(robot, scene, options).manager;
    const constraints = new ConstraintSet(robot, scene.constraints ?? [], scene.tcp);
    this.constraints = constraints.isEmpty ? undefined : constraints;
    this.space = space;
    this.q = new Float64Array(robot.dof);
    this.qTo = new Float64Array(robot.dof);
  }

  private get motions(): CertifiedMotionValidator {
    this.createdMotions ??= new CertifiedMotionValidator(
      this.manager,
      new RobotJointSpace(this.robot),
      this.options.interrupt,
    );
    return this.createdMotions;
  }

  private get judge(): StraightMotionChecker {
    this.createdJudge ??= new StraightMotionChecker(this.robot, this.manager);
    return this.createdJudge;
  }

  private get gradients(): PairGradients {
    this.createdGradients ??= new PairGradients(this.manager.posed);
    return this.createdGradients;
  }

  /**
   * Returns true if q is within limits, satisfies the constraints of the scene, and every checked pair is proved
   * separated by more than the padding. Allocates nothing.
   */
  isValid(q: ArrayLike<number>): boolean {
    this.copyInto(this.q, q);
    return this.isWithinBounds(this.q) && this.manager.isCollisionFree(this.q);
  }

  /**
   * Returns true if the straight motion is within limits, and proved collision-free and within the constraints of the
   * scene at every instant, both ends included. Unresolved motions are not valid.
   */
  isValidMotion(qFrom: ArrayLike<number>, qTo: ArrayLike<number>): boolean {
    this.copyInto(this.q, qFrom);
    this.copyInto(this.qTo, qTo);
    const { q: from, qTo: to, motions } = this;
    motions.prover.clearCaches(); // the result depends on the motion alone
    if (!this.isWithinBounds(from) || !this.isWithinBounds(to) || !motions.isMotionValid(from, to)) return false;
    return this.satisfiesConstraints(from, to);
  }

  /** As `isValidMotion`, but returns the verdict with the first contact and the joints out of limits. */
  judgeMotion(qFrom: ArrayLike<number>, qTo: ArrayLike<number>): MotionValidityResult {
    this.copyInto(this.q, qFrom);
    this.copyInto(this.qTo, qTo);
    return this.judge.judge(this.q, this.qTo, this.options.interrupt);
  }

  /**
   * Computes the clearance, the minimum distance over all checked pairs, metres, with its pair; negative penetration
   * depth in collision. With `gradient`, also its gradient with respect to q, and whether it is differentiable.
   */
  clearance(q: ArrayLike<number>): Clearance;
  clearance(q: ArrayLike<number>, options: { readonly gradient: true }): ClearanceGradient;
  clearance(q: ArrayLike<number>, options: { readonly gradient?: boolean } = {}): Clearance | ClearanceGradient {
    this.copyInto(this.q, q);
    const { manager, gradients } = this;
    return options.gradient ? clearanceGradient(manager, this.q, gradients) : manager.clearance(this.q);
  }

  /** Moves an obstacle for this checker only. */
  moveObstacle(name: string, pose: Pose): void {
    this.manager.moveObstacle(name, pose);
  }

  /**
   * Returns a checker that accepts joint values out of limits by at most a tolerance, rad or m, and checks them as they
   * are. It is kept for the same tolerance.
   */
  withTolerance(tolerance: number): StateValidityChecker {
    if (tolerance === 0) return this;
    if (this.tolerated?.tolerance !== tolerance) {
      const robot = withWiderLimits(this.robot, tolerance);
      this.tolerated = { tolerance, checker: new StateValidityChecker(robot, this.scene, this.options) };
    }
    return this.tolerated.checker;
  }

  /** Returns true if q is within limits and satisfies the constraints of the scene. @internal */
  isWithinBounds(q: Configuration): boolean {
    return isWithinLimits(this.robot, q) && this.constraints?.isSatisfied(q) !== false;
  }

  /** Proves that a straight motion satisfies the constraints; continuous joints take the shorter direction. */
  private satisfiesConstraints(qFrom: Configuration, qTo: Configuration): boolean {
    if (!this.constraints) return true;
    const { halfTurns } = this.space;
    const motion = new StraightMotion(this.dof);
    motion.qFrom = qFrom;
    motion.qTo = halfTurns ? qFrom.map((value, i) => value + shortestDifference(value, qTo[i], halfTurns[i])) : qTo;
    return this.constraints.violation(motion) === undefined;
  }

  /** Copies q into `out`; throws `InputError` for a wrong length, and during a query, which may use `out`. */
  private copyInto(out: Configuration, q: ArrayLike<number>): void {
    this.manager.posed.use.requireFree();
    if (q.length !== this.dof) throw wrongLength(q.length, this.joints);
    for (let i = 0; i < this.dof; i++) out[i] = q[i];
  }
}

/**
 * Creates the validity checker of a robot in a scene, for planners in JavaScript.
 * @param robot robot description as `loadScene` returns it, or a model of it
 */
export function createStateValidityChecker(
  robot: RobotDescription | RobotModel,
  scene: Scene,
  options: { readonly checker?: CheckerName } = {},
): StateValidityChecker {
  return new StateValidityChecker('variables' in robot ? robot : createSceneRobot({ scene, robot }), scene, options);
}

function wrongLength(count: number, joints: readonly string[]): InputError {
  return new InputError(
    `q has ${count} values, the robot has ${joints.length} planned joints`,
    `${joints.join(', ')}.`,
  );
}
