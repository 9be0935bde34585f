import type { Transform } from '../../math/transform.ts';
import { copy, create, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { contactUncertainty, roundoff } from '../iterationLimits.ts';
import { MinkowskiDifference } from '../minkowskiDifference.ts';
import type { Checker, PairCache, Verdict } from '../solver.ts';
import { COLLIDING, SEPARATED, UNDECIDED } from '../solver.ts';
import { fromCache, type InitialGuess } from './initialGuess.ts';
import { type Walk, WalkGoal } from './iteration.ts';

/** The Boolean question by a walk on the cores, left as soon as a plane or a point answers it. */
export class WalkChecker implements Checker {
  iterations = 0;
  private readonly walk: Walk;
  private readonly guess: InitialGuess;
  private readonly difference = new MinkowskiDifference();
  private readonly goal = new WalkGoal();
  private readonly n: Vec3 = create();
  private readonly pointB: Vec3 = create();

  constructor(walk: Walk, guess: InitialGuess = fromCache) {
    this.walk = walk;
    this.guess = guess;
  }

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, least, cache);
    const isWarm = cache.hasAxis || cache.hintA >= 0 || cache.hintB >= 0;
    const verdict = this.walkFrom(a, T_b_a, b, least, cache);
    if (!isWarm) return verdict;
    const needed = least + contactUncertainty * this.difference.extent;
    if (verdict === SEPARATED && cache.gap > needed) return SEPARATED;
    cache.clear();
    return this.walkFrom(a, T_b_a, b, least, cache);
  }

  private walkFrom(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): Verdict {
    const { difference, walk, goal, n, pointB } = this;
    difference.bind(a, T_b_a, b, cache);
    this.guess(n, difference, T_b_a, cache);
    const floor = roundoff * difference.extent;
    const reach = least + difference.margins;
    goal.apart = reach + 2 * floor;
    goal.together = Math.max(reach, floor);
    walk.run(difference, n, goal);
    this.iterations += walk.iterations;

    difference.remember(cache);
    cache.hasAxis = walk.lower > reach + floor;
    if (!cache.hasAxis) {
      cache.hintA = -1; // the next query of this pair is a cold start
      cache.hintB = -1;
      return walk.upper <= reach + 2 * floor ? COLLIDING : UNDECIDED;
    }
    copy(cache.axis, walk.normal);
    cache.gap = walk.lower - difference.margins;
    walk.witnessA(n);
    sub(pointB, n, walk.nearest);
    difference.rememberNearest(cache, n, pointB);
    return SEPARATED;
  }
}
