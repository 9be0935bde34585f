import { copy, create, type Vec3 } from '../../math/vec3.ts';
import { roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import { GjkIteration } from './gjkIteration.ts';
import type { StoppingCriterion } from './iteration.ts';
import { CONTAINS_ORIGIN } from './simplex.ts';
import { CONVERGED, ENCLOSED, SimplexDescent } from './simplexDescent.generated.ts';

/**
 * The iteration of Gilbert, Johnson and Keerthi for distances, with three parts of which the first that decides a pair
 * counts: closest points of spheres, capsules and boxes in closed form, if a support plane along the vector between
 * them proves the distance; the iteration in scalars, with Newton steps for curved shapes; and, where the cores
 * intersect or rounding matters, the iteration with all its safeguards.
 */
export class DistanceIteration extends GjkIteration {
  /** Whether `closestA` is the witness point of the last pair; else the simplex is. */
  private hasClosest = false;
  private readonly closestA: Vec3 = create();
  private readonly closestB: Vec3 = create();
  private readonly direction: Vec3 = create();
  private readonly descent = new SimplexDescent();

  solveDirectly(difference: MinkowskiDifference, criterion: StoppingCriterion): boolean {
    const { closestA, closestB } = this;
    this.hasClosest = difference.closestCorePoints(closestA, closestB) && this.isProved(difference, criterion);
    return this.hasClosest;
  }

  override run(difference: MinkowskiDifference, n: Vec3, criterion: StoppingCriterion): void {
    const { descent, simplex } = this;
    const { hintA, hintB } = difference;
    const result = descent.descend(difference, n, criterion, simplex);
    this.hasClosest = result === CONVERGED;
    this.containsOrigin = result === ENCLOSED && simplex.reduce(true) === CONTAINS_ORIGIN;
    if (this.hasClosest || this.containsOrigin) {
      copy(this.normal, descent.normal);
      this.lower = descent.lower;
      this.iterations = descent.iterations;
      this.upper = 0;
      if (this.containsOrigin) return;
      copy(this.nearest, descent.nearest);
      copy(this.closestA, descent.witnessA);
      this.upper = descent.upper;
      return;
    }
    difference.hintA = hintA;
    difference.hintB = hintB;
    super.run(difference, n, criterion);
  }

  override witnessA(out: Vec3): void {
    if (this.hasClosest) copy(out, this.closestA);
    else super.witnessA(out);
  }

  /** Sets both bounds from the closest points; returns whether they agree. */
  private isProved(difference: MinkowskiDifference, criterion: StoppingCriterion): boolean {
    const { closestA, closestB, direction, nearest, normal } = this;
    const x = closestA[0] - closestB[0];
    const y = closestA[1] - closestB[1];
    const z = closestA[2] - closestB[2];
    const upper = Math.sqrt(x * x + y * y + z * z);
    const floor = roundoff * difference.extent;
    if (!(upper > 4 * floor)) return false; // next to contact the simplex of the iteration is needed for the depth
    direction[0] = -x / upper;
    direction[1] = -y / upper;
    direction[2] = -z / upper;
    difference.support(direction);
    const tolerance = Math.max(floor, criterion.relativeGap * (upper - difference.margins));
    if (!(upper - difference.gap <= tolerance)) return false;
    nearest[0] = x;
    nearest[1] = y;
    nearest[2] = z;
    copy(normal, direction);
    this.lower = difference.gap;
    this.upper = upper;
    this.containsOrigin = false;
    this.iterations = 1;
    return true;
  }
}
