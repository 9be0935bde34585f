import { MotionInterval, StraightMotion } from '../../core/collision/motions/motion.ts';
import { MotionProver, type MotionVerdict } from '../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import { constraintLabel } from '../../core/scene/constraints.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { proofDefaults } from '../checking/proofLimits.ts';
import { stillWorld } from '../world.ts';

/** Result of a motion validity check. */
export interface MotionValidityResult {
  /**
   * True if within limits at both ends (so at every instant), proved collision-free at every instant, and proved to
   * satisfy all constraints of the scene on states.
   */
  readonly valid: boolean;
  /** Verdict of the collision check, limits aside. */
  readonly verdict: MotionVerdict;
  /** Joints out of limits at either end. */
  readonly limits: readonly string[];
  /** Names of the constraints that are violated or not proved; present if the scene has constraints. */
  readonly constraints?: readonly string[];
  /** First contact; absent if the motion is certified. */
  readonly contact?: Contact;
}

/** First contact of a motion; times from 0 (start) to 1 (end). */
export interface Contact {
  /** Names of the two links or objects. */
  readonly pair: readonly [string, string];
  /** Proved collision-free until this time. */
  readonly freeUntil: number;
  /** Time of collision, or (verdict `unresolved`) of a state that cannot be distinguished from one. */
  readonly time: number;
}

/** Tolerance of the first contact time. */
const CONTACT_WIDTH = 1e-6;

/** Creates a function that checks straight motions in a scene. It keeps caches, so reuse it for many motions. */
export function createMotionValidator(
  robot: RobotModel,
  scene: Scene,
  { checker = 'growth-distance' }: { readonly checker?: CheckerName } = {},
): (qFrom: Configuration, qTo: Configuration) => MotionValidityResult {
  const judge = new StraightMotionChecker(robot, stillWorld(robot, scene, { checker }).manager);
  return (qFrom, qTo) => judge.judge(qFrom, qTo);
}

/** Checks straight motions with the poses and caches of a collision manager. */
export class StraightMotionChecker {
  private readonly prover: MotionProver;
  /** One set for each constraint; undefined if the scene has none. */
  private readonly constraints: readonly { readonly label: string; readonly set: ConstraintSet }[] | undefined;

  constructor(
    private readonly robot: RobotModel,
    private readonly manager: CollisionManager,
  ) {
    const { constraints = [], tcp } = manager.model.scene;
    const sets = constraints.map((one) => ({ label: constraintLabel(one), set: new ConstraintSet(robot, [one], tcp) }));
    this.constraints = sets.length === 0 ? undefined : sets;
    this.prover = new MotionProver(manager.posed, proofDefaults);
  }

  /**
   * Checks one motion.
   * @param interrupt may throw to end the check
   */
  judge(qFrom: Configuration, qTo: Configuration, interrupt: Interrupt = never): MotionValidityResult {
    const { robot, prover } = this;
    const motion = new StraightMotion(robot.dof);
    const out = new Set([...jointsOutOfLimits(robot, qFrom), ...jointsOutOfLimits(robot, qTo)]);
    const limits = robot.variables.map((joint) => joint.name).filter((name) => out.has(name));
    motion.qFrom = qFrom;
    motion.qTo = qTo;
    const constraints = this.violated(motion);
    prover.clearCaches();
    const verdict = proveUnlessInterrupted(prover, motion, interrupt)!;
    const clearance = verdict === 'collision' ? this.manager.model.clearanceOf(prover.pair) : undefined;
    const violated = clearance === undefined ? constraints : [...(constraints ?? []), clearance];
    const listed = violated && { constraints: [...new Set(violated)] };
    const valid = limits.length === 0 && !constraints?.length;
    if (verdict === 'certified') return { valid, verdict, limits, ...listed };
    return { valid: false, verdict, limits, ...listed, contact: this.firstContact(motion, interrupt) };
  }

  /** Returns the names of the constraints that a motion is not proved to satisfy; undefined if there are none. */
  private violated(motion: StraightMotion): string[] | undefined {
    if (!this.constraints) return undefined;
    const labels: string[] = [];
    for (const { label, set } of this.constraints) if (set.violation(motion) !== undefined) labels.push(label);
    return labels;
  }

  /**
   * Finds the first contact by bisection. The prover may return a later contact; the interval before it is then either
   * proved, or contains an earlier contact.
   */
  private firstContact(motion: StraightMotion, interrupt: Interrupt): Contact {
    const { prover, manager } = this;
    const interval = new MotionInterval(motion);
    let { pair, time } = prover;
    let freeUntil = 0;
    while (time - freeUntil > CONTACT_WIDTH) {
      interval.start = freeUntil;
      interval.end = 0.5 * (freeUntil + time);
      const verdict = proveUnlessInterrupted(prover, interval, interrupt)!;
      if (verdict === 'unresolved') break; // closer to contact than rounding allows to decide
      if (verdict === 'certified') {
        freeUntil = interval.end;
      } else {
        ({ pair, time } = prover);
      }
    }
    return { pair: manager.model.namesOf(pair), freeUntil, time };
  }
}
