import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { supportOver } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { fillAxes } from './rayAxes.ts';
import { storePoints, POINT_A, POINT_B, updateRayCoordinates, STRIDE, setInnerTriangle, loadPoints } from './portalVertices.ts';

/** A new corner must rise above the portal by this much, relative to its size: less may be rounding. */
const MIN_GAIN = 2 * Number.EPSILON;
/** Rounding of a cross product of two points across the ray, relative to the size of the pair times that of the points. */
const SIDE_ERROR = 4 * Number.EPSILON;

/**
 * Inner approximation of the growth distance [Thirugnanam26 §III-C.2]: a triangle of points of the Minkowski difference M about the
 * difference of the centres, through which the ray from there passes. Everything is seen along the ray: t counts along it, (u, v)
 * across, so that the ray is the origin of the (u, v) plane, and the triangle holds that origin.
 *
 *     t ▲      x₂                the height t(0, 0) of the triangle is a lower bound; a support plane over the origin an upper one
 *       │   ╱  │╲
 *       │ x₁───┼─x₃
 *       └──────●────── u, v
 *
 * Points of A and B are kept about their centres in their own frames: no coordinate ever holds the distance of the two, and the
 * corners can be used again after the bodies have moved.
 */
export class RayPortal {
  /** Axes u, v, t seen from A and from B, three numbers each. */
  readonly axesA = new Float64Array(9);
  readonly axesB = new Float64Array(9);
  /** Normal of the triangle in u, v, t: unit, its t above 0. */
  readonly normal: Vec3 = create();
  /** Shares of the three corners in the point where the ray passes, adding up to 1, none below 0. */
  readonly weights: Vec3 = create();
  /** Where the ray passes through the triangle. */
  height = 0;
  /** Height of the point that the shares stand for, and how far it is off the ray: 0 to rounding, but for slivers on bodies far larger. */
  pointHeight = 0;
  rayOffset = 0;
  /** Support value of the last look. */
  supportValue = 0;
  hintA = -1;
  hintB = -1;
  /** Four slots: those of the three corners, and a free one that looks are written to; a corner that gives way is then the free one. */
  readonly vertices = new Float64Array(4 * STRIDE);
  /** Where the corner of the last look is among them, u, v, t first; not yet hung, or the one that gave way to it. */
  freeSlot = 3 * STRIDE;
  private first = 0;
  private second = STRIDE;
  private third = 2 * STRIDE;
  /** Twice the areas of the triangles that the ray makes with the sides opposite the corners, seen along it. */
  private readonly areas: Vec3 = create();
  /** Bound on the coordinates of M: rounding errors are a few machine epsilons of it. */
  private extent = 0;
  private readonly d: Vec3 = create();

  /** The ray along a vector in the frame of B, of any length but 0; the triangle in the balls about the centres. */
  initialize(ray: Vec3, T_b_a: Transform, a: ConvexShape, b: ConvexShape): void {
    fillAxes(this.axesA, this.axesB, ray, T_b_a);
    this.extent = a.outerRadius + b.outerRadius;
    this.reset(a, b);
  }

