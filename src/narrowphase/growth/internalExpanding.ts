import { type Transform, transformPoint } from '../../math/transform.ts';
import { addScaled, copy, create, dot, norm, scale, set, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { ExpandingPolytope } from '../depth/expandingPolytope.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { clearSeparation } from '../outcome.ts';
import type { Checker, CheckerDefinition, GrowthSolver, GrowthSolverDefinition, PairCache } from '../solver.ts';
import { COLLIDING, SEPARATED, type Separation, UNDECIDED, type Verdict } from '../solver.ts';
import { posedSupportWithMargin, supportWithMargin } from '../supportAlong.ts';
import { growthOfHalfspace } from './growthHalfspace.ts';

export const defaults = {
  /** Difference of the bounds, relative to the upper bound, at which the expansion may stop. */
  relativeGap: 1.5e-8,
};

/** Limit of added vertices; curved shapes reach it. */
const expansionLimit = 500;
/** Gain, relative to the extent, below which a facet is final. */
const thin = 2 * roundoff;
/** Height of a new vertex over a facet, relative to the extent, above which the facet is replaced. */
const clearance = 0.25 * roundoff;
/** Vertices of a regular tetrahedron, x, y, z each, of norm √3. */
const tetrahedron = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];
const SQRT_3 = 1.7320508075688772;

/**
 * Internal expanding [ZhengYamane13; measured in Thirugnanam26 §IV]: growth distance by a polytope inside M = (A − cA)
 * ⊖ (B − cB), c the centres. The facet through which the ray along cB − cA leaves the polytope is expanded to the
 * support point along its normal. The facet bounds the height at which the ray leaves M from below, the support plane
 * from above. A baseline: keeping all facets costs more than the three vertices of a portal, and pairs without an
 * interior, or with a centre outside its shape, stay undecided.
 */
export class InternalExpanding implements Checker, GrowthSolver {
  iterations = 0;
  private readonly relativeGap: number;
  private readonly polytope = new ExpandingPolytope();
  private a!: ConvexShape;
  private b!: ConvexShape;
  private T_b_a!: Transform;
  private rounding = 0;
  private hintA = -1;
  private hintB = -1;
  private extent = 0;
  // Distance of the centres, bounds of the height at which the ray leaves M, and the unit vector of the ray.
  private centerDistance = 0;
  private lower = 0;
  private upper = 0;
  private readonly ray: Vec3 = create();
  private readonly centerA: Vec3 = create();
  private readonly normal: Vec3 = create();
  private readonly n: Vec3 = create();
  private readonly d: Vec3 = create();
  private readonly w: Vec3 = create();
  private readonly pointA: Vec3 = create();
  private readonly pointB: Vec3 = create();

