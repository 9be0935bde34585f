import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { StraightMotion, Stretch } from '../../collision/motion.ts';
import { MotionProver, type MotionVerdict } from '../../collision/motionProver.ts';
import { jointsOutOfLimits } from '../../collision/robotJointSpace.ts';
import { completed, proveInSlices, type Slices, type Slicing, UNSLICED } from '../../collision/slicedProof.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { Scene } from '../../scene/scene.ts';
import { proofDefaults } from '../checking/checkTrajectory.ts';

/** The verdict on one straight motion. */
export interface MotionAnswer {
  /** Within limits at both ends (so all the way), and proved free over its whole time. */
  readonly valid: boolean;
  readonly verdict: MotionVerdict;
  /** Joints out of range at either end. */
  readonly limits: readonly string[];
  readonly contact?: Contact;
}

/** The first contact on a motion, in shares of the way from 0 to 1. */
export interface Contact {
  readonly pair: readonly [string, string];
  /** Proved free up to here. */
  readonly freeUntil: number;
  /** In collision here, or (verdict `unresolved`) not to be told from it. */
  readonly time: number;
}

/** Share of the way within which a first contact is looked for. */
const CONTACT_WIDTH = 1e-6;

/** Returns the judge of straight motions of a scene; it keeps caches, so one judge sees many motions. */
export function createMotionValidator(
  robot: RobotModel,
  scene: Scene,
  { checker = 'growth-distance' }: { readonly checker?: string } = {},
): (qFrom: Configuration, qTo: Configuration) => MotionAnswer {
  const judge = new StraightMotionJudge(robot, new CollisionManager(new CollisionModel(robot, scene), { checker }));
  return (qFrom, qTo) => judge.judge(qFrom, qTo);
}

/** Judges straight motions with the poses and caches of a manager. */
export class StraightMotionJudge {
  private readonly prover: MotionProver;

  constructor(
    private readonly robot: RobotModel,
    private readonly manager: CollisionManager,
  ) {
    this.prover = new MotionProver(manager.posed, proofDefaults);
  }

  judge(qFrom: Configuration, qTo: Configuration): MotionAnswer {
    return completed(this.judging(qFrom, qTo, UNSLICED));
  }

  /** As `judge`, in slices: other motions may be judged in the pauses. `qFrom` and `qTo` must not change meanwhile. */
  *judging(qFrom: Configuration, qTo: Configuration, slicing: Slicing): Slices<MotionAnswer> {
    const { robot, prover } = this;
    const motion = new StraightMotion(robot.dof);
    const out = new Set([...jointsOutOfLimits(robot, qFrom), ...jointsOutOfLimits(robot, qTo)]);
    const limits = robot.variables.map((joint) => joint.name).filter((name) => out.has(name));
    motion.qFrom = qFrom;
    motion.qTo = qTo;
    prover.forget();
    const verdict = yield* proveInSlices(prover, motion, slicing);
    if (verdict === 'certified') return { valid: limits.length === 0, verdict, limits };
    return { valid: false, verdict, limits, contact: yield* this.firstContact(motion, slicing) };
  }

  /** The prover finds some contact; what lies before it is proved, or holds an earlier one. */
  private *firstContact(motion: StraightMotion, slicing: Slicing): Slices<Contact> {
    const { prover, manager } = this;
    const stretch = new Stretch(motion);
    let { pair, time } = prover;
    let freeUntil = 0;
    while (time - freeUntil > CONTACT_WIDTH) {
      stretch.start = freeUntil;
      stretch.end = 0.5 * (freeUntil + time);
      const verdict = yield* proveInSlices(prover, stretch, slicing);
      if (verdict === 'unresolved') break; // so near to contact that only rounding could tell more
      if (verdict === 'certified') {
        freeUntil = stretch.end;
      } else {
        ({ pair, time } = prover);
      }
    }
    return { pair: manager.model.namesOf(pair), freeUntil, time };
  }
}
