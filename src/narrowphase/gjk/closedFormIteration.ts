import { copy, create, type Vec3 } from '../../math/vec3.ts';
import { roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.ts';
import { GjkIteration } from './gjkIteration.ts';
import type { StoppingCriterion } from './iteration.ts';

/**
 * The iteration of Gilbert, Johnson and Keerthi for distances, with the closest points of spheres, capsules and boxes
 * in closed form where there is one. A support plane along the vector between them proves the distance; if it does not,
 * because the cores intersect or rounding is large, the iteration is run from there.
 */
export class ClosedFormIteration extends GjkIteration {
  private isClosedForm = false;
  private readonly pointA: Vec3 = create();
  private readonly pointB: Vec3 = create();
  private readonly direction: Vec3 = create();

  override run(difference: MinkowskiDifference, n: Vec3, criterion: StoppingCriterion): void {
    this.isClosedForm = difference.closestCorePoints(this.pointA, this.pointB) && this.isProved(difference, criterion);
    if (!this.isClosedForm) super.run(difference, n, criterion);
  }

  override witnessA(out: Vec3): void {
    if (this.isClosedForm) copy(out, this.pointA);
    else super.witnessA(out);
  }

  /** Sets both bounds from the closest points; returns whether they agree. */
  private isProved(difference: MinkowskiDifference, criterion: StoppingCriterion): boolean {
    const { pointA, pointB, direction, nearest, normal } = this;
    const x = pointA[0] - pointB[0];
    const y = pointA[1] - pointB[1];
    const z = pointA[2] - pointB[2];
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
