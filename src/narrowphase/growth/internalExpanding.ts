import { type Transform, transformPoint } from '../../math/transform.ts';
import { addScaled, copy, create, dot, norm, scale, set, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { ExpandingPolytope } from '../depth/expandingPolytope.ts';
import { growthOfHalfspace } from './growthHalfspace.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { clearOutcome } from '../outcome.ts';
import type { Checker, CheckerDefinition, GrowthSolver, GrowthSolverDefinition, PairCache } from '../solver.ts';
import { COLLIDING, SEPARATED, type Separation, UNDECIDED, type Verdict } from '../solver.ts';
import { posedSupportWithMargin, bodySupport } from '../supportAlong.ts';

export const defaults = {
  /** Width of the bounds, relative to the upper one, at which the expansion may stop. */
  relativeGap: 1.5e-8,
};

/** Most corners that are added: the cap for round bodies. */
const expansionLimit = 500;
/** Gain, relative to the largest coordinate, below which a facet is final; and the height from which on one gives way to a corner. */
const thin = 2 * roundoff;
const clearance = 0.25 * roundoff;
/** Corners of a regular tetrahedron, each 1 / √3 long per coordinate. */
const tetrahedron = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];
const SQRT_3 = 1.7320508075688772;

/**
 * Internal expanding [ZhengYamane13; Thirugnanam26 §IV measures it]: growth distance by a polytope in M, the Minkowski difference about the
 * difference of the centres, all of whose facets are kept. The facet that the ray to the other centre leaves by grows to the support point
 * behind it. It bounds the ray's height from below, the support plane from above. A baseline: keeping facets costs more than the three
 * corners of a portal, and bodies without interior, or about outer centres, stay undecided.
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
  // Distance of the centres, the way from A's to B's, and bounds of the height at which it leaves M.
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

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, least, cache);
    cache.hasAxis = false;
    if (!this.initialize(a, T_b_a, b, least)) return UNDECIDED;
    const floor = roundoff * this.extent;
    this.expand((lower, gapAlongNormal) => lower > this.centerDistance + floor || gapAlongNormal > floor);
    if (this.gap() > floor) {
      cache.hasAxis = true;
      copy(cache.axis, this.normal);
      cache.gap = this.gap() + least;
      return SEPARATED;
    }
    return this.lower > this.centerDistance + floor ? COLLIDING : UNDECIDED;
  }

  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    clearOutcome(out);
    if (isHalfspace(a) || isHalfspace(b)) {
      growthOfHalfspace(out, a, T_b_a, b);
      return;
    }
    this.iterations = 0;
    if (!this.initialize(a, T_b_a, b, 0)) return;
    const { relativeGap, centerDistance: apart } = this;
    const face = this.expand((lower) => this.upper - lower <= relativeGap * this.upper);
    const lower = Math.min(this.lower, this.upper);
    out.iterations = this.iterations;
    out.growth.lower = apart / this.upper;
    out.growth.upper = apart / lower;
    out.hasNormal = apart > 0;
    copy(out.normal, this.normal);
    const floor = roundoff * this.extent;
    if (this.gap() > floor) out.status = 'separated';
    else if (lower > apart + floor) out.status = 'colliding';
    else if (this.upper - lower <= relativeGap * this.upper + 2 * floor) out.status = 'touching';
    this.writeWitnesses(out, face, apart / lower);
  }

  /** The ball about the centres as the first polytope; false where there is none. */
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

  /** Expands until `isEnough`, or to the last digit; returns the facet that the ray leaves by. */
  private expand(isEnough: (lower: number, gap: number) => boolean): number {
    const { polytope, n, extent } = this;
    let face = this.exitFacet(0);
    for (let k = 0; k < expansionLimit; k++) {
      this.iterations++;
      set(n, polytope.normals[3 * face], polytope.normals[3 * face + 1], polytope.normals[3 * face + 2]);
      const reach = this.support();
      if (isEnough(this.lower, this.gap()) || !(reach > polytope.heights[face] + thin * extent)) return face;
      const first = polytope.faceCount;
      polytope.clearance = clearance * extent;
      if (!polytope.expand(face, this.w, this.pointA)) return face;
      face = this.exitFacet(first);
    }
    return face;
  }

  /** Of the facets from `first` on, which are all that is new, the one that the ray leaves by: its plane cuts the ray lowest. */
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

  /** Looks along the unit vector n: its support plane may lower the upper bound. Returns how far M reaches along it. */
  private support(): number {
    const { a, b, n, d, w, pointA, pointB, rounding, ray } = this;
    this.hintA = posedSupportWithMargin(pointA, a, this.T_b_a, n, this.hintA);
    sub(pointA, pointA, this.centerA);
    scale(d, n, -1);
    this.hintB = bodySupport(pointB, b, d, this.hintB);
    sub(pointB, pointB, b.center);
    sub(w, pointA, pointB);
    addScaled(w, w, n, rounding);
    const reach = dot(n, w);
    const along = dot(n, ray);
    if (along > 0 && reach < this.upper * along) {
      this.upper = reach / along;
      copy(this.normal, n);
    }
    return reach;
  }

  /** Gap between the bodies along the best normal, metres; below 0 where they overlap along it. */
  private gap(): number {
    return dot(this.normal, this.ray) * (this.centerDistance - this.upper);
  }

  /** The points behind the one where the ray leaves the facet, each scaled about its centre if the bodies meet. */
  private writeWitnesses(out: Separation, face: number, growth: number): void {
    const { polytope, ray, lower, pointA, d, centerA, b } = this;
    const { w, a, corners } = polytope;
    const at = [0, 1, 2].map((k) => 3 * corners[3 * face + k]);
    const areas = [0, 1, 2].map((k) => tripleProduct(ray, w, at[(k + 1) % 3], at[(k + 2) % 3]));
    const sum = areas[0] + areas[1] + areas[2];
    if (!(sum > 0)) return;
    pointA.fill(0);
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < 3; i++) pointA[i] += (Math.max(0, areas[k]) / sum) * a[at[k] + i];
    }
    addScaled(d, pointA, ray, -lower); // of B: what is left of the point of M
    const factor = Math.min(1, growth);
    out.hasWitnesses = true;
    addScaled(out.witnessA, centerA, pointA, factor);
    addScaled(out.witnessB, b.center, d, factor);
    if (growth <= 1) copy(out.witnessB, out.witnessA);
  }
}

/** ray · (p × q) for corners p, q at offsets i, j. */
function tripleProduct(ray: Vec3, w: Float64Array, i: number, j: number): number {
  return (
    ray[0] * (w[i + 1] * w[j + 2] - w[i + 2] * w[j + 1]) +
    ray[1] * (w[i + 2] * w[j] - w[i] * w[j + 2]) +
    ray[2] * (w[i] * w[j + 1] - w[i + 1] * w[j])
  );
}

const summary = 'internal expanding: the polytope of all facets seen so far, a baseline';
const source = 'ZhengYamane13';

export const internalExpanding: CheckerDefinition = { summary, source, create: () => new InternalExpanding() };

export const internalExpandingGrowth: GrowthSolverDefinition = {
  summary,
  source,
  create: (options) => new InternalExpanding({ ...defaults, ...options }),
};
