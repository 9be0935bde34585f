import { rotate, type Transform, transformPoint } from '../../math/transform.ts';
import { add, copy, create, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import { isPolytope } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { Gjk } from '../gjk/gjk.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import { clearSeparation } from '../outcome.ts';
import { COLLIDING, PairCache, SEPARATED, type Separation } from '../solver.ts';
import { ellipsoidNormal } from './ellipsoidNormal.ts';
import { growthOfHalfspace } from './growthHalfspace.ts';
import { PortalAscent } from './portalAscent.ts';
import { RayPortal } from './rayPortal.ts';
import { RoundAscent } from './roundAscent.ts';

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
  /** Output of `solve`: distance of the centres, and lower and upper bound of t*, metres. */
  centerDistance = 0;
  lower = 0;
  upper = 0;
  /**
   * Output of `solve`, frame of B: best normal, a unit vector from A to B; points of A and B, relative to their
   * centres, where the ray leaves M.
   */
  readonly normal: Vec3 = create();
  readonly pointA: Vec3 = create();
  readonly pointB: Vec3 = create();
  /** Output of `solve`: centres of A and B in the frame of B. */
  readonly centerA: Vec3 = create();
  readonly centerB: Vec3 = create();
  iterations = 0;

  /** Lower bound of t* despite rounding: the height up to which portal point and inner sphere surely span the ray. */
  private certainLower = 0;
  /** Radius of a sphere about 0 inside M. */
  private innerRadius = 0;
  private readonly relativeGap: number;
  private readonly portal = new RayPortal();
  private readonly flatAscent = new PortalAscent();
  private readonly roundAscent = new RoundAscent();
  private readonly gjk = new Gjk();
  private readonly gjkCache = new PairCache();
  private readonly n: Vec3 = create();
  private readonly start: Vec3 = create();
  /** The best normal in the u, v, t axes of the portal. */
  private readonly best: Vec3 = create();

  constructor({ relativeGap }: typeof defaults = defaults) {
    this.relativeGap = relativeGap;
  }

  /** Computes status, growth, normal and witness points. `cache` may hold any data; it receives a new warm start. */
  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    clearSeparation(out);
    this.iterations = 0;
    if (isHalfspace(a) || isHalfspace(b)) {
      growthOfHalfspace(out, a, T_b_a, b);
      return;
    }
    const { centerA, centerB, n } = this;
    transformPoint(centerA, T_b_a, a.center);
    copy(centerB, b.center);
    sub(n, centerB, centerA);
    this.centerDistance = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
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
    this.portal.setRay(n, T_b_a, a, b);
    if (!this.ascend(a, T_b_a, b, cache) || this.upper - this.lower > this.relativeGap * this.upper) {
      // Proposals may have led to slivers to which rounding admits no further vertex: repeat without proposals.
      this.initialize(a, b, cache);
      this.iterate(a, b);
    }
    if (!(this.upper < Number.POSITIVE_INFINITY)) {
      this.decideByGjk(out, a, T_b_a, b);
      return;
    }
    this.writeResult(out, a, T_b_a, b);
    this.storeWarmStart(a, b, cache, out);
  }

  /**
   * Sets the first portal and bounds: from the inner spheres, then from cached vertices or a cached plane
   * [Thirugnanam26 §III-F.3].
   */
  private initialize(a: ConvexShape, b: ConvexShape, cache: PairCache): void {
    const { portal, n, best } = this;
    portal.reset(a, b);
    portal.hintA = cache.hintA;
    portal.hintB = cache.hintB;
    this.resetLowerBound(a, b);
    this.upper = Number.POSITIVE_INFINITY;
    this.iterations = 0;
    copy(best, portal.normal);
    const isCached = cache.simplexShapeA === a && cache.simplexShapeB === b;
    if (isCached && !(hasCurvedCore(a, b) && cache.isSimplexOptimal)) {
      if (portal.restore(cache.simplexPoints, a, b)) this.updateLowerBound();
      else {
        for (let k = 0; k < 3; k++) {
          portal.loadVertex(cache.simplexPoints, k);
          this.raisePortal();
        }
      }
    } else if (isCached || cache.hasAxis) {
      // Use the plane: a Boolean check may store nothing else, and the vertices of a converged portal of curved shapes
      // lie close together and would lead to slivers.
      const { axis } = cache;
      const { axesB } = portal;
      for (let i = 0; i < 3; i++) {
        n[i] = axesB[3 * i] * axis[0] + axesB[3 * i + 1] * axis[1] + axesB[3 * i + 2] * axis[2];
      }
      if (n[2] > 0) this.evaluate(a, b, n);
    }
  }

  /** Sets the lower bound to that of the inner spheres, and its witness points. */
  private resetLowerBound(a: ConvexShape, b: ConvexShape): void {
    const { portal, pointA, pointB } = this;
    this.innerRadius = a.innerRadius + b.innerRadius;
    this.lower = this.innerRadius;
    this.certainLower = this.innerRadius;
    for (let i = 0; i < 3; i++) {
      pointA[i] = a.innerRadius * portal.axesA[6 + i];
      pointB[i] = -b.innerRadius * portal.axesB[6 + i];
    }
  }

  /**
   * Computes both bounds by the kernel of the pair, and continues from its portal if rounding stopped it early; returns
   * false if the pair must be solved from the start.
   */
  private ascend(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): boolean {
    const { portal, best, relativeGap } = this;
    const { vertices, axesA, axesB } = portal;
    const isPolytopes = isPolytope(a) && isPolytope(b);
    const isCached = cache.simplexShapeA === a && cache.simplexShapeB === b;
    const isRestored = isCached && !(hasCurvedCore(a, b) && cache.isSimplexOptimal);
    const ascent = isPolytopes ? this.flatAscent : this.roundAscent;
    ascent.hintA = cache.hintA;
    ascent.hintB = cache.hintB;
    if (isRestored && isPolytopes) portal.loadPoints(cache.simplexPoints);
    else if (isRestored) portal.load(cache.simplexPoints);
    const { axis } = cache;
    const usesAxis =
      (isCached || cache.hasAxis) && axis[0] * axesB[6] + axis[1] * axesB[7] + axis[2] * axesB[8] > MIN_ALONG_RAY;
    const { start } = this;
    const usesEllipsoids =
      a.type === 'ellipsoid' && b.type === 'ellipsoid' && !usesAxis && ellipsoidNormal(start, a, b, axesA, axesB);
    const first = usesAxis ? axis : usesEllipsoids ? start : undefined;
    const isRaised = isPolytopes
      ? this.flatAscent.raise(vertices, isRestored, first, a, T_b_a, b, axesA, axesB, relativeGap)
      : this.roundAscent.raise(vertices, isRestored, first, a, b, axesA, axesB, relativeGap);
    if (!isRaised || !portal.setVertices(ascent.first, ascent.second, ascent.third)) return false;
    portal.hintA = ascent.hintA;
    portal.hintB = ascent.hintB;
    this.resetLowerBound(a, b);
    this.updateLowerBound();
    this.upper = ascent.upper;
    if (isPolytopes) {
      const [x, y, z] = ascent.best;
      for (let i = 0; i < 3; i++) best[i] = axesB[3 * i] * x + axesB[3 * i + 1] * y + axesB[3 * i + 2] * z;
    } else copy(best, ascent.best);
    this.iterations = ascent.iterations;
    if (this.upper - this.lower > relativeGap * this.upper) this.iterate(a, b);
    return true;
  }

  /** Raises the portal along its normal until the bounds agree or rounding stops it. */
  private iterate(a: ConvexShape, b: ConvexShape): void {
    const { relativeGap, portal } = this;
    while (this.iterations < iterationLimit) {
      this.iterations++;
      if (!this.evaluate(a, b, portal.normal) || this.upper - this.lower <= relativeGap * this.upper) return;
    }
  }

  /**
   * Evaluates the support function along a unit normal (u, v, t) and updates both bounds; returns whether the portal
   * was raised.
   */
  private evaluate(a: ConvexShape, b: ConvexShape, normal: Vec3): boolean {
    // t* <= h(n) / (n·ray)
    const { portal } = this;
    portal.support(a, b, normal);
    if (portal.supportValue < this.upper * normal[2]) {
      this.upper = portal.supportValue / normal[2];
      copy(this.best, normal);
    }
    return this.raisePortal();
  }

  /**
   * Adds the last support point to the portal if that raises it, and updates the lower bound; returns whether it did.
   */
  private raisePortal(): boolean {
    if (!this.portal.addVertex()) return false;
    this.updateLowerBound();
    return true;
  }

  /** Takes the height of the portal and its witness points if the height improves the lower bound. */
  private updateLowerBound(): void {
    const { portal, pointA, pointB } = this;
    if (!(portal.height > this.lower)) return;
    this.lower = portal.height;
    this.certainLower = (portal.pointHeight * this.innerRadius) / (this.innerRadius + portal.rayOffset);
    portal.interpolate(pointA, pointB);
  }

  /** Writes `out`, and converts normal and points to the frame of B. */
  private writeResult(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { centerDistance, upper, centerA, centerB, pointA, pointB, normal, best, portal } = this;
    const { axesB } = portal;
    for (let i = 0; i < 3; i++) normal[i] = best[0] * axesB[i] + best[1] * axesB[3 + i] + best[2] * axesB[6 + i];
    rotate(pointA, T_b_a, pointA);
    const lower = Math.min(this.lower, upper); // rounding may have crossed them
    const certainLower = Math.min(this.certainLower, upper);
    out.iterations = this.iterations;
    out.growth.lower = centerDistance / upper;
    out.growth.upper = centerDistance / lower;
    out.hasNormal = true;
    copy(out.normal, normal);
    // Relative error of t*: a few machine epsilons of the coordinates in its sum.
    let extent = a.outerRadius + b.outerRadius;
    for (let i = 0; i < 3; i++) extent += Math.abs(T_b_a[4 * i + 3]) + Math.abs(centerA[i]) + Math.abs(centerB[i]);
    const error = (roundoff * extent) / lower;
    // Separation is decided by the gap along the normal, not by the ratio: a plane nearly parallel to the ray amplifies
    // rounding in the ratio.
    if (best[2] * (centerDistance - upper) > roundoff * extent) out.status = 'separated';
    else if (centerDistance < certainLower * (1 - error)) out.status = 'colliding';
    else if (upper - certainLower <= 2 * error * upper) out.status = 'touching';
    else {
      // The bounds straddle contact: where exactly depends on the start, and the status must not.
      this.decideByGjk(out, a, T_b_a, b);
      if (out.status === 'undecided' && upper - certainLower <= this.relativeGap * upper) out.status = 'touching';
    }

    out.hasWitnesses = true;
    add(out.witnessA, centerA, pointA);
    add(out.witnessB, centerB, pointB);
    if (out.growth.upper > 1) return;
    // In collision: the common point of the scaled shapes lies in both shapes.
    const scale = out.growth.upper;
    for (let i = 0; i < 3; i++) out.witnessA[i] = centerA[i] + scale * pointA[i];
    copy(out.witnessB, out.witnessA);
  }

  /** Computes the status alone, by GJK, which needs neither an interior nor a centre. */
  private decideByGjk(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { gjk, gjkCache } = this;
    gjkCache.hasAxis = false;
    gjkCache.hintA = -1;
    gjkCache.hintB = -1;
    const before = gjk.iterations;
    const verdict = gjk.check(a, T_b_a, b, 0, gjkCache);
    out.iterations = this.iterations + gjk.iterations - before;
    out.status = verdict === SEPARATED ? 'separated' : verdict === COLLIDING ? 'colliding' : 'undecided';
  }

  /** Stores the portal vertices, the normal and the support hints in the cache. */
  private storeWarmStart(a: ConvexShape, b: ConvexShape, cache: PairCache, out: Separation): void {
    const { portal, best, normal } = this;
    cache.hintA = portal.hintA;
    cache.hintB = portal.hintB;
    cache.hasAxis = out.status === 'separated';
    copy(cache.axis, normal);
    cache.gap = best[2] * (this.centerDistance - this.upper);
    cache.simplexShapeA = a;
    cache.simplexShapeB = b;
    cache.isSimplexOptimal = true;
    portal.store(cache.simplexPoints);
  }
}

const isCurved = ({ vertices, type }: ConvexShape): boolean => vertices.length === 0 && type !== 'box';
const hasCurvedCore = (a: ConvexShape, b: ConvexShape): boolean => isCurved(a) || isCurved(b);

/** Writes the result for equal centres: the shapes intersect at any scale. */
function writeCoincident(out: Separation, center: Vec3): void {
  out.status = 'colliding';
  out.growth.lower = 0;
  out.growth.upper = 0;
  out.hasWitnesses = true;
  copy(out.witnessA, center);
  copy(out.witnessB, center);
}
