import type { Transform } from '../math/transform.ts';
import { copy, create, type Vec3 } from '../math/vec3.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { checkHalfspace } from './halfspace.ts';
import { iterationLimit, roundoff } from './limits.ts';
import { MinkowskiDifference } from './minkowskiDifference.ts';
import { ENCLOSED, REDUCED, Simplex } from './simplex.ts';
import type { Checker, CheckerDefinition, PairCache, Verdict } from './solver.ts';
import { COLLIDING, SEPARATED, UNDECIDED } from './solver.ts';

/**
 * The Boolean question by the method of Gilbert, Johnson and Keerthi [GilbertJohnsonKeerthi88] on the cores of the bodies: it walks
 * towards the point of A ⊖ B nearest to the origin and leaves as soon as a support plane clears what is asked for, or a point lies
 * within it. The axis of the last separated answer is tried first; where it still parts the two, one look is all it takes.
 */
export class Gjk implements Checker {
  iterations = 0;
  private readonly difference = new MinkowskiDifference();
  private readonly simplex = new Simplex();
  private readonly n: Vec3 = create();

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, least, cache);

    const { difference, simplex, n } = this;
    difference.bind(a, T_b_a, b, cache);
    if (cache.hasAxis) copy(n, cache.axis);
    else difference.centreDirection(n);
    const floor = roundoff * difference.extent;
    simplex.clear(difference.rounding);
    const reach = least + difference.margins;
    let isClear = false; // whether some plane has parted the cores, if not by enough

    for (let iteration = 1; iteration <= iterationLimit; iteration++) {
      this.iterations++;
      const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      const gap = difference.gapAlong(n) / length;
      if (gap > reach + floor) return this.separated(gap, length, cache);
      if (gap > floor) isClear = true;

      if (simplex.has(difference.w)) break;
      simplex.add(difference.w, difference.pointA);
      const reduction = simplex.reduce(!isClear);
      const nearest = Math.sqrt(simplex.squared);
      if (reduction === ENCLOSED || nearest <= Math.max(reach, floor)) return this.colliding(cache);
      if (reduction !== REDUCED) break;
      simplex.direction(n);
    }
    // No step brings the simplex nearer any more: in contact as far as rounding can tell, or not known.
    if (Math.sqrt(simplex.squared) <= reach + floor) return this.colliding(cache);
    difference.remember(cache);
    cache.hasAxis = false;
    return UNDECIDED;
  }

  private separated(gap: number, length: number, cache: PairCache): Verdict {
    const { difference, n } = this;
    difference.remember(cache);
    cache.hasAxis = true;
    cache.axis[0] = n[0] / length;
    cache.axis[1] = n[1] / length;
    cache.axis[2] = n[2] / length;
    cache.gap = gap - difference.margins;
    return SEPARATED;
  }

  private colliding(cache: PairCache): Verdict {
    this.difference.remember(cache);
    cache.hasAxis = false;
    return COLLIDING;
  }
}

export const gjk: CheckerDefinition = {
  summary: 'Gilbert-Johnson-Keerthi, left as soon as a plane parts the bodies or a common point is found',
  source: 'GilbertJohnsonKeerthi88',
  create: () => new Gjk(),
};
