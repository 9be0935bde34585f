import type { Transform } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import { supportOver } from '../shapes/polytope.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { POINT_A, POINT_B, SIN_60, STRIDE, setBallTriangle } from './ballTriangle.ts';
import { fillAxes } from './rayAxes.ts';

/** A new corner must rise above the portal by this much, relative to its size: less may be rounding. */
const LEAST_GAIN = 2 * Number.EPSILON;
/** Rounding of a cross product of two points across the ray, relative to the size of the pair times that of the points. */
const SIDE_ERROR = 4 * Number.EPSILON;

/**
 * Inner approximation of the growth distance [Thirugnanam25 §III-C.2]: a triangle of points of the Minkowski difference M about the
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
  readonly shares: Vec3 = create();
  /** Where the ray passes through the triangle. */
  height = 0;
  /** Height of the point that the shares stand for, and how far it is off the ray: 0 to rounding, but for slivers on bodies far larger. */
  pointHeight = 0;
  rest = 0;
  /** Support value of the last look. */
  reach = 0;
  hintA = -1;
  hintB = -1;
  private readonly corners = new Float64Array(3 * STRIDE);
  /** Twice the areas of the triangles that the ray makes with the sides opposite the corners, seen along it. */
  private readonly sides: Vec3 = create();
  /** Bound on the coordinates of M: rounding errors are a few machine epsilons of it. */
  private extent = 0;
  /** The corner of the last look, u, v, t first; not yet hung. */
  readonly w = new Float64Array(STRIDE);
  /** The corner that gave way last. */
  private readonly outgoing = new Float64Array(STRIDE);
  private readonly d: Vec3 = create();

  /** The ray along a vector in the frame of B, of any length but 0; the triangle in the balls about the centres. */
  open(ray: Vec3, T_b_a: Transform, a: ConvexShape, b: ConvexShape): void {
    const { axesA, axesB, normal, shares, sides } = this;
    fillAxes(axesA, axesB, ray, T_b_a);
    setBallTriangle(this.corners, axesA, axesB, a, b);
    normal[0] = 0;
    normal[1] = 0;
    normal[2] = 1;
    for (let k = 0; k < 3; k++) {
      shares[k] = 1 / 3;
      sides[k] = SIN_60 * (a.innerRadius + b.innerRadius) * (a.innerRadius + b.innerRadius);
    }
    this.height = 0;
    this.pointHeight = 0;
    this.rest = 0;
    this.extent = a.outerRadius + b.outerRadius;
  }

  /** Finds the support point of M along a unit normal in u, v, t, and `reach`, how far it lies along it: the support value. */
  look(a: ConvexShape, b: ConvexShape, normal: Vec3): void {
    const { axesA, axesB, d, w } = this;
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
    w[POINT_A] = d[0] + a.margin * ax - a.center[0];
    w[POINT_A + 1] = d[1] + a.margin * ay - a.center[1];
    w[POINT_A + 2] = d[2] + a.margin * az - a.center[2];

    const bx = nu * axesB[0] + nv * axesB[3] + nt * axesB[6];
    const by = nu * axesB[1] + nv * axesB[4] + nt * axesB[7];
    const bz = nu * axesB[2] + nv * axesB[5] + nt * axesB[8];
    d[0] = -bx;
    d[1] = -by;
    d[2] = -bz;
    this.hintB = supportOver(d, b, this.hintB);
    w[POINT_B] = d[0] - b.margin * bx - b.center[0];
    w[POINT_B + 1] = d[1] - b.margin * by - b.center[1];
    w[POINT_B + 2] = d[2] - b.margin * bz - b.center[2];
    this.place();
    this.reach = nu * w[0] + nv * w[1] + nt * w[2];
  }

  /** Takes corner k (0 to 2) of an earlier portal of the same bodies for the last look's. */
  recall(corners: Float64Array, k: number): void {
    const { w } = this;
    for (let i = 0; i < 3; i++) {
      w[POINT_A + i] = corners[3 * k + i];
      w[POINT_B + i] = corners[9 + 3 * k + i];
    }
    this.place();
  }

  /** The points of the corners, three of A and then three of B, for `recall`. */
  store(corners: Float64Array): void {
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < 3; i++) {
        corners[3 * k + i] = this.corners[k * STRIDE + POINT_A + i];
        corners[9 + 3 * k + i] = this.corners[k * STRIDE + POINT_B + i];
      }
    }
  }

  /**
   * Hangs the portal on the corner of the last look; false, and nothing done, if it gains no height that rounding could not make. Looks
   * that were not along the portal's normal (proposed ones) may make slivers, whose point is off the ray: those are not taken.
   */
  hang(isProposed: boolean): boolean {
    const { corners, normal, w, outgoing } = this;
    const u = w[0],
      v = w[1],
      t = w[2];
    const gain = normal[0] * (u - corners[0]) + normal[1] * (v - corners[1]) + normal[2] * (t - corners[2]);
    if (!(gain > LEAST_GAIN * (Math.abs(u) + Math.abs(v) + Math.abs(t)))) return false;
    if (this.isKnown()) return false;
    const k = this.outgoingAt();
    if (k < 0) return false;
    for (let i = 0; i < STRIDE; i++) {
      outgoing[i] = corners[k + i];
      corners[k + i] = w[i];
    }
    if (this.raise() && !(isProposed && this.rest > LEAST_GAIN * this.extent)) return true;
    for (let i = 0; i < STRIDE; i++) corners[k + i] = outgoing[i];
    this.raise();
    return false;
  }

  /** The point of A about its centre, in A's frame, where the ray passes. */
  blendA(out: Vec3): void {
    this.blend(out, POINT_A);
  }

  /** The point of B about its centre, in B's frame, where the ray passes. */
  blendB(out: Vec3): void {
    this.blend(out, POINT_B);
  }

  /** Whether the last look's point is one of the corners already: no portal hangs higher on it, whatever rounding says. */
  private isKnown(): boolean {
    const { corners: c, w } = this;
    for (let i = 0; i < 3 * STRIDE; i += STRIDE) {
      if (c[i] === w[0] && c[i + 1] === w[1] && c[i + 2] === w[2]) return true;
    }
    return false;
  }

  /**
   * Offset of the corner that the last look's, w at (u, v), gives way to, so that the triangle goes on to hold the ray: the ray is left of all
   * three edges of the new triangle. Where it lies on the line of an edge, to rounding, two triangles will do, and the larger is taken.
   */
  private outgoingAt(): number {
    const { corners: c, sides, w } = this;
    const u = w[0],
      v = w[1];
    const u1 = c[0],
      v1 = c[1],
      u2 = c[STRIDE],
      v2 = c[STRIDE + 1],
      u3 = c[2 * STRIDE],
      v3 = c[2 * STRIDE + 1];
    const w1 = u1 * (v - v1) - v1 * (u - u1);
    const w2 = u2 * (v - v2) - v2 * (u - u2);
    const w3 = u3 * (v - v3) - v3 * (u - u3);
    const width = Math.abs(u1) + Math.abs(v1) + Math.abs(u2) + Math.abs(v2) + Math.abs(u3) + Math.abs(v3);
    const least = -SIDE_ERROR * this.extent * (width + Math.abs(u) + Math.abs(v));
    let best = -1;
    let area = Number.NEGATIVE_INFINITY;
    if (w2 <= -least && w3 >= least) {
      best = 0;
      area = sides[0] - w2 + w3;
    }
    if (w3 <= -least && w1 >= least && sides[1] - w3 + w1 > area) {
      best = STRIDE;
      area = sides[1] - w3 + w1;
    }
    if (w1 <= -least && w2 >= least && sides[2] - w1 + w2 > area) best = 2 * STRIDE;
    return best;
  }

  /** Finds normal, shares and height of the triangle as it is now; false if it is seen edge on, to rounding, and tells nothing. */
  private raise(): boolean {
    const { corners: c, normal, shares, sides } = this;
    const u1 = c[0],
      v1 = c[1],
      t1 = c[2];
    const u2 = c[STRIDE],
      v2 = c[STRIDE + 1],
      t2 = c[STRIDE + 2];
    const u3 = c[2 * STRIDE],
      v3 = c[2 * STRIDE + 1],
      t3 = c[2 * STRIDE + 2];
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
    if (Math.abs(restU) + Math.abs(restV) > LEAST_GAIN * this.extent) {
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
    this.rest = Math.sqrt(restU * restU + restV * restV);
    return true;
  }

  private blend(out: Vec3, offset: number): void {
    const { corners: c, shares } = this;
    for (let k = 0; k < 3; k++) {
      const i = offset + k;
      out[k] = shares[0] * c[i] + shares[1] * c[i + STRIDE] + shares[2] * c[i + 2 * STRIDE];
    }
  }

  /** The u, v, t of the last look from its points. */
  private place(): void {
    const { axesA, axesB, w } = this;
    const px = w[POINT_A],
      py = w[POINT_A + 1],
      pz = w[POINT_A + 2];
    const qx = w[POINT_B],
      qy = w[POINT_B + 1],
      qz = w[POINT_B + 2];
    for (let i = 0; i < 3; i++) {
      const j = 3 * i;
      w[i] =
        axesA[j] * px + axesA[j + 1] * py + axesA[j + 2] * pz - (axesB[j] * qx + axesB[j + 1] * qy + axesB[j + 2] * qz);
    }
  }
}
