// Expanded from ../kernels/rayPortal.ts by `node scripts/kernels.mjs`: edit it there.
import type { Transform } from '../../math/transform.ts';
import { create, set, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import {
  areEqual,
  interpolatePoints,
  leavingVertex,
  loadPointsOf,
  POINT_A,
  POINT_B,
  SIDE_ERROR,
  STRIDE,
  setInnerTriangle,
  storePointsOf,
  updateRayCoordinates,
} from './portalVertices.generated.ts';
import { fillAxes } from './rayAxes.generated.ts';

/** Smallest gain of a new vertex over the portal, relative to its norm: less may be rounding. */
const MIN_GAIN = 2 * Number.EPSILON;
/**
 * Smallest distance of the point of the portal from the ray that is corrected, relative to the extent of the pair: less
 * is rounding.
 */
export const MIN_OFFSET = 2 * Number.EPSILON;
/**
 * Inner approximation of the growth distance [Thirugnanam26 §III-C.2]: a portal, a triangle of points of M = (A − cA) ⊖
 * (B − cB), c the centres, through which the ray from 0 passes. Coordinates are t along the ray and (u, v) orthogonal
 * to it: the ray is the origin of the (u, v) plane, and the projected triangle contains that origin.
 *
 *     t ▲      x₂                the height t(0, 0) of the triangle is a lower bound,
 *       │   ╱  │╲                that of a support plane an upper bound
 *       │ x₁───┼─x₃
 *       └──────●────── u, v
 *
 * Points of A and B are stored relative to their centres in their own frames: no coordinate includes the distance of
 * the shapes, and the vertices can be used again after the shapes have moved.
 */
export class RayPortal {
  /** Axes u, v, t in the frame of A and in the frame of B, three numbers per axis. */
  readonly axesA = new Float64Array(9);
  readonly axesB = new Float64Array(9);
  /** Normal of the triangle in u, v, t: a unit vector with t > 0. */
  readonly normal: Vec3 = create();
  /** Barycentric coordinates of the point where the ray passes: sum 1, none negative. */
  readonly weights: Vec3 = create();
  /** Height t at which the ray passes through the plane of the triangle. */
  height = 0;
  /** Height of the point given by `weights`, and its distance from the ray: 0 to rounding, except for slivers. */
  pointHeight = 0;
  rayOffset = 0;
  /** Output of `support`: support value of M. */
  supportValue = 0;
  hintA = -1;
  hintB = -1;
  /** Four slots: the three vertices, and a free one that `support` and `loadVertex` write to. */
  readonly vertices = new Float64Array(4 * STRIDE);
  /**
   * Offset of the free slot: it holds the last candidate, u, v, t first, until `addVertex`; after that, the vertex that
   * was replaced.
   */
  freeSlot = 3 * STRIDE;
  /** Offsets of the vertices in `vertices`. */
  first = 0;
  second = STRIDE;
  third = 2 * STRIDE;
  /** Twice the areas in the (u, v) plane of the triangles between the ray and the edges opposite the vertices. */
  readonly areas: Vec3 = create();
  /** Bound on the coordinates of M, metres: rounding errors are a few machine epsilons of it. */
  extent = 0;
  private readonly d: Vec3 = create();

  /** Sets the ray, a vector in the frame of B of any length but 0; the portal must be set afterwards. */
  setRay(ray: Vec3, T_b_a: Transform, a: ConvexShape, b: ConvexShape): void {
    fillAxes(this.axesA, this.axesB, ray, T_b_a);
    this.extent = a.outerRadius + b.outerRadius;
  }

  /** Sets the first portal, on the inner spheres. */
  reset(a: ConvexShape, b: ConvexShape): void {
    this.resetSlots();
    setInnerTriangle(this.vertices, this.areas, this.axesA, this.axesB, a, b);
    set(this.normal, 0, 0, 1);
    set(this.weights, 1 / 3, 1 / 3, 1 / 3);
    this.height = 0;
    this.pointHeight = 0;
    this.rayOffset = 0;
  }

  private resetSlots(): void {
    this.first = 0;
    this.second = STRIDE;
    this.third = 2 * STRIDE;
    this.freeSlot = 3 * STRIDE;
  }

  /**
   * Computes the support point of M along a unit normal in u, v, t: writes it to the free slot, and its support value.
   */
  support(a: ConvexShape, b: ConvexShape, normal: Vec3): void {
    const { axesA, axesB, d, vertices, freeSlot } = this;
    const nX = normal[0],
      nY = normal[1],
      nZ = normal[2];
    const lAX = nX * axesA[0] + nY * axesA[3] + nZ * axesA[6],
      lAY = nX * axesA[1] + nY * axesA[4] + nZ * axesA[7],
      lAZ = nX * axesA[2] + nY * axesA[5] + nZ * axesA[8];
    d[0] = lAX;
    d[1] = lAY;
    d[2] = lAZ;
    this.hintA = supportInPlace(d, a, this.hintA);
    vertices[freeSlot + POINT_A] = d[0] + a.margin * lAX - a.center[0];
    vertices[freeSlot + POINT_A + 1] = d[1] + a.margin * lAY - a.center[1];
    vertices[freeSlot + POINT_A + 2] = d[2] + a.margin * lAZ - a.center[2];

    const lBX = nX * axesB[0] + nY * axesB[3] + nZ * axesB[6],
      lBY = nX * axesB[1] + nY * axesB[4] + nZ * axesB[7],
      lBZ = nX * axesB[2] + nY * axesB[5] + nZ * axesB[8];
    d[0] = -lBX;
    d[1] = -lBY;
    d[2] = -lBZ;
    this.hintB = supportInPlace(d, b, this.hintB);
    vertices[freeSlot + POINT_B] = d[0] - b.margin * lBX - b.center[0];
    vertices[freeSlot + POINT_B + 1] = d[1] - b.margin * lBY - b.center[1];
    vertices[freeSlot + POINT_B + 2] = d[2] - b.margin * lBZ - b.center[2];
    updateRayCoordinates(vertices, freeSlot, axesA, axesB);
    this.supportValue = nX * vertices[freeSlot] + nY * vertices[freeSlot + 1] + nZ * vertices[freeSlot + 2];
  }

  /**
   * Restores all three vertices of an earlier portal of the same shapes; if the ray does not pass through them, resets
   * the portal and returns false.
   */
  restore(stored: Float64Array, a: ConvexShape, b: ConvexShape): boolean {
    const { areas } = this;
    this.load(stored);
    const minArea = SIDE_ERROR * this.extent * this.extent;
    if (this.update() && areas[0] > minArea && areas[1] > minArea && areas[2] > minArea) return true;
    this.reset(a, b);
    return false;
  }

  /** Loads the vertices of an earlier portal of the same shapes into the first three slots. */
  load(stored: Float64Array): void {
    for (let k = 0; k < 3; k++) {
      this.freeSlot = k * STRIDE;
      this.loadVertex(stored, k);
    }
    this.resetSlots();
  }

  /** Loads vertex k (0 to 2) of an earlier portal of the same shapes into the free slot. */
  loadVertex(stored: Float64Array, k: number): void {
    const { vertices, freeSlot } = this;
    loadPointsOf(vertices, freeSlot, stored, k);
    updateRayCoordinates(vertices, freeSlot, this.axesA, this.axesB);
  }

  /** Sets the offsets of the vertices; their points have been written to `vertices`. */
  setOffsets(first: number, second: number, third: number): void {
    this.first = first;
    this.second = second;
    this.third = third;
    this.freeSlot = 6 * STRIDE - first - second - third;
  }

  /**
   * Computes all of the portal from the points of its vertices; returns false if it is parallel to the ray, to
   * rounding.
   */
  updateAll(): boolean {
    const { vertices, axesA, axesB } = this;
    updateRayCoordinates(vertices, this.first, axesA, axesB);
    updateRayCoordinates(vertices, this.second, axesA, axesB);
    updateRayCoordinates(vertices, this.third, axesA, axesB);
    return this.update();
  }

  /** Stores the points of the vertices, for `restore` and `loadVertex`. */
  store(stored: Float64Array): void {
    const { vertices } = this;
    storePointsOf(vertices, this.first, stored, 0);
    storePointsOf(vertices, this.second, stored, 1);
    storePointsOf(vertices, this.third, stored, 2);
  }

  /**
   * Replaces a vertex by the candidate in the free slot; returns false, and leaves the portal as it was, if the gain is
   * within rounding.
   */
  addVertex(): boolean {
    const { vertices, normal, first, second, third, freeSlot } = this;
    const xX = vertices[freeSlot],
      xY = vertices[freeSlot + 1],
      xZ = vertices[freeSlot + 2];
    const gain =
      normal[0] * (xX - vertices[first]) +
      normal[1] * (xY - vertices[first + 1]) +
      normal[2] * (xZ - vertices[first + 2]);
    if (!(gain > MIN_GAIN * (Math.abs(xX) + Math.abs(xY) + Math.abs(xZ)))) return false;
    // A candidate that is a vertex cannot raise the portal, whatever rounding suggests.
    if (areEqual(vertices, first, freeSlot) || areEqual(vertices, second, freeSlot)) return false;
    if (areEqual(vertices, third, freeSlot)) return false;
    const k = leavingVertex(this);
    if (k === 0) return false;
    this.swapWithFree(k);
    if (this.update()) return true;
    this.swapWithFree(k);
    this.update();
    return false;
  }

  /** Swaps vertex k (1 to 3) with the free slot. */
  private swapWithFree(k: number): void {
    const { first, second, third, freeSlot } = this;
    this.freeSlot = k === 1 ? first : k === 2 ? second : third;
    if (k === 1) this.first = freeSlot;
    else if (k === 2) this.second = freeSlot;
    else this.third = freeSlot;
  }

  /** Computes the points of A and B where the ray passes, relative to their centres, each in its own frame. */
  interpolate(outA: Vec3, outB: Vec3): void {
    const { vertices, weights, first, second, third } = this;
    interpolatePoints(outA, vertices, weights, first + POINT_A, second + POINT_A, third + POINT_A);
    interpolatePoints(outB, vertices, weights, first + POINT_B, second + POINT_B, third + POINT_B);
  }

  /**
   * Computes normal, weights, areas and height of the triangle; returns false if it is parallel to the ray, to
   * rounding.
   */
  private update(): boolean {
    const { vertices, normal, weights, areas, first, second, third } = this;
    const x1X = vertices[first],
      x1Y = vertices[first + 1],
      x1Z = vertices[first + 2];
    const x2X = vertices[second],
      x2Y = vertices[second + 1],
      x2Z = vertices[second + 2];
    const x3X = vertices[third],
      x3Y = vertices[third + 1],
      x3Z = vertices[third + 2];
    const nX = (x2Y - x1Y) * (x3Z - x1Z) - (x2Z - x1Z) * (x3Y - x1Y),
      nY = (x2Z - x1Z) * (x3X - x1X) - (x2X - x1X) * (x3Z - x1Z),
      nZ = (x2X - x1X) * (x3Y - x1Y) - (x2Y - x1Y) * (x3X - x1X);
    // Weights from areas, none negative; the offset of their point from the ray is corrected along the plane.
    const s1 = Math.max(0, x2X * (x3Y - x2Y) - x2Y * (x3X - x2X));
    const s2 = Math.max(0, x3X * (x1Y - x3Y) - x3Y * (x1X - x3X));
    const s3 = Math.max(0, x1X * (x2Y - x1Y) - x1Y * (x2X - x1X));
    const sum = s1 + s2 + s3;
    if (!(nZ > 0 && sum > 0)) return false;
    areas[0] = s1;
    areas[1] = s2;
    areas[2] = s3;
    let pX = s1 / sum,
      pY = s2 / sum,
      pZ = s3 / sum;
    let restU = pX * x1X + pY * x2X + pZ * x3X;
    let restV = pX * x1Y + pY * x2Y + pZ * x3Y;
    // Areas of slivers have lost digits: the offset of their point from the ray is their error, and a Newton step
    // recovers them.
    if (Math.abs(restU) + Math.abs(restV) > MIN_OFFSET * this.extent) {
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
    const s = 1 / Math.sqrt(nX * nX + nY * nY + nZ * nZ);
    weights[0] = pX;
    weights[1] = pY;
    weights[2] = pZ;
    normal[0] = s * nX;
    normal[1] = s * nY;
    normal[2] = s * nZ;
    const t = pX * x1Z + pY * x2Z + pZ * x3Z;
    this.height = t + (nX * restU + nY * restV) / nZ;
    this.pointHeight = t;
    this.rayOffset = Math.sqrt(restU * restU + restV * restV);
    return true;
  }
}
