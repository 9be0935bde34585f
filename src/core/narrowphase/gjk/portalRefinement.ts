import type { Transform } from '../../math/transform.ts';
import { addScaled, copy, create, cross, dot, norm, scale, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { Checker, CheckerDefinition, PairCache, Verdict } from '../solver.ts';
import { COLLIDING, SEPARATED, UNDECIDED } from '../solver.ts';

/**
 * Minkowski portal refinement [Snethen08]: finds a portal, a triangle v₁ v₂ v₃ of support points through which the ray
 * from an interior point v₀ of A ⊖ B to the origin leaves, and moves it outwards until the origin lies behind it, or
 * until a support plane separates the shapes. A baseline: it needs an interior point, so pairs of flat shapes without
 * margins may stay undecided, and pairs with a centre outside its shape do.
 */
export class PortalRefinement implements Checker {
  iterations = 0;
  readonly difference = new MinkowskiDifference();
  readonly n: Vec3 = create();
  readonly v0: Vec3 = create();
  v1: Vec3 = create();
  v2: Vec3 = create();
  readonly v3: Vec3 = create();
  private readonly v4: Vec3 = create();
  private readonly e: Vec3 = create();
  private readonly f: Vec3 = create();
  /** Rounding radius of A ⊖ B: the margins and the minimum distance, metres. */
  rounding = 0;

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, minDistance, cache);

    cache.hasAxis = false;
    if (a.innerRadius < 0 || b.innerRadius < 0) return UNDECIDED;
    const { difference, v0, n } = this;
    difference.bind(a, T_b_a, b, cache);
    this.rounding = minDistance + difference.margins;
    difference.centerDirection(n);
    scale(v0, n, -1);
    const verdict = this.findPortal(cache) ?? this.refinePortal(cache);
    difference.storeHints(cache);
    cache.hasAxis = verdict === SEPARATED;
    return verdict;
  }

  /** Finds the first portal; returns a verdict if one is found before. */
  private findPortal(cache: PairCache): Verdict | undefined {
    const { n, v0, e, f } = this;
    if (this.support(this.v1, cache)) return SEPARATED;
    cross(n, this.v1, v0);
    if (norm(n) <= roundoff * norm(this.v1) * norm(v0)) return COLLIDING; // the origin lies between v₀ and v₁
    if (this.support(this.v2, cache)) return SEPARATED;
    this.orientToOrigin();

    for (let k = 0; k < iterationLimit; k++) {
      if (this.support(this.v3, cache)) return SEPARATED;
      // If the origin is beyond the side v₀ v₁ v₃ or v₀ v₃ v₂ of the cone, v₃ replaces the opposite vertex.
      if (dot(cross3(e, this.v1, this.v3), v0) < 0) copy(this.v2, this.v3);
      else if (dot(cross3(f, this.v3, this.v2), v0) < 0) copy(this.v1, this.v3);
      else return undefined;
      this.orientToOrigin();
    }
    return UNDECIDED;
  }

  /** Moves the portal outwards until the origin is behind it or a support plane excludes it. */
  private refinePortal(cache: PairCache): Verdict {
    const { n, v0, e, f } = this;
    const floor = roundoff * this.difference.extent;
    for (let k = 0; k < iterationLimit; k++) {
      sub(e, this.v2, this.v1);
      sub(f, this.v3, this.v1);
      cross(n, e, f);
      sub(e, this.v1, v0);
      if (dot(n, e) < 0) scale(n, n, -1);
      const length = norm(n);
      if (!(dot(n, e) > floor * length)) return UNDECIDED; // v₀ lies in the plane of the portal: no volume behind it
      if (dot(n, this.v1) >= 0) return COLLIDING;
      if (this.support(this.v4, cache)) return SEPARATED;
      sub(e, this.v4, this.v1);
      if (!(dot(n, e) > floor * length)) return UNDECIDED;
      this.choosePortal();
    }
    return UNDECIDED;
  }

  /** Replaces a vertex by v₄: of the three portals of v₄ and an old side, keeps the one that the ray passes through. */
  private choosePortal(): void {
    const side = cross3(this.e, this.v4, this.v0);
    if (dot(this.v1, side) > 0) {
      if (dot(this.v2, side) > 0) copy(this.v1, this.v4);
      else copy(this.v3, this.v4);
    } else if (dot(this.v3, side) > 0) copy(this.v2, this.v4);
    else copy(this.v1, this.v4);
  }

  /**
   * Writes the support point of the rounded A ⊖ B against n; returns true if its support plane separates the shapes.
   */
  support(out: Vec3, cache: PairCache): boolean {
    const { difference, n, rounding } = this;
    this.iterations++;
    const length = norm(n);
    difference.support(n);
    const gap = difference.gap / length;
    addScaled(out, difference.w, n, rounding / length);
    if (!(gap > rounding + roundoff * difference.extent)) return false;
    scale(cache.axis, n, 1 / length);
    cache.gap = gap - difference.margins;
    return true;
  }

  /** Sets n to the normal of v₀ v₁ v₂ on the side of the origin; swaps v₁ and v₂ if needed to keep the orientation. */
  private orientToOrigin(): void {
    const { n, v0, e, f } = this;
    sub(e, this.v1, v0);
    sub(f, this.v2, v0);
    cross(n, e, f);
    if (dot(n, v0) <= 0) return;
    const swapped = this.v1;
    this.v1 = this.v2;
    this.v2 = swapped;
    scale(n, n, -1);
  }
}

/** As `cross`, returning `out`. */
function cross3(out: Vec3, p: Vec3, q: Vec3): Vec3 {
  cross(out, p, q);
  return out;
}

export const portalRefinement: CheckerDefinition = {
  summary: 'Minkowski portal refinement, a baseline',
  source: 'Snethen08',
  create: () => new PortalRefinement(),
};
