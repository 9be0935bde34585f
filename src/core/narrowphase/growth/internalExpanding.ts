import { type Transform, transformPoint } from '../../math/transform.ts';
import { addScaled, copy, create, dot, norm, scale, set, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { checkHalfspace, growthOfHalfspace } from '../halfspaceCheck.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import { clearSeparation } from '../outcome.ts';
import {
  type Checker,
  type CheckerDefinition,
  COLLIDING,
  type GrowthSolver,
  type GrowthSolverDefinition,
  type PairCache,
  SEPARATED,
  type Separation,
  UNDECIDED,
  type Verdict,
} from '../solver.ts';
import { posedSupportWithMargin, supportWithMargin } from '../supportAlong.generated.ts';
import { ExpandingSimplex, FIRST_SIMPLICES } from './expandingSimplex.ts';

export const defaults = {
  /** Difference of the bounds, relative to the upper bound, at which the expansion may stop. */
  relativeGap: 1.5e-8,
  /** Difference of the bounds of the growth distance at which the expansion may stop. */
  absoluteGap: 0,
  /** Maximum number of support points. */
  maxIterations: iterationLimit,
};

/** Gain, relative to the extent, below which a facet is final. */
const thin = 2 * roundoff;

/**
 * Internal expanding [Zheng10; measured in Thirugnanam26 §IV]: growth distance by a simplex inside M = (A − cA) ⊖
 * (B − cB), c the centres. The ray along cB − cA [ZhengYamane13 §V] leaves the simplex through a facet; the vertex
 * opposite to it is replaced by the support point along its normal. The facet bounds the height at which the ray leaves
 * M from below, the support plane from above. A baseline, with the first simplex, gap and support calls of
 * `GrowthDistance`: it needs no proposals and no warm start. If rounding stops it, it starts once more from another
 * simplex. A pair without an interior, or with a centre outside its shape, stays undecided, and so does exact contact.
 */
export class InternalExpanding implements Checker, GrowthSolver {
  iterations = 0;
  private readonly options: typeof defaults;
  readonly simplex = new ExpandingSimplex();
  private a!: ConvexShape;
  private b!: ConvexShape;
  private T_b_a!: Transform;
  private rounding = 0;
  private hintA = -1;
  private hintB = -1;
  private extent = 0;
  /** Radius of a sphere about 0 inside M. */
  private inner = 0;
  // Distance of the centres, bounds of the height at which the ray leaves M, and the unit vector of the ray.
  centerDistance = 0;
  lower = 0;
  upper = 0;
  private readonly ray: Vec3 = create();
  private readonly centerA: Vec3 = create();
  private readonly normal: Vec3 = create();
  private readonly d: Vec3 = create();
  readonly w: Vec3 = create();
  private readonly pointA: Vec3 = create();
  private readonly pointB: Vec3 = create();

  constructor(options: typeof defaults = defaults) {
    this.options = options;
  }

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, minDistance, cache);
    cache.hasAxis = false;
    for (const first of FIRST_SIMPLICES) {
      if (!this.initialize(a, T_b_a, b, minDistance, first)) return UNDECIDED;
      const floor = roundoff * this.extent;
      const { centerDistance } = this;
      for (let k = 0; k < iterationLimit && this.expand(); k++) {
        if (this.lower > centerDistance + floor || this.gap() > floor) break;
      }
      if (this.gap() > floor) {
        cache.hasAxis = true;
        copy(cache.axis, this.normal);
        cache.gap = this.gap() + minDistance;
        return SEPARATED;
      }
      if (this.lower > centerDistance + floor) return COLLIDING;
      if (this.haveBoundsMet(0)) return UNDECIDED;
    }
    return UNDECIDED;
  }

  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    clearSeparation(out);
    if (isHalfspace(a) || isHalfspace(b)) {
      growthOfHalfspace(out, a, T_b_a, b);
      return;
    }
    this.iterations = 0;
    const { relativeGap, absoluteGap, maxIterations } = this.options;
    for (const first of FIRST_SIMPLICES) {
      if (!this.initialize(a, T_b_a, b, 0, first)) return;
      const gapOverDistance = absoluteGap > 0 ? absoluteGap / this.centerDistance : 0;
      for (let k = 0; k < maxIterations && this.expand(); k++) {
        if (this.upper - this.lower <= Math.max(relativeGap, gapOverDistance * this.lower) * this.upper) break;
      }
      if (this.haveBoundsMet(Math.max(relativeGap, gapOverDistance * this.lower)) || maxIterations < iterationLimit)
        break;
    }
    const { centerDistance } = this;
    const lower = Math.min(this.lower, this.upper);
    out.iterations = this.iterations;
    if (!(lower > 0 && this.upper < Number.POSITIVE_INFINITY)) return; // no facet that the ray leaves through
    out.growth.lower = centerDistance / this.upper;
    out.growth.upper = centerDistance / lower;
    out.hasNormal = centerDistance > 0;
    copy(out.normal, this.normal);
    const floor = roundoff * this.extent;
    if (this.gap() > floor) out.status = 'separated';
    else if (lower > centerDistance + floor) out.status = 'colliding';
    else if (this.upper - lower <= relativeGap * this.upper + 2 * floor) out.status = 'touching';
    this.writeWitnesses(out, centerDistance / lower);
  }

  /** Sets up the first simplex, in the inner spheres; returns false without interior or finite pose. */
  private initialize(
    a: ConvexShape,
    T_b_a: Transform,
    b: ConvexShape,
    rounding: number,
    first: readonly number[],
  ): boolean {
    const { centerA, ray, simplex, w, pointA } = this;
    const inner = a.innerRadius + b.innerRadius + rounding;
    if (!(a.innerRadius >= 0 && b.innerRadius >= 0 && inner > 0)) return false;
    this.inner = inner;
    this.a = a;
    this.b = b;
    this.T_b_a = T_b_a;
    this.rounding = rounding;
    this.hintA = -1;
    this.hintB = -1;
    transformPoint(centerA, T_b_a, a.center);
    sub(ray, b.center, centerA);
    this.centerDistance = norm(ray);
    if (this.centerDistance > 0) scale(ray, ray, 1 / this.centerDistance);
    else set(ray, 1, 0, 0);
    this.extent = a.outerRadius + b.outerRadius + rounding + norm(centerA) + norm(b.center);
    // The pose may cancel a far centre of A: its rounding stays.
    this.extent += Math.abs(T_b_a[3]) + Math.abs(T_b_a[7]) + Math.abs(T_b_a[11]);
    this.lower = 0;
    this.upper = Number.POSITIVE_INFINITY;
    this.normal.fill(0); // no support plane yet: the plane of the previous pair is not valid for this one
    for (let k = 0; k < 4; k++) {
      for (let i = 0; i < 3; i++) {
        w[i] = inner * first[3 * k + i];
        pointA[i] = a.innerRadius * first[3 * k + i];
      }
      simplex.setVertex(k, w, pointA);
    }
    simplex.newest = -1;
    return Number.isFinite(this.centerDistance);
  }

  /** Returns true if the bounds differ by at most this relative gap, or by rounding. */
  private haveBoundsMet(relativeGap: number): boolean {
    return this.upper - this.lower <= Math.max(relativeGap * this.upper, 4 * thin * this.extent);
  }

  /** Expands the simplex by one support point; returns false if the facet is final, or to rounding. */
  private expand(): boolean {
    const { simplex, ray, extent } = this;
    if (!simplex.findExit(ray, this.inner)) return false;
    this.iterations++;
    this.lower = Math.max(this.lower, simplex.height);
    const supportValue = this.support(simplex.normal);
    if (!(supportValue > simplex.facetValue + thin * extent)) return false;
    simplex.replaceOpposite(this.w, this.pointA);
    return true;
  }

  /**
   * Computes the support point `w` along the unit vector n and updates the upper bound; returns the support value of M.
   */
  support(n: Vec3): number {
    const { a, b, d, w, pointA, pointB, rounding, ray } = this;
    this.hintA = posedSupportWithMargin(pointA, a, this.T_b_a, n, this.hintA);
    sub(pointA, pointA, this.centerA);
    scale(d, n, -1);
    this.hintB = supportWithMargin(pointB, b, d, this.hintB);
    sub(pointB, pointB, b.center);
    sub(w, pointA, pointB);
    addScaled(w, w, n, rounding);
    const supportValue = dot(n, w);
    const along = dot(n, ray);
    if (along > 0 && supportValue < this.upper * along) {
      this.upper = supportValue / along;
      copy(this.normal, n);
    }
    return supportValue;
  }

  /** Returns the gap between the shapes along the best normal, metres; negative if they overlap along it. */
  private gap(): number {
    return dot(this.normal, this.ray) * (this.centerDistance - this.upper);
  }

  /**
   * Writes the witness points of the point where the ray leaves the facet; in collision, scaled about their centres.
   */
  private writeWitnesses(out: Separation, growth: number): void {
    const { ray, pointA, d, centerA, b, simplex } = this;
    simplex.writeExitPoint(pointA);
    addScaled(d, pointA, ray, -simplex.height); // point of B = point of A − point of M
    const factor = Math.min(1, growth);
    out.hasWitnesses = true;
    addScaled(out.witnessA, centerA, pointA, factor);
    addScaled(out.witnessB, b.center, d, factor);
    if (growth <= 1) copy(out.witnessB, out.witnessA);
  }
}

const summary = 'internal expanding: growth distance by an inner simplex, a baseline';
const source = 'Zheng10';

export const internalExpanding: CheckerDefinition = { summary, source, create: () => new InternalExpanding() };

export const internalExpandingGrowth: GrowthSolverDefinition = {
  summary,
  source,
  create: (options) => new InternalExpanding({ ...defaults, ...options }),
};
