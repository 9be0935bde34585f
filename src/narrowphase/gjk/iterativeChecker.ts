import type { Transform } from '../../math/transform.ts';
import { copy, create, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { MinkowskiDifference } from '../minkowskiDifference.ts';
import type { Checker, PairCache, Verdict } from '../solver.ts';
import { COLLIDING, SEPARATED, UNDECIDED } from '../solver.ts';
import { fromCache, type InitialGuess } from './initialGuess.ts';
import { type MinNormIteration, StoppingCriterion } from './iteration.ts';

/** The Boolean question by a walk on the cores, left as soon as a plane or a point answers it. */
export class IterativeChecker implements Checker {
  iterations = 0;
  private readonly iteration: MinNormIteration;
  private readonly guess: InitialGuess;
  private readonly difference = new MinkowskiDifference();
  private readonly criterion = new StoppingCriterion();
  private readonly n: Vec3 = create();
  private readonly pointB: Vec3 = create();

  constructor(walk: MinNormIteration, guess: InitialGuess = fromCache) {
    this.iteration = walk;
    this.guess = guess;
  }

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, least, cache);

    const { difference, iteration: walk, criterion: goal, n, pointB } = this;
    difference.bind(a, T_b_a, b, cache);
    this.guess(n, difference, T_b_a, cache);
    const floor = roundoff * difference.extent;
    const reach = least + difference.margins;
    goal.sufficientLower = reach + 2 * floor;
    goal.sufficientUpper = Math.max(reach, floor);
    walk.run(difference, n, goal);
    this.iterations += walk.iterations;

    difference.storeHints(cache);
    cache.hasAxis = walk.lower > reach + floor;
    if (!cache.hasAxis) return walk.upper <= reach + 2 * floor ? COLLIDING : UNDECIDED;
    copy(cache.axis, walk.normal);
    cache.gap = walk.lower - difference.margins;
    walk.witnessA(n);
    sub(pointB, n, walk.nearest);
    difference.storeWitnesses(cache, n, pointB);
    return SEPARATED;
  }
}
