import type { Transform } from '../../math/transform.ts';
import { create, dot, setTangents, sub, type Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { posedSupportWithMargin, supportWithMargin } from '../supportAlong.generated.ts';

/** Tilt of the normal, radians, by which support points other than the contact point are found. */
const TILT = 1e-7;
/**
 * Displacement of the support point by that tilt, relative to the outer radius of the shape, from which it is another
 * point of the same face or edge. Smaller faces are not detected; a radius of curvature above 1000 outer radii counts
 * as flat.
 */
const FLAT = 1e-4;
/** Radius of curvature, relative to the outer radii of the pair, up to which an edge or a vertex is sharp. */
const SHARP = 1e-5;
/** Sine of the angle up to which directions in the tangent plane are parallel. */
const PARALLEL = 1e-4;
/** Cosines and sines of eight directions in the tangent plane. */
const COSINES = [1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2, 0, Math.SQRT1_2];
const SINES = [0, Math.SQRT1_2, 1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2];

/**
 * Checks that the contact of two grown shapes determines the gradient of the growth distance. Let F_A and F_B be the
 * support sets of A along the normal n and of B along −n, which share the contact point z, and C_A, C_B the cones of
 * directions from z into them, in the tangent plane. The contact point is unique if C_A ∩ C_B = {0}; the normal is
 * unique if no tilt u in C_A° ∩ (−C_B)°, the polar cones, leaves both support points where they are: n has no curvature
 * there and may be replaced by n + ε u. Then the primal and the dual solution of the program of the growth distance are
 * unique, and the envelope theorem gives its gradient.
 */
export class ContactRegularity {
  private readonly setA = new SupportSet();
  private readonly setB = new SupportSet();
  private readonly u: Vec3 = create();
  private readonly v: Vec3 = create();

  /**
   * Returns true if contact point and normal are unique. `n`: unit normal from A to B; `pointA`, `pointB`: points of
   * the shapes, relative to their centres, that meet in the contact point; all in the frame of B.
   */
  isRegular(a: ConvexShape, T_b_a: Transform, b: ConvexShape, n: Vec3, pointA: Vec3, pointB: Vec3): boolean {
    const { setA, setB, u, v } = this;
    setTangents(u, v, n);
    setA.bind(a, T_b_a, n, u, v, 1);
    setB.bind(b, undefined, n, u, v, -1);
    setA.findDirections(pointA);
    setB.findDirections(pointB);
    if (isAnyIn(setA, setB) || isAnyIn(setB, setA)) return false;
    return this.isNormalUnique(SHARP * (a.outerRadius + b.outerRadius));
  }

  private isNormalUnique(sharp: number): boolean {
    const { setA, setB } = this;
    if (setA.count + setB.count === 0) {
      const xx = this.curvature(1, 0);
      const yy = this.curvature(0, 1);
      const xy = this.curvature(Math.SQRT1_2, Math.SQRT1_2) - (xx + yy) / 2;
      const least = (xx + yy) / 2 - Math.sqrt(((xx - yy) / 2) * ((xx - yy) / 2) + xy * xy);
      return least > sharp;
    }
    return !this.allowsTilt(setA, sharp) && !this.allowsTilt(setB, sharp);
  }

  /**
   * Returns true if the normal may be tilted along a boundary ray of the polar cone, which is perpendicular to a
   * direction of a support set: both shapes are sharp there.
   */
  private allowsTilt(set: SupportSet, sharp: number): boolean {
    for (let i = 0; i < 2 * set.count; i++) {
      const side = i % 2 === 0 ? 1 : -1;
      const x = -side * set.y[i >> 1];
      const y = side * set.x[i >> 1];
      if (this.setA.isPolar(x, y) && this.setB.isPolar(-x, -y) && !(this.curvature(x, y) > sharp)) return true;
    }
    return false;
  }

  /** Sum of the radii of curvature of both shapes along a unit tangent, metres. */
  private curvature(x: number, y: number): number {
    return this.setA.curvature(x, y) + this.setB.curvature(x, y);
  }
}

/** Support set of one shape along the normal, as directions from the contact point in the tangent plane. */
class SupportSet {
  /** Unit directions to other support points. */
  readonly x = new Float64Array(COSINES.length + 1);
  readonly y = new Float64Array(COSINES.length + 1);
  count = 0;

  private shape!: ConvexShape;
  private T_b_a: Transform | undefined;
  private n!: Vec3;
  private u!: Vec3;
  private v!: Vec3;
  private sign = 1;
  private readonly point: Vec3 = create();
  private readonly tilted: Vec3 = create();
  private readonly further: Vec3 = create();

  /** @param sign 1: the normal points out of the shape, −1: into it */
  bind(shape: ConvexShape, T_b_a: Transform | undefined, n: Vec3, u: Vec3, v: Vec3, sign: number): void {
    this.shape = shape;
    this.T_b_a = T_b_a;
    this.n = n;
    this.u = u;
    this.v = v;
    this.sign = sign;
    this.count = 0;
  }

  /**
   * Finds the support points in eight directions from the contact point, which is relative to the centre of the shape,
   * and in the direction opposite to their mean: the contact point may be near the boundary of the support set.
   */
  findDirections(contact: Vec3): void {
    let sumX = 0;
    let sumY = 0;
    for (let k = 0; k < COSINES.length; k++) {
      if (!this.addDirection(COSINES[k], SINES[k], contact)) continue;
      sumX += this.x[this.count - 1];
      sumY += this.y[this.count - 1];
    }
    const length = Math.sqrt(sumX * sumX + sumY * sumY);
    if (length > PARALLEL) this.addDirection(-sumX / length, -sumY / length, contact);
  }

  private addDirection(x: number, y: number, contact: Vec3): boolean {
    const { point, u, v } = this;
    this.support(point, x, y, TILT);
    sub(point, point, contact);
    const alongU = dot(point, u);
    const alongV = dot(point, v);
    const length = Math.sqrt(alongU * alongU + alongV * alongV);
    if (!(length > FLAT * this.shape.outerRadius)) return false;
    this.x[this.count] = alongU / length;
    this.y[this.count++] = alongV / length;
    return true;
  }

  /**
   * Returns the radius of curvature of the shape along a unit tangent in which no other support point lies, metres. On
   * a face or an edge: the greatest one of its ends, since that of the tip of a cone is 0.
   */
  curvature(x: number, y: number): number {
    if (this.count === 0) return this.curvatureTowards(x, y, 0, 0);
    let greatest = 0;
    for (let i = 0; i < this.count; i++)
      greatest = Math.max(greatest, this.curvatureTowards(x, y, this.sign * this.x[i], this.sign * this.y[i]));
    return greatest;
  }

  private curvatureTowards(x: number, y: number, endX: number, endY: number): number {
    const { tilted, further, u, v, sign } = this;
    this.support(tilted, sign * (x + endX), sign * (y + endY), TILT);
    this.support(further, sign * (2 * x + endX), sign * (2 * y + endY), TILT);
    sub(further, further, tilted);
    return (sign * (x * dot(further, u) + y * dot(further, v))) / TILT;
  }

  /**
   * Computes the support point along the outer normal, tilted along a unit tangent: relative to the centre of the
   * shape, in the frame of B.
   */
  private support(out: Vec3, x: number, y: number, tilt: number): void {
    const { shape, T_b_a, n, u, v, sign } = this;
    const direction = scratch;
    for (let k = 0; k < 3; k++) direction[k] = sign * n[k] + tilt * (x * u[k] + y * v[k]);
    if (T_b_a) posedSupportWithMargin(out, shape, T_b_a, direction, -1);
    else supportWithMargin(out, shape, direction, -1);
    const { center } = shape;
    for (let k = 0; k < 3; k++) {
      const c = T_b_a
        ? T_b_a[4 * k] * center[0] + T_b_a[4 * k + 1] * center[1] + T_b_a[4 * k + 2] * center[2] + T_b_a[4 * k + 3]
        : center[k];
      out[k] -= c;
    }
  }

  /** True if no direction of the set makes an acute angle with (x, y): a tilt along it keeps the contact point. */
  isPolar(x: number, y: number): boolean {
    for (let i = 0; i < this.count; i++) if (x * this.x[i] + y * this.y[i] > PARALLEL) return false;
    return true;
  }

  /** True if the unit tangent (x, y) is in the cone that the directions span. */
  isInCone(x: number, y: number): boolean {
    for (let i = 0; i < this.count; i++) {
      const along = x * this.x[i] + y * this.y[i];
      const across = this.x[i] * y - this.y[i] * x;
      if (along > 0 && Math.abs(across) <= PARALLEL) return true;
      for (let j = 0; j < i; j++) {
        const determinant = this.x[i] * this.y[j] - this.y[i] * this.x[j];
        if (!(Math.abs(determinant) > PARALLEL)) continue;
        const weightI = (x * this.y[j] - y * this.x[j]) / determinant;
        if (weightI >= 0 && across / determinant >= 0) return true;
      }
    }
    return false;
  }
}

/** Scratch: direction of a support call. */
const scratch: Vec3 = create();

/** True if a direction of one set is in the cone of the other: else the cones share only 0. */
function isAnyIn(set: SupportSet, other: SupportSet): boolean {
  for (let i = 0; i < set.count; i++) if (other.isInCone(set.x[i], set.y[i])) return true;
  return false;
}
