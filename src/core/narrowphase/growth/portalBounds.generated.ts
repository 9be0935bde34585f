// Expanded from ../kernels/portalBounds.ts by `node scripts/kernels.mjs`: edit it there.
import type { Transform } from '../../math/transform.ts';
import { copy, create, type Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { iterationLimit } from '../iterationLimits.ts';
import { POINT_A, POINT_B } from './portalVertices.generated.ts';
import { neighborPortal } from './primalWarmStart.generated.ts';
import { MIN_OFFSET, RayPortal } from './rayPortal.generated.ts';

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
    const uAX = axesA[0],
      uAY = axesA[1],
      uAZ = axesA[2];
    const vAX = axesA[3],
      vAY = axesA[4],
      vAZ = axesA[5];
    const tAX = axesA[6],
      tAY = axesA[7],
      tAZ = axesA[8];
    const uBX = axesB[0],
      uBY = axesB[1],
      uBZ = axesB[2];
    const vBX = axesB[3],
      vBY = axesB[4],
      vBZ = axesB[5];
    const tBX = axesB[6],
      tBY = axesB[7],
      tBZ = axesB[8];
    const a1X = vertices[first + POINT_A],
      a1Y = vertices[first + POINT_A + 1],
      a1Z = vertices[first + POINT_A + 2];
    const b1X = vertices[first + POINT_B],
      b1Y = vertices[first + POINT_B + 1],
      b1Z = vertices[first + POINT_B + 2];
    const x1X = uAX * a1X + uAY * a1Y + uAZ * a1Z - (uBX * b1X + uBY * b1Y + uBZ * b1Z),
      x1Y = vAX * a1X + vAY * a1Y + vAZ * a1Z - (vBX * b1X + vBY * b1Y + vBZ * b1Z),
      x1Z = tAX * a1X + tAY * a1Y + tAZ * a1Z - (tBX * b1X + tBY * b1Y + tBZ * b1Z);
    const a2X = vertices[second + POINT_A],
      a2Y = vertices[second + POINT_A + 1],
      a2Z = vertices[second + POINT_A + 2];
    const b2X = vertices[second + POINT_B],
      b2Y = vertices[second + POINT_B + 1],
      b2Z = vertices[second + POINT_B + 2];
    const x2X = uAX * a2X + uAY * a2Y + uAZ * a2Z - (uBX * b2X + uBY * b2Y + uBZ * b2Z),
      x2Y = vAX * a2X + vAY * a2Y + vAZ * a2Z - (vBX * b2X + vBY * b2Y + vBZ * b2Z),
      x2Z = tAX * a2X + tAY * a2Y + tAZ * a2Z - (tBX * b2X + tBY * b2Y + tBZ * b2Z);
    const a3X = vertices[third + POINT_A],
      a3Y = vertices[third + POINT_A + 1],
      a3Z = vertices[third + POINT_A + 2];
    const b3X = vertices[third + POINT_B],
      b3Y = vertices[third + POINT_B + 1],
      b3Z = vertices[third + POINT_B + 2];
    const x3X = uAX * a3X + uAY * a3Y + uAZ * a3Z - (uBX * b3X + uBY * b3Y + uBZ * b3Z),
      x3Y = vAX * a3X + vAY * a3Y + vAZ * a3Z - (vBX * b3X + vBY * b3Y + vBZ * b3Z),
      x3Z = tAX * a3X + tAY * a3Y + tAZ * a3Z - (tBX * b3X + tBY * b3Y + tBZ * b3Z);
    const nX = (x2Y - x1Y) * (x3Z - x1Z) - (x2Z - x1Z) * (x3Y - x1Y),
      nY = (x2Z - x1Z) * (x3X - x1X) - (x2X - x1X) * (x3Z - x1Z),
      nZ = (x2X - x1X) * (x3Y - x1Y) - (x2Y - x1Y) * (x3X - x1X);
    const s1 = Math.max(0, x2X * (x3Y - x2Y) - x2Y * (x3X - x2X));
    const s2 = Math.max(0, x3X * (x1Y - x3Y) - x3Y * (x1X - x3X));
    const s3 = Math.max(0, x1X * (x2Y - x1Y) - x1Y * (x2X - x1X));
    const sum = s1 + s2 + s3;
    if (!(nZ > 0 && sum > 0)) return false;
    let pX = s1 / sum,
      pY = s2 / sum,
      pZ = s3 / sum;
    let restU = pX * x1X + pY * x2X + pZ * x3X;
    let restV = pX * x1Y + pY * x2Y + pZ * x3Y;
    if (Math.abs(restU) + Math.abs(restV) > MIN_OFFSET * (a.outerRadius + b.outerRadius)) {
      pX = Math.max(0, pX + (restU * (x3Y - x2Y) - restV * (x3X - x2X)) / sum);
      pY = Math.max(0, pY + (restU * (x1Y - x3Y) - restV * (x1X - x3X)) / sum);
      pZ = Math.max(0, pZ + (restU * (x2Y - x1Y) - restV * (x2X - x1X)) / sum);
      const total = pX + pY + pZ;
      pX = pX / total;
      pY = pY / total;
      pZ = pZ / total;
      restU = pX * x1X + pY * x2X + pZ * x3X;
      restV = pX * x1Y + pY * x2Y + pZ * x3Y;
    }
    const t = pX * x1Z + pY * x2Z + pZ * x3Z;
    const height = t + (nX * restU + nY * restV) / nZ;
    this.resetLowerBound(a, b);
    if (!(height > this.lower)) return true;
    const { innerRadius } = this;
    this.lower = height;
    this.certainLower = (t * innerRadius) / (innerRadius + Math.sqrt(restU * restU + restV * restV));
    pointA[0] = pX * a1X + pY * a2X + pZ * a3X;
    pointA[1] = pX * a1Y + pY * a2Y + pZ * a3Y;
    pointA[2] = pX * a1Z + pY * a2Z + pZ * a3Z;
    pointB[0] = pX * b1X + pY * b2X + pZ * b3X;
    pointB[1] = pX * b1Y + pY * b2Y + pZ * b3Y;
    pointB[2] = pX * b1Z + pY * b2Z + pZ * b3Z;
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