  constructor({ relativeGap }: typeof defaults = defaults) {
    this.relativeGap = relativeGap;
  }

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, minDistance, cache);
    cache.hasAxis = false;
    if (!this.initialize(a, T_b_a, b, minDistance)) return UNDECIDED;
    const floor = roundoff * this.extent;
    this.expand((lower, gapAlongNormal) => lower > this.centerDistance + floor || gapAlongNormal > floor);
    if (this.gap() > floor) {
      cache.hasAxis = true;
      copy(cache.axis, this.normal);
      cache.gap = this.gap() + minDistance;
      return SEPARATED;
    }
    return this.lower > this.centerDistance + floor ? COLLIDING : UNDECIDED;
  }

  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    clearSeparation(out);
    if (isHalfspace(a) || isHalfspace(b)) {
      growthOfHalfspace(out, a, T_b_a, b);
      return;
    }
    this.iterations = 0;
    if (!this.initialize(a, T_b_a, b, 0)) return;
    const { relativeGap, centerDistance } = this;
    const face = this.expand((lower) => this.upper - lower <= relativeGap * this.upper);
    const lower = Math.min(this.lower, this.upper);
    out.iterations = this.iterations;
    out.growth.lower = centerDistance / this.upper;
    out.growth.upper = centerDistance / lower;
    out.hasNormal = centerDistance > 0;
    copy(out.normal, this.normal);
    const floor = roundoff * this.extent;
    if (this.gap() > floor) out.status = 'separated';
    else if (lower > centerDistance + floor) out.status = 'colliding';
    else if (this.upper - lower <= relativeGap * this.upper + 2 * floor) out.status = 'touching';
    this.writeWitnesses(out, face, centerDistance / lower);
  }

  /** Builds the first polytope, a tetrahedron in the inner spheres; returns false without interior or finite pose. */
  private initialize(a: ConvexShape, T_b_a: Transform, b: ConvexShape, rounding: number): boolean {
    const { centerA, ray, polytope, w, pointA } = this;
    const inner = a.innerRadius + b.innerRadius + rounding;
    if (!(a.innerRadius >= 0 && b.innerRadius >= 0 && inner > 0)) return false;
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
    this.upper = Number.POSITIVE_INFINITY;
    polytope.clear();
    for (let k = 0; k < 4; k++) {
      for (let i = 0; i < 3; i++) {
        w[i] = (inner * tetrahedron[3 * k + i]) / SQRT_3;
        pointA[i] = (a.innerRadius * tetrahedron[3 * k + i]) / SQRT_3;
      }
      polytope.addVertex(w, pointA);
    }
    polytope.closeTetrahedron();
    return Number.isFinite(this.centerDistance);
  }

  /** Expands until `isConverged`, or to rounding; returns the facet through which the ray leaves. */
  private expand(isConverged: (lower: number, gap: number) => boolean): number {
    const { polytope, n, extent } = this;
    let face = this.exitFacet(0);
    for (let k = 0; k < expansionLimit; k++) {
      this.iterations++;
      set(n, polytope.normals[3 * face], polytope.normals[3 * face + 1], polytope.normals[3 * face + 2]);
      const supportValue = this.support();
      if (isConverged(this.lower, this.gap()) || !(supportValue > polytope.heights[face] + thin * extent)) return face;
      const first = polytope.faceCount;
      polytope.visibilityHeight = clearance * extent;
      if (!polytope.expand(face, this.w, this.pointA)) return face;
      face = this.exitFacet(first);
    }
    return face;
  }

  /**
   * Returns the facet, of those from `first` on, through which the ray leaves: its plane intersects the ray lowest.
   * Sets `lower`.
   */
  private exitFacet(first: number): number {
    const { polytope, ray } = this;
    let exit = first;
    this.lower = Number.POSITIVE_INFINITY;
    for (let f = first; f < polytope.faceCount; f++) {
      const along =
        polytope.normals[3 * f] * ray[0] + polytope.normals[3 * f + 1] * ray[1] + polytope.normals[3 * f + 2] * ray[2];
      if (!(along > 0) || !(polytope.heights[f] < this.lower * along)) continue;
      this.lower = polytope.heights[f] / along;
      exit = f;
    }
    return exit;
  }

  /**
   * Computes the support point `w` along the unit vector n and updates the upper bound; returns the support value of M.
   */
  private support(): number {
    const { a, b, n, d, w, pointA, pointB, rounding, ray } = this;
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
  private writeWitnesses(out: Separation, face: number, growth: number): void {
    const { polytope, ray, lower, pointA, d, centerA, b } = this;
    const { w, a, faceVertices } = polytope;
    const at = [0, 1, 2].map((k) => 3 * faceVertices[3 * face + k]);
    const areas = [0, 1, 2].map((k) => tripleProduct(ray, w, at[(k + 1) % 3], at[(k + 2) % 3]));
    const sum = areas[0] + areas[1] + areas[2];
    if (!(sum > 0)) return;
    pointA.fill(0);
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < 3; i++) pointA[i] += (Math.max(0, areas[k]) / sum) * a[at[k] + i];
    }
    addScaled(d, pointA, ray, -lower); // point of B = point of A − point of M
    const factor = Math.min(1, growth);
    out.hasWitnesses = true;
    addScaled(out.witnessA, centerA, pointA, factor);
    addScaled(out.witnessB, b.center, d, factor);
    if (growth <= 1) copy(out.witnessB, out.witnessA);
  }
}

/** Returns ray · (p × q) for vertices p, q at offsets i, j. */
function tripleProduct(ray: Vec3, w: Float64Array, i: number, j: number): number {
  return (
    ray[0] * (w[i + 1] * w[j + 2] - w[i + 2] * w[j + 1]) +
    ray[1] * (w[i + 2] * w[j] - w[i] * w[j + 2]) +
    ray[2] * (w[i] * w[j + 1] - w[i + 1] * w[j])
  );
}

const summary = 'internal expanding: growth distance by an inner polytope, a baseline';
const source = 'ZhengYamane13';

export const internalExpanding: CheckerDefinition = { summary, source, create: () => new InternalExpanding() };

export const internalExpandingGrowth: GrowthSolverDefinition = {
  summary,
  source,
  create: (options) => new InternalExpanding({ ...defaults, ...options }),
};
