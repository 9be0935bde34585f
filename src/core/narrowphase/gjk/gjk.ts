import type { Transform } from '../../math/transform.ts';
import { copy, create, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { contactUncertainty, roundoff } from '../iterationLimits.ts';
import { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import {
  type Checker,
  type CheckerDefinition,
  COLLIDING,
  type PairCache,
  SEPARATED,
  UNDECIDED,
  type Verdict,
} from '../solver.ts';
import { GjkIteration } from './gjkIteration.ts';
import { fromCache, type InitialGuess, type MinNormIteration, StoppingCriterion } from './iteration.ts';

/**
 * Boolean check by an iteration on the cores that stops as soon as a separating plane or a point within the distance is
 * found.
 */
export class IterativeChecker implements Checker {
  iterations = 0;
  private readonly iteration: MinNormIteration;
  private readonly guess: InitialGuess;
  private readonly difference = new MinkowskiDifference();
  private readonly criterion = new StoppingCriterion();
  private readonly n: Vec3 = create();
  private readonly pointB: Vec3 = create();

  constructor(iteration: MinNormIteration, guess: InitialGuess = fromCache) {
    this.iteration = iteration;
    this.guess = guess;
  }

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, minDistance, cache);
    const isWarm = cache.hasAxis || cache.hintA >= 0 || cache.hintB >= 0;
    const verdict = this.iterateFrom(a, T_b_a, b, minDistance, cache);
    if (!isWarm) return verdict;
    const needed = minDistance + contactUncertainty * this.difference.extent;
    if (verdict === SEPARATED && cache.gap > needed) return SEPARATED;
    cache.clear();
    return this.iterateFrom(a, T_b_a, b, minDistance, cache);
  }

  /** Checks the pair, starting from the cache. */
  private iterateFrom(
    a: ConvexShape,
    T_b_a: Transform,
    b: ConvexShape,
    minDistance: number,
    cache: PairCache,
  ): Verdict {
    const { difference, iteration, criterion, n, pointB } = this;
    difference.bind(a, T_b_a, b, cache);
    this.guess(n, difference, T_b_a, cache);
    const floor = roundoff * difference.extent;
    const coreDistance = minDistance + difference.margins;
    criterion.sufficientLower = coreDistance + 2 * floor;
    criterion.sufficientUpper = Math.max(coreDistance, floor);
    iteration.run(difference, n, criterion);
    this.iterations += iteration.iterations;

    difference.storeHints(cache);
    cache.hasAxis = iteration.lower > coreDistance + floor;
    if (!cache.hasAxis) {
      cache.hintA = -1; // the next query of this pair is a cold start
      cache.hintB = -1;
      return iteration.upper <= coreDistance + 2 * floor ? COLLIDING : UNDECIDED;
    }
    copy(cache.axis, iteration.normal);
    cache.gap = iteration.lower - difference.margins;
    iteration.witnessA(n);
    sub(pointB, n, iteration.nearest);
    difference.storeWitnesses(cache, n, pointB);
    return SEPARATED;
  }
}

/**
 * Boolean check by the Gilbert-Johnson-Keerthi algorithm [GilbertJohnsonKeerthi88] on the cores: searches the point of
 * A ⊖ B of minimum norm and stops as soon as a support plane proves the required distance, or a point of A ⊖ B lies
 * within it. Starts from the separating axis of the last query; if that still separates the pair, one support call
 * suffices.
 */
export class Gjk extends IterativeChecker {
  constructor() {
    super(new GjkIteration());
  }
}

export const gjk: CheckerDefinition = {
  summary: 'Gilbert-Johnson-Keerthi, with early termination on a separating plane or a common point',
  source: 'GilbertJohnsonKeerthi88',
  create: () => new Gjk(),
};
