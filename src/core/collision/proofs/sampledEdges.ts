import type { Configuration } from '../../math/configuration.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import type { JointSpace } from '../../planning/planner.ts';
import type { CollisionManager } from '../states/collisionManager.ts';
import { CertifiedMotionValidator } from '../validators/certifiedMotionValidator.ts';
import type { ProverPool } from './proverPool.ts';

/** Maximum number of intervals of one proof: most edges need fewer, and samples decide the others. */
const INTERVALS = 200;

/**
 * Discrete edge validation for planners: an edge is valid if its states at most `step` apart are collision-free. Most
 * edges are not sampled, because a short proof certifies all of their states at less than half of the cost of samples
 * 0.02 rad apart; all others are sampled, so that collisions between samples are missed, as the method does. States at
 * a coarse step are checked first, as in certified edge validation; they are the approximate check.
 */
export class SampledEdgeValidator extends CertifiedMotionValidator {
  /**
   * @param step maximum distance between samples in the metric of the space; intervals this short are not bisected
   * @param interrupt ends a check, which then is not valid
   * @param provers kept provers of the manager's poses
   */
  constructor(
    manager: CollisionManager,
    space: JointSpace,
    private readonly step: number,
    interrupt?: Interrupt,
    provers?: ProverPool,
  ) {
    const limits = { resolution: step, intervals: INTERVALS };
    super(manager, space, interrupt, { storesProofs: true, limits, provers });
  }

  /** Returns true if all sampled states are collision-free. */
  protected override isUncertifiedValid(qFrom: Configuration, qTo: Configuration): boolean {
    return this.samples.areFree(qFrom, qTo, this.step, true);
  }
}
