import type { Transform } from '../../math/transform.ts';
import { copy, create, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { contactUncertainty, roundoff } from '../iterationLimits.ts';
import { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { Checker, PairCache, Verdict } from '../solver.ts';
import { COLLIDING, SEPARATED, UNDECIDED } from '../solver.ts';
import { fromCache, type InitialGuess } from './initialGuess.ts';
import { type MinNormIteration, StoppingCriterion } from './iteration.ts';

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