  private reset(a: ConvexShape, b: ConvexShape): void {
    const { normal, weights: shares, areas: sides } = this;
    this.resetSlots();
    setInnerTriangle(this.vertices, sides, this.axesA, this.axesB, a, b);
    normal[0] = 0;
    normal[1] = 0;
    normal[2] = 1;
    for (let k = 0; k < 3; k++) shares[k] = 1 / 3;
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

  /** Finds the support point of M along a unit normal in u, v, t, and `reach`, how far it lies along it: the support value. */
  support(a: ConvexShape, b: ConvexShape, normal: Vec3): void {
    const { axesA, axesB, d, vertices: c, freeSlot: free } = this;
    const nu = normal[0],
      nv = normal[1],
      nt = normal[2];
    const ax = nu * axesA[0] + nv * axesA[3] + nt * axesA[6];
    const ay = nu * axesA[1] + nv * axesA[4] + nt * axesA[7];
    const az = nu * axesA[2] + nv * axesA[5] + nt * axesA[8];
    d[0] = ax;
    d[1] = ay;
    d[2] = az;
    this.hintA = supportOver(d, a, this.hintA);
    c[free + POINT_A] = d[0] + a.margin * ax - a.center[0];
    c[free + POINT_A + 1] = d[1] + a.margin * ay - a.center[1];
    c[free + POINT_A + 2] = d[2] + a.margin * az - a.center[2];

    const bx = nu * axesB[0] + nv * axesB[3] + nt * axesB[6];
    const by = nu * axesB[1] + nv * axesB[4] + nt * axesB[7];
    const bz = nu * axesB[2] + nv * axesB[5] + nt * axesB[8];
    d[0] = -bx;
    d[1] = -by;
    d[2] = -bz;
    this.hintB = supportOver(d, b, this.hintB);
    c[free + POINT_B] = d[0] - b.margin * bx - b.center[0];
    c[free + POINT_B + 1] = d[1] - b.margin * by - b.center[1];
    c[free + POINT_B + 2] = d[2] - b.margin * bz - b.center[2];
    updateRayCoordinates(c, free, axesA, axesB);
    this.supportValue = nu * c[free] + nv * c[free + 1] + nt * c[free + 2];
  }

  /** Hangs on all three corners of an earlier portal of the same bodies; false, and the portal is as opened, where the ray passes beside. */
  restore(stored: Float64Array, a: ConvexShape, b: ConvexShape): boolean {
    const { areas: sides } = this;
    for (let k = 0; k < 3; k++) {
      this.freeSlot = k * STRIDE;
      this.loadVertex(stored, k);
    }
    this.resetSlots();
    const least = SIDE_ERROR * this.extent * this.extent;
    if (this.update() && sides[0] > least && sides[1] > least && sides[2] > least) return true;
    this.reset(a, b);
    return false;
  }

  /** Takes corner k (0 to 2) of an earlier portal of the same bodies for the last look's. */
  loadVertex(stored: Float64Array, k: number): void {
    const { vertices: corners, freeSlot: free } = this;
    loadPoints(corners, free, stored, k);
    updateRayCoordinates(corners, free, this.axesA, this.axesB);
  }

  /** The points of the corners, for `recall`. */
  store(stored: Float64Array): void {
    const { vertices: corners } = this;
    storePoints(corners, this.first, stored, 0);
    storePoints(corners, this.second, stored, 1);
    storePoints(corners, this.third, stored, 2);
  }

  /**
   * Hangs the portal on the corner of the last look; false, and nothing done, if it gains no height that rounding could not make. Looks
   * that were not along the portal's normal (proposed ones) may make slivers, whose point is off the ray: those are not taken.
   */
  addVertex(isProposed: boolean): boolean {
    const { vertices: c, normal, first, freeSlot: free } = this;
    const u = c[free],
      v = c[free + 1],
      t = c[free + 2];
    const gain = normal[0] * (u - c[first]) + normal[1] * (v - c[first + 1]) + normal[2] * (t - c[first + 2]);
    if (!(gain > MIN_GAIN * (Math.abs(u) + Math.abs(v) + Math.abs(t)))) return false;
    if (this.isVertex(first) || this.isVertex(this.second) || this.isVertex(this.third)) return false;
    const k = this.leavingVertex();
    if (k === 0) return false;
    this.swapWithFree(k);
    if (this.update() && !(isProposed && this.rayOffset > MIN_GAIN * this.extent)) return true;
    this.swapWithFree(k);
    this.update();
    return false;
  }

  /** Lets corner k (1 to 3) and the last look's change places. */
  private swapWithFree(k: number): void {
    const { freeSlot: free } = this;
    if (k === 1) {
      this.freeSlot = this.first;
      this.first = free;
    } else if (k === 2) {
      this.freeSlot = this.second;
      this.second = free;
    } else {
      this.freeSlot = this.third;
      this.third = free;
    }
  }

  /** Where the ray passes: the points of A and of B about their centres, each in its own frame. */
  interpolate(outA: Vec3, outB: Vec3): void {
    const { vertices: c, weights: shares, first, second, third } = this;
    for (let i = 0; i < 3; i++) {
      const a = POINT_A + i;
      const b = POINT_B + i;
      outA[i] = shares[0] * c[first + a] + shares[1] * c[second + a] + shares[2] * c[third + a];
      outB[i] = shares[0] * c[first + b] + shares[1] * c[second + b] + shares[2] * c[third + b];
    }
  }

  /** Whether the last look's point is the corner at this offset already: no portal hangs higher on it, whatever rounding says. */
  private isVertex(at: number): boolean {
    const { vertices: c, freeSlot: free } = this;
    return c[at] === c[free] && c[at + 1] === c[free + 1] && c[at + 2] === c[free + 2];
  }

  /**
   * Which corner (1 to 3; 0: none) gives way to the last look's, w at (u, v), so that the triangle goes on to hold the ray: the ray is left of all
   * three edges of the new triangle. Where it lies on the line of an edge, to rounding, two triangles will do, and the larger is taken.
   */
  private leavingVertex(): number {
    const { vertices: c, areas: sides, first, second, third, freeSlot: free } = this;
    const u = c[free],
      v = c[free + 1];
    const u1 = c[first],
      v1 = c[first + 1],
      u2 = c[second],
      v2 = c[second + 1],
      u3 = c[third],
      v3 = c[third + 1];
    const w1 = u1 * (v - v1) - v1 * (u - u1);
    const w2 = u2 * (v - v2) - v2 * (u - u2);
    const w3 = u3 * (v - v3) - v3 * (u - u3);
    const width = Math.abs(u1) + Math.abs(v1) + Math.abs(u2) + Math.abs(v2) + Math.abs(u3) + Math.abs(v3);
    const least = -SIDE_ERROR * this.extent * (width + Math.abs(u) + Math.abs(v));
    let best = 0;
    let area = Number.NEGATIVE_INFINITY;
    if (w2 <= -least && w3 >= least) {
      best = 1;
      area = sides[0] - w2 + w3;
    }
    if (w3 <= -least && w1 >= least && sides[1] - w3 + w1 > area) {
      best = 2;
      area = sides[1] - w3 + w1;
    }
    if (w1 <= -least && w2 >= least && sides[2] - w1 + w2 > area) best = 3;
    return best;
  }

  /** Finds normal, shares and height of the triangle as it is now; false if it is seen edge on, to rounding, and tells nothing. */
  private update(): boolean {
    const { vertices: c, normal, weights: shares, areas: sides, first, second, third } = this;
    const u1 = c[first],
      v1 = c[first + 1],
      t1 = c[first + 2];
    const u2 = c[second],
      v2 = c[second + 1],
      t2 = c[second + 2];
    const u3 = c[third],
      v3 = c[third + 1],
      t3 = c[third + 2];
    const fu = u2 - u1,
      fv = v2 - v1,
      ft = t2 - t1;
    const gu = u3 - u1,
      gv = v3 - v1,
      gt = t3 - t1;
    const nu = fv * gt - ft * gv;
    const nv = ft * gu - fu * gt;
    const nt = fu * gv - fv * gu;
    // Shares as areas, none below 0; what rounding leaves of the (u, v) of their point is taken off along the plane.
    const s1 = Math.max(0, u2 * (v3 - v2) - v2 * (u3 - u2));
    const s2 = Math.max(0, u3 * (v1 - v3) - v3 * (u1 - u3));
    const s3 = Math.max(0, u1 * (v2 - v1) - v1 * (u2 - u1));
    const sum = s1 + s2 + s3;
    if (!(nt > 0 && sum > 0)) return false;
    sides[0] = s1;
    sides[1] = s2;
    sides[2] = s3;

    let p1 = s1 / sum,
      p2 = s2 / sum,
      p3 = s3 / sum;
    let restU = p1 * u1 + p2 * u2 + p3 * u3;
    let restV = p1 * v1 + p2 * v2 + p3 * v3;
    // Areas of slivers have lost digits: what their point is off the ray tells how many, and a step of Newton's brings them back.
    if (Math.abs(restU) + Math.abs(restV) > MIN_GAIN * this.extent) {
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
    const s = 1 / Math.sqrt(nu * nu + nv * nv + nt * nt);
    shares[0] = p1;
    shares[1] = p2;
    shares[2] = p3;
    normal[0] = nu * s;
    normal[1] = nv * s;
    normal[2] = nt * s;
    const t = p1 * t1 + p2 * t2 + p3 * t3;
    this.height = t + (nu * restU + nv * restV) / nt;
    this.pointHeight = t;
    this.rayOffset = Math.sqrt(restU * restU + restV * restV);
    return true;
  }
}
