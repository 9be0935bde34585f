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
} from '../growth/portalVertices.generated.ts';
import { fillAxes } from '../growth/rayAxes.generated.ts';
import { add, combined, cross, dot, load, neg, over, scaled, size, store, sub, vec } from './notation.ts';

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
    const n = load(normal);
    const lA = combined(n, load(axesA, 0), load(axesA, 3), load(axesA, 6));
    store(d, 0, lA);
    this.hintA = supportInPlace(d, a, this.hintA);
    store(vertices, freeSlot + POINT_A, sub(add(load(d), scaled(a.margin, lA)), load(a.center)));

    const lB = combined(n, load(axesB, 0), load(axesB, 3), load(axesB, 6));
    store(d, 0, neg(lB));
    this.hintB = supportInPlace(d, b, this.hintB);
    store(vertices, freeSlot + POINT_B, sub(sub(load(d), scaled(b.margin, lB)), load(b.center)));
    updateRayCoordinates(vertices, freeSlot, axesA, axesB);
    this.supportValue = dot(n, load(vertices, freeSlot));
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
    const x = load(vertices, freeSlot);
    const gain = dot(load(normal), sub(x, load(vertices, first)));
    if (!(gain > MIN_GAIN * size(x))) return false;
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
    const x1 = load(vertices, first);
    const x2 = load(vertices, second);
    const x3 = load(vertices, third);
    const n = cross(sub(x2, x1), sub(x3, x1));
    // Weights from areas, none negative; the offset of their point from the ray is corrected along the plane.
    const s1 = Math.max(0, x2[0] * (x3[1] - x2[1]) - x2[1] * (x3[0] - x2[0]));
    const s2 = Math.max(0, x3[0] * (x1[1] - x3[1]) - x3[1] * (x1[0] - x3[0]));
    const s3 = Math.max(0, x1[0] * (x2[1] - x1[1]) - x1[1] * (x2[0] - x1[0]));
    const sum = s1 + s2 + s3;
    if (!(n[2] > 0 && sum > 0)) return false;
    store(areas, 0, vec(s1, s2, s3));
    let p = over(vec(s1, s2, s3), sum);
    let restU = dot(p, vec(x1[0], x2[0], x3[0]));
    let restV = dot(p, vec(x1[1], x2[1], x3[1]));
    // Areas of slivers have lost digits: the offset of their point from the ray is their error, and a Newton step
    // recovers them.
    if (Math.abs(restU) + Math.abs(restV) > MIN_OFFSET * this.extent) {
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
    const s = 1 / Math.sqrt(dot(n, n));
    store(weights, 0, p);
    store(normal, 0, scaled(s, n));
    const t = dot(p, vec(x1[2], x2[2], x3[2]));
    this.height = t + (n[0] * restU + n[1] * restV) / n[2];
    this.pointHeight = t;
    this.rayOffset = Math.sqrt(restU * restU + restV * restV);
    return true;
  }
}
