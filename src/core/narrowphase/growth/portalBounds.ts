import type { Transform } from '../../math/transform.ts';
import { copy, create, type Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { iterationLimit } from '../iterationLimits.ts';
import { POINT_A, POINT_B } from './portalVertices.ts';
import { neighborPortal } from './primalWarmStart.ts';
import { MIN_OFFSET, RayPortal } from './rayPortal.ts';

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
    return this.upper - this.lower <= this.relativeGap * this.upper;
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
    const aux = axesA[0],
      auy = axesA[1],
      auz = axesA[2];
    const avx = axesA[3],
      avy = axesA[4],
      avz = axesA[5];
    const atx = axesA[6],
      aty = axesA[7],
      atz = axesA[8];
    const bux = axesB[0],
      buy = axesB[1],
      buz = axesB[2];
    const bvx = axesB[3],
      bvy = axesB[4],
      bvz = axesB[5];
    const btx = axesB[6],
      bty = axesB[7],
      btz = axesB[8];
    const a1x = vertices[first + POINT_A],
      a1y = vertices[first + POINT_A + 1],
      a1z = vertices[first + POINT_A + 2];
    const b1x = vertices[first + POINT_B],
      b1y = vertices[first + POINT_B + 1],
      b1z = vertices[first + POINT_B + 2];
    const u1 = aux * a1x + auy * a1y + auz * a1z - (bux * b1x + buy * b1y + buz * b1z);
    const v1 = avx * a1x + avy * a1y + avz * a1z - (bvx * b1x + bvy * b1y + bvz * b1z);
    const t1 = atx * a1x + aty * a1y + atz * a1z - (btx * b1x + bty * b1y + btz * b1z);
    const a2x = vertices[second + POINT_A],
      a2y = vertices[second + POINT_A + 1],
      a2z = vertices[second + POINT_A + 2];
    const b2x = vertices[second + POINT_B],
      b2y = vertices[second + POINT_B + 1],
      b2z = vertices[second + POINT_B + 2];
    const u2 = aux * a2x + auy * a2y + auz * a2z - (bux * b2x + buy * b2y + buz * b2z);
    const v2 = avx * a2x + avy * a2y + avz * a2z - (bvx * b2x + bvy * b2y + bvz * b2z);
    const t2 = atx * a2x + aty * a2y + atz * a2z - (btx * b2x + bty * b2y + btz * b2z);
    const a3x = vertices[third + POINT_A],
      a3y = vertices[third + POINT_A + 1],
      a3z = vertices[third + POINT_A + 2];
    const b3x = vertices[third + POINT_B],
      b3y = vertices[third + POINT_B + 1],
      b3z = vertices[third + POINT_B + 2];
    const u3 = aux * a3x + auy * a3y + auz * a3z - (bux * b3x + buy * b3y + buz * b3z);
    const v3 = avx * a3x + avy * a3y + avz * a3z - (bvx * b3x + bvy * b3y + bvz * b3z);
    const t3 = atx * a3x + aty * a3y + atz * a3z - (btx * b3x + bty * b3y + btz * b3z);
    const fu = u2 - u1,
      fv = v2 - v1,
      ft = t2 - t1;
    const gu = u3 - u1,
      gv = v3 - v1,
      gt = t3 - t1;
    const nu = fv * gt - ft * gv;
    const nv = ft * gu - fu * gt;
    const nt = fu * gv - fv * gu;
    const s1 = Math.max(0, u2 * (v3 - v2) - v2 * (u3 - u2));
    const s2 = Math.max(0, u3 * (v1 - v3) - v3 * (u1 - u3));
    const s3 = Math.max(0, u1 * (v2 - v1) - v1 * (u2 - u1));
    const sum = s1 + s2 + s3;
    if (!(nt > 0 && sum > 0)) return false;
    let p1 = s1 / sum,
      p2 = s2 / sum,
      p3 = s3 / sum;
    let restU = p1 * u1 + p2 * u2 + p3 * u3;
    let restV = p1 * v1 + p2 * v2 + p3 * v3;
    if (Math.abs(restU) + Math.abs(restV) > MIN_OFFSET * (a.outerRadius + b.outerRadius)) {
      p1 = Math.max(0, p1 + (restU * (v3 - v2) - restV * (u3 - u2)) / sum);
      p2 = Math.max(0, p2 + (restU * (v1 - v3) - restV * (u1 - u3)) / sum);
      p3 = Math.max(0, p3 + (restU * (v2 - v1) - restV * (u2 - u1)) / sum);
      const total = p1 + p2 + p3;
      p1 /= total;
      p2 /= total;
      p3 /= total;
      restU = p1 * u1 + p2 * u2 + p3 * u3;
      restV = p1 * v1 + p2 * v2 + p3 * v3;
    }
    const t = p1 * t1 + p2 * t2 + p3 * t3;
    const height = t + (nu * restU + nv * restV) / nt;
    this.resetLowerBound(a, b);
    if (!(height > this.lower)) return true;
    const { innerRadius } = this;
    this.lower = height;
    this.certainLower = (t * innerRadius) / (innerRadius + Math.sqrt(restU * restU + restV * restV));
    pointA[0] = p1 * a1x + p2 * a2x + p3 * a3x;
    pointA[1] = p1 * a1y + p2 * a2y + p3 * a3y;
    pointA[2] = p1 * a1z + p2 * a2z + p3 * a3z;
    pointB[0] = p1 * b1x + p2 * b2x + p3 * b3x;
    pointB[1] = p1 * b1y + p2 * b2y + p3 * b3y;
    pointB[2] = p1 * b1z + p2 * b2z + p3 * b3z;
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
      if (n[2] > 0) this.evaluate(a, b, n);
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
    const radiusA = a.innerRadius,
      radiusB = -b.innerRadius;
    this.innerRadius = radiusA - radiusB;
    this.lower = radiusA - radiusB;
    this.certainLower = radiusA - radiusB;
    pointA[0] = radiusA * axesA[6];
    pointA[1] = radiusA * axesA[7];
    pointA[2] = radiusA * axesA[8];
    pointB[0] = radiusB * axesB[6];
    pointB[1] = radiusB * axesB[7];
    pointB[2] = radiusB * axesB[8];
  }

  /** Raises the portal along its normal until the bounds agree or rounding stops it. */
  iterate(a: ConvexShape, b: ConvexShape): void {
    const { portal } = this;
    while (this.iterations < iterationLimit) {
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
