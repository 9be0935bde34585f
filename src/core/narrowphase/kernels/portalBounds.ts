import type { Transform } from '../../math/transform.ts';
import { copy, create, type Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { POINT_A, POINT_B } from '../growth/portalVertices.generated.ts';
import { neighborPortal } from '../growth/primalWarmStart.generated.ts';
import { MIN_OFFSET, RayPortal } from '../growth/rayPortal.generated.ts';
import { iterationLimit } from '../iterationLimits.ts';
import { combined, cross, dot, load, over, rotated, scaled, store, sub, vec } from './notation.ts';

/**
 * Bounds of the height t* at which the ray leaves M (see `GrowthDistance`): from below by a portal, from above by
 * support planes. Takes over the portal of a fast kernel, and iterates along portal normals, with error terms, where
 * the kernel cannot: from the inner spheres, and where a sign is within rounding.
 */
export class PortalBounds {
  /** Lower and upper bound of t*, metres. */
  lower = 0;
  upper = 0;
  /** Lower bound despite rounding: the height up to which portal point and inner sphere surely span the ray. */
  certainLower = 0;
  iterations = 0;
  /** Input: maximum number of iterations of `iterate`. */
  maxIterations = iterationLimit;
  /** Input: absolute gap of the growth distance, over the distance of the centres, at which the bounds agree, too. */
  gapOverDistance = 0;
  /** Points of A and B, relative to their centres, each in its own frame: their difference is on the ray at `lower`. */
  readonly pointA: Vec3 = create();
  readonly pointB: Vec3 = create();
  /** Unit normal of the lowest support plane in the u, v, t axes of the portal. */
  readonly best: Vec3 = create();
  readonly portal = new RayPortal();
  /** Radius of a sphere about 0 inside M. */
  private innerRadius = 0;
  private readonly n: Vec3 = create();

  /** The bounds agree to `relativeGap`, relative to the upper one, unless rounding stops the iteration. */
  constructor(readonly relativeGap: number) {}

  get isConverged(): boolean {
    return this.upper - this.lower <= Math.max(this.relativeGap, this.gapOverDistance * this.lower) * this.upper;
  }

  /**
   * Sets the lower bound and its witness points to those of the portal, whose points a kernel has written, or of the
   * inner spheres if they are higher; returns false if the portal is parallel to the ray, to rounding. The results are
   * those of `RayPortal.updateAll` and `interpolate`, in one function: it runs once per query, and calls would take
   * most of its time.
   */
  setPortal(a: ConvexShape, b: ConvexShape): boolean {
    const { portal, pointA, pointB } = this;
    const { vertices, axesA, axesB, first, second, third } = portal;
    const uA = load(axesA, 0);
    const vA = load(axesA, 3);
    const tA = load(axesA, 6);
    const uB = load(axesB, 0);
    const vB = load(axesB, 3);
    const tB = load(axesB, 6);
    const a1 = load(vertices, first + POINT_A);
    const b1 = load(vertices, first + POINT_B);
    const x1 = sub(rotated(uA, vA, tA, a1), rotated(uB, vB, tB, b1));
    const a2 = load(vertices, second + POINT_A);
    const b2 = load(vertices, second + POINT_B);
    const x2 = sub(rotated(uA, vA, tA, a2), rotated(uB, vB, tB, b2));
    const a3 = load(vertices, third + POINT_A);
    const b3 = load(vertices, third + POINT_B);
    const x3 = sub(rotated(uA, vA, tA, a3), rotated(uB, vB, tB, b3));
    const n = cross(sub(x2, x1), sub(x3, x1));
    const s1 = Math.max(0, x2[0] * (x3[1] - x2[1]) - x2[1] * (x3[0] - x2[0]));
    const s2 = Math.max(0, x3[0] * (x1[1] - x3[1]) - x3[1] * (x1[0] - x3[0]));
    const s3 = Math.max(0, x1[0] * (x2[1] - x1[1]) - x1[1] * (x2[0] - x1[0]));
    const sum = s1 + s2 + s3;
    if (!(n[2] > 0 && sum > 0)) return false;
    let p = over(vec(s1, s2, s3), sum);
    let restU = dot(p, vec(x1[0], x2[0], x3[0]));
    let restV = dot(p, vec(x1[1], x2[1], x3[1]));
    if (Math.abs(restU) + Math.abs(restV) > MIN_OFFSET * (a.outerRadius + b.outerRadius)) {
      p = vec(
        Math.max(0, p[0] + (restU * (x3[1] - x2[1]) - restV * (x3[0] - x2[0])) / sum),
        Math.max(0, p[1] + (restU * (x1[1] - x3[1]) - restV * (x1[0] - x3[0])) / sum),
        Math.max(0, p[2] + (restU * (x2[1] - x1[1]) - restV * (x2[0] - x1[0])) / sum),
      );
      const total = p[0] + p[1] + p[2];
      p = over(p, total);
      restU = dot(p, vec(x1[0], x2[0], x3[0]));
      restV = dot(p, vec(x1[1], x2[1], x3[1]));
    }
    const t = dot(p, vec(x1[2], x2[2], x3[2]));
    const height = t + (n[0] * restU + n[1] * restV) / n[2];
    this.resetLowerBound(a, b);
    if (!(height > this.lower)) return true;
    const { innerRadius } = this;
    this.lower = height;
    this.certainLower = (t * innerRadius) / (innerRadius + Math.sqrt(restU * restU + restV * restV));
    store(pointA, 0, combined(p, a1, a2, a3));
    store(pointB, 0, combined(p, b1, b2, b3));
    return true;
  }

  /**
   * Sets the first portal and bounds: from the inner spheres, then from points of cached vertices, or from a cached
   * plane.
   */
  initialize(a: ConvexShape, b: ConvexShape, stored: Float64Array | undefined, plane: Vec3 | undefined): void {
    const { portal, n, best } = this;
    portal.reset(a, b);
    this.resetLowerBound(a, b);
    this.upper = Number.POSITIVE_INFINITY;
    this.iterations = 0;
    copy(best, portal.normal);
    if (stored !== undefined) {
      if (portal.restore(stored, a, b)) this.updateLowerBound();
      else {
        for (let k = 0; k < 3; k++) {
          portal.loadVertex(stored, k);
          this.raisePortal();
        }
      }
    } else if (plane !== undefined) {
      const { axesB } = portal;
      for (let i = 0; i < 3; i++) {
        n[i] = axesB[3 * i] * plane[0] + axesB[3 * i + 1] * plane[1] + axesB[3 * i + 2] * plane[2];
      }
      if (!(n[2] > 0)) return;
      this.iterations = 1;
      this.evaluate(a, b, n);
    }
  }

  /**
   * Writes the points of a portal of two polytopes, which the ray has left, for a new start: the vertices of the edge
   * that the ray has crossed, and a support point beyond it; otherwise the inner spheres and those points that raise
   * the portal. `stored` and `out` have the format of `PairCache.simplexPoints`. Returns the number of iterations.
   */
  repair(out: Float64Array, stored: Float64Array, a: ConvexShape, T_b_a: Transform, b: ConvexShape): number {
    if (neighborPortal(out, stored, this.portal, a, T_b_a, b)) return 1;
    this.initialize(a, b, stored, undefined);
    this.portal.store(out);
    return 0;
  }

  /** Sets the lower bound to that of the inner spheres, and its witness points. */
  private resetLowerBound(a: ConvexShape, b: ConvexShape): void {
    const { portal, pointA, pointB } = this;
    const { axesA, axesB } = portal;
    const radiusA = a.innerRadius;
    const radiusB = -b.innerRadius;
    this.innerRadius = radiusA - radiusB;
    this.lower = radiusA - radiusB;
    this.certainLower = radiusA - radiusB;
    store(pointA, 0, scaled(radiusA, load(axesA, 6)));
    store(pointB, 0, scaled(radiusB, load(axesB, 6)));
  }

  /** Raises the portal along its normal until the bounds agree or rounding stops it. */
  iterate(a: ConvexShape, b: ConvexShape): void {
    const { portal } = this;
    while (this.iterations < this.maxIterations) {
      this.iterations++;
      if (!this.evaluate(a, b, portal.normal) || this.isConverged) return;
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
}
