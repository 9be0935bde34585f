import { rotate, type Transform, transformPoint } from '../../math/transform.ts';
import { add, copy, create, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import { isPolytope } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { Gjk } from '../gjk/gjk.ts';
import { growthOfHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { clearSeparation } from '../outcome.ts';
import { COLLIDING, PairCache, SEPARATED, type Separation } from '../solver.ts';
import { ellipsoidNormal } from './ellipsoidNormal.generated.ts';
import { PortalAscent } from './portalAscent.generated.ts';
import { PortalBounds } from './portalBounds.generated.ts';
import { toRayAxes } from './rayAxes.generated.ts';
import { RoundAscent } from './roundAscent.generated.ts';

export const defaults = {
  /** Relative difference of the bounds at which the iteration may stop: √(machine epsilon), as in the paper. */
  relativeGap: 1.5e-8,
};

/** Smallest cosine between the ray and a cached normal that is used: the planes of others intersect the ray too far. */
const MIN_ALONG_RAY = 1e-3;

/**
 * Growth distance [Thirugnanam26 Alg. 3]: the smallest factor by which both shapes must be scaled, each about its
 * centre, to touch. Let M = (A − cA) ⊖ (B − cB), c the centres. The ray from 0 along cB − cA leaves M at height t*, and
 * the growth distance is ‖cB − cA‖ / t*. Points of M bound t* from below (`RayPortal`), support planes from above. Each
 * iteration evaluates the support function along the portal normal, keeps the best plane and raises the portal, until
 * the bounds agree.
 *
 * Shapes include their margins, which are scaled as well. If the growth distance is not defined (neither shape has an
 * interior, or a centre is outside its shape), or if it overflows, its bounds stay [0, ∞] and only the status is
 * computed.
 */
export class GrowthDistance {
  /** Output of `solve`: distance of the centres, metres. */
  centerDistance = 0;
  /**
   * Output of `solve`, frame of B: best normal, a unit vector from A to B; points of A and B, relative to their
   * centres, where the ray leaves M.
   */
  readonly normal: Vec3 = create();
  readonly pointA: Vec3 = create();
  readonly pointB: Vec3;
  /** Output of `solve`: centres of A and B in the frame of B. */
  readonly centerA: Vec3 = create();
  readonly centerB: Vec3 = create();

  /** Bounds of the ray's exit from M, of the current query. */
  readonly bounds: PortalBounds;
  private readonly flatAscent = new PortalAscent();
  private readonly roundAscent = new RoundAscent();
  private readonly gjk = new Gjk();
  private readonly gjkCache = new PairCache();
  private readonly ray: Vec3 = create();
  private readonly start: Vec3 = create();
  private readonly repaired = new Float64Array(18);

  constructor({ relativeGap }: typeof defaults = defaults) {
    this.bounds = new PortalBounds(relativeGap);
    this.pointB = this.bounds.pointB;
  }

  /** Computes status, growth, normal and witness points. `cache` may hold any data; it receives a new warm start. */
  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    clearSeparation(out);
    if (isHalfspace(a) || isHalfspace(b)) {
      growthOfHalfspace(out, a, T_b_a, b);
      return;
    }
    const { centerA, centerB, ray, bounds } = this;
    transformPoint(centerA, T_b_a, a.center);
    copy(centerB, b.center);
    sub(ray, centerB, centerA);
    this.centerDistance = Math.sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]);
    bounds.iterations = 0;
    const isDefined = a.innerRadius >= 0 && b.innerRadius >= 0 && a.innerRadius + b.innerRadius > 0;
    // Centres so far apart that the square of their distance overflows have no ray: undecided.
    if (!(this.centerDistance < Number.POSITIVE_INFINITY)) return;
    if (!isDefined) {
      this.decideByGjk(out, a, T_b_a, b);
      return;
    }
    if (this.centerDistance === 0) {
      writeCoincident(out, centerB);
      return;
    }
    bounds.portal.setRay(ray, T_b_a, a, b);
    this.raiseLowerBound(a, T_b_a, b, cache);
    if (!(bounds.upper < Number.POSITIVE_INFINITY)) {
      this.decideByGjk(out, a, T_b_a, b);
      return;
    }
    this.writeResult(out, a, T_b_a, b);
    this.storeWarmStart(a, b, cache, out);
  }

  /**
   * Computes both bounds by the kernel of the pair, from cached vertices or a cached plane [Thirugnanam26 §III-F.3],
   * and continues along portal normals if rounding stopped it early.
   */
  protected raiseLowerBound(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    const { bounds, start, repaired } = this;
    const { portal } = bounds;
    const { axesA, axesB } = portal;
    const { axis } = cache;
    const isPolytopes = isPolytope(a) && isPolytope(b);
    const isCached = cache.simplexShapeA === a && cache.simplexShapeB === b;
    // The vertices of a converged portal of curved shapes lie close together and would lead to slivers.
    const usesVertices = isCached && (isPolytopes || !(cache.isSimplexOptimal && (isCurved(a) || isCurved(b))));
    const stored = usesVertices ? cache.simplexPoints : undefined;
    // A Boolean check may store nothing but a plane.
    const plane = !usesVertices && (isCached || cache.hasAxis) ? axis : undefined;
    const isAlongRay = axis[0] * axesB[6] + axis[1] * axesB[7] + axis[2] * axesB[8] > MIN_ALONG_RAY;
    const usesAxis = (isCached || cache.hasAxis) && isAlongRay;
    portal.hintA = cache.hintA;
    portal.hintB = cache.hintB;
    let isRaised: boolean;
    if (isPolytopes) {
      isRaised = this.flatAscent.raise(bounds, stored, usesAxis ? axis : undefined, a, T_b_a, b);
      if (!isRaised && stored !== undefined) {
        const iterations = bounds.repair(repaired, stored, a, T_b_a, b);
        isRaised = this.flatAscent.raise(bounds, repaired, undefined, a, T_b_a, b);
        bounds.iterations += iterations;
      }
    } else {
      const areEllipsoids = a.type === 'ellipsoid' && b.type === 'ellipsoid';
      let first: Vec3 | undefined;
      if (usesAxis) {
        first = start;
        toRayAxes(first, axis, axesB);
      } else if (areEllipsoids && ellipsoidNormal(start, a, b, axesA, axesB)) first = start;
      isRaised = this.roundAscent.raise(bounds, stored, first, a, b);
    }
    if (isRaised && bounds.setPortal(a, b)) {
      if (bounds.isConverged) return;
      portal.updateAll();
      bounds.iterate(a, b);
      if (bounds.isConverged) return;
    }
    // Proposals may have led to slivers to which rounding admits no further vertex: repeat without proposals.
    portal.hintA = cache.hintA;
    portal.hintB = cache.hintB;
    bounds.initialize(a, b, stored, plane);
    bounds.iterate(a, b);
  }

  /** Writes `out`, and converts normal and points to the frame of B. */
  private writeResult(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { centerDistance, centerA, centerB, pointA, pointB, normal, bounds } = this;
    const { upper, best } = bounds;
    const { axesB } = bounds.portal;
    const u = best[0],
      v = best[1],
      t = best[2];
    const { normal: outNormal, witnessA, witnessB, growth } = out;
    outNormal[0] = normal[0] = u * axesB[0] + v * axesB[3] + t * axesB[6];
    outNormal[1] = normal[1] = u * axesB[1] + v * axesB[4] + t * axesB[7];
    outNormal[2] = normal[2] = u * axesB[2] + v * axesB[5] + t * axesB[8];
    rotate(pointA, T_b_a, bounds.pointA);
    const lower = Math.min(bounds.lower, upper); // rounding may have crossed them
    const certainLower = Math.min(bounds.certainLower, upper);
    out.iterations = bounds.iterations;
    growth.lower = centerDistance / upper;
    const scale = centerDistance / lower;
    growth.upper = scale;
    out.hasNormal = true;
    // Relative error of t*: a few machine epsilons of the coordinates in its sum.
    let extent = a.outerRadius + b.outerRadius;
    extent += Math.abs(T_b_a[3]) + Math.abs(centerA[0]) + Math.abs(centerB[0]);
    extent += Math.abs(T_b_a[7]) + Math.abs(centerA[1]) + Math.abs(centerB[1]);
    extent += Math.abs(T_b_a[11]) + Math.abs(centerA[2]) + Math.abs(centerB[2]);
    const error = (roundoff * extent) / lower;
    // Separation is decided by the gap along the normal, not by the ratio: a plane nearly parallel to the ray amplifies
    // rounding in the ratio.
    if (t * (centerDistance - upper) > roundoff * extent) out.status = 'separated';
    else if (centerDistance < certainLower * (1 - error)) out.status = 'colliding';
    else if (upper - certainLower <= 2 * error * upper) out.status = 'touching';
    else {
      // The bounds straddle contact: where exactly depends on the start, and the status must not.
      this.decideByGjk(out, a, T_b_a, b);
      if (out.status === 'undecided' && upper - certainLower <= bounds.relativeGap * upper) out.status = 'touching';
    }

    out.hasWitnesses = true;
    if (scale > 1) {
      add(witnessA, centerA, pointA);
      add(witnessB, centerB, pointB);
      return;
    }
    // In collision: the common point of the scaled shapes lies in both shapes.
    witnessA[0] = witnessB[0] = centerA[0] + scale * pointA[0];
    witnessA[1] = witnessB[1] = centerA[1] + scale * pointA[1];
    witnessA[2] = witnessB[2] = centerA[2] + scale * pointA[2];
  }

  /** Computes the status alone, by GJK, which needs neither an interior nor a centre. */
  private decideByGjk(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { gjk, gjkCache } = this;
    gjkCache.hasAxis = false;
    gjkCache.hintA = -1;
    gjkCache.hintB = -1;
    const before = gjk.iterations;
    const verdict = gjk.check(a, T_b_a, b, 0, gjkCache);
    out.iterations = this.bounds.iterations + gjk.iterations - before;
    out.status = verdict === SEPARATED ? 'separated' : verdict === COLLIDING ? 'colliding' : 'undecided';
  }

  /** Stores the portal vertices, the normal and the support hints in the cache. */
  private storeWarmStart(a: ConvexShape, b: ConvexShape, cache: PairCache, out: Separation): void {
    const { bounds, normal } = this;
    const { portal } = bounds;
    const { axis } = cache;
    cache.hintA = portal.hintA;
    cache.hintB = portal.hintB;
    cache.hasAxis = out.status === 'separated';
    axis[0] = normal[0];
    axis[1] = normal[1];
    axis[2] = normal[2];
    cache.gap = bounds.best[2] * (this.centerDistance - bounds.upper);
    cache.simplexShapeA = a;
    cache.simplexShapeB = b;
    cache.isSimplexOptimal = true;
    portal.store(cache.simplexPoints);
  }
}

const isCurved = ({ vertices, type }: ConvexShape): boolean => vertices.length === 0 && type !== 'box';

/** Writes the result for equal centres: the shapes intersect at any scale. */
function writeCoincident(out: Separation, center: Vec3): void {
  out.status = 'colliding';
  out.growth.lower = 0;
  out.growth.upper = 0;
  out.hasWitnesses = true;
  copy(out.witnessA, center);
  copy(out.witnessB, center);
}
