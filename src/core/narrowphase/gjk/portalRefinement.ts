import { type Transform, transformPoint } from '../../math/transform.ts';
import { addScaled, copy, create, cross, dot, norm, scale, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { Checker, CheckerDefinition, PairCache, Verdict } from '../solver.ts';
import { COLLIDING, SEPARATED, UNDECIDED } from '../solver.ts';

/** Steps that correct the weights of the convex combination that proves a collision. */
const REFINEMENTS = 4;

/**
 * Minkowski portal refinement [Snethen08]: finds a portal, a triangle v₁ v₂ v₃ of support points through which the ray
 * from an interior point v₀ of A ⊖ B to the origin leaves, and moves it outwards until the origin lies behind it, or
 * until a support plane separates the shapes. A baseline: it needs an interior point, so pairs of flat shapes without
 * margins may stay undecided, and pairs with a centre outside its shape do. The normal of a sliver has few correct
 * digits: a collision is stated only if a convex combination of v₀ to v₃ is 0 up to rounding.
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
  private readonly g: Vec3 = create();
  private readonly normal: Vec3 = create();
  /** Rounding radius of A ⊖ B: the margins and the minimum distance, metres. */
  rounding = 0;
  /** Rounding error of a point of the rounded A ⊖ B, metres. */
  private floor = 0;
  private readonly weights = new Float64Array(4);

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, minDistance, cache);

    cache.hasAxis = false;
    if (a.innerRadius < 0 || b.innerRadius < 0) return UNDECIDED;
    const { difference, v0, n } = this;
    difference.bind(a, T_b_a, b, cache);
    this.rounding = minDistance + difference.margins;
    this.floor = roundoff * (difference.extent + minDistance);
    if (!Number.isFinite(this.floor)) return UNDECIDED;
    transformPoint(v0, T_b_a, a.center);
    sub(v0, v0, b.center);
    if (norm(v0) <= this.floor) return COLLIDING; // the centres, points of both shapes, coincide
    scale(n, v0, -1);
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
    const { n, v0, e, f, floor } = this;
    for (let k = 0; k < iterationLimit; k++) {
      sub(e, this.v2, this.v1);
      sub(f, this.v3, this.v1);
      cross(n, e, f);
      sub(e, this.v1, v0);
      if (dot(n, e) < 0) scale(n, n, -1);
      const length = norm(n);
      if (!(dot(n, e) > floor * length)) return UNDECIDED; // v₀ lies in the plane of the portal: no volume behind it
      if (dot(n, this.v1) >= 0 && this.enclosesOrigin()) return COLLIDING;
      if (this.support(this.v4, cache)) return SEPARATED;
      sub(e, this.v4, this.v1);
      if (!(dot(n, e) > floor * length)) return UNDECIDED;
      this.choosePortal();
    }
    return UNDECIDED;
  }

  /**
   * Whether a convex combination of v₀ to v₃ is 0 up to rounding. Starts from v₀; each step solves for the remainder,
   * which restores digits that a flat tetrahedron loses.
   */
  private enclosesOrigin(): boolean {
    const { v0, v1, v2, v3, v4: p, weights } = this;
    weights.fill(0);
    weights[0] = 1;
    for (let k = 0; k < REFINEMENTS; k++) {
      for (let i = 0; i < 3; i++)
        p[i] = weights[0] * v0[i] + weights[1] * v1[i] + weights[2] * v2[i] + weights[3] * v3[i];
      if (norm(p) <= this.floor) return true;
      this.correctWeights(p);
    }
    return false;
  }

  /** Corrects the weights such that the combination moves by −p; negative weights become 0, and the sum 1. */
  private correctWeights(p: Vec3): void {
    const { v0, v1, v2, v3, e, f, g, normal, weights } = this;
    sub(e, v1, v0);
    sub(f, v2, v0);
    sub(g, v3, v0);
    const volume = dot(g, cross3(normal, e, f));
    const third = dot(p, normal) / volume;
    const first = dot(p, cross3(normal, f, g)) / volume;
    const second = dot(p, cross3(normal, g, e)) / volume;
    weights[0] += first + second + third;
    weights[1] -= first;
    weights[2] -= second;
    weights[3] -= third;
    let sum = 0;
    for (let i = 0; i < 4; i++) sum += weights[i] = Math.max(0, weights[i]);
    for (let i = 0; i < 4; i++) weights[i] /= sum;
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
    if (!(gap > rounding + this.floor)) return false;
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
