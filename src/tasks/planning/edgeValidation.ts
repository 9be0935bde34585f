import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import {
  CertifiedMotionValidator,
  type CertifiedValidatorOptions,
  type EdgeProofs,
  SampledEdgeValidator,
} from '../../core/collision/validators/certifiedMotionValidator.ts';
import type { MotionCounters } from '../../core/collision/validators/sampledMotionValidator.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { JointSpace, MotionValidator } from '../../core/planning/planner.ts';

/** A motion validator that counts its queries. */
export interface CountingMotions extends MotionValidator {
  /** Numbers of motions checked. */
  readonly counters: MotionCounters;
  /** Straight edges that were certified, if the validator stores them. @internal */
  readonly proofs?: EdgeProofs | undefined;
}

/** One method of edge validation: how the straight motions of a planner are checked. */
export interface EdgeValidation {
  /** One line of help. */
  readonly summary: string;
  /**
   * Creates the motion validator.
   * @param step maximum distance between samples in the metric of the space; used by discrete validation only
   * @param interrupt ends a check, which then is not valid; default: never
   * @param options of the validator; those that its method determines are ignored
   */
  readonly create: (
    manager: CollisionManager,
    space: JointSpace,
    step: number,
    interrupt?: Interrupt,
    options?: CertifiedValidatorOptions,
  ) => CountingMotions;
}

const certified: EdgeValidation = {
  summary: 'continuous: every edge of a path is proved collision-free at every instant',
  create: (manager, space, _, interrupt, options) =>
    new CertifiedMotionValidator(manager, space, interrupt, { ...options, storesProofs: true }),
};

const sampled: EdgeValidation = {
  summary: 'discrete: states at most a step apart are checked (the result is proved before it is written)',
  create: (manager, space, step, interrupt, options) =>
    new SampledEdgeValidator(manager, space, step, interrupt, options?.provers),
};

/** Methods of edge validation by the name that `--edges` takes. */
export const edgeValidations = { certified, sampled } as const;

/** Name of a method of edge validation: a key of `edgeValidations`. */
export type EdgeValidationName = keyof typeof edgeValidations;
