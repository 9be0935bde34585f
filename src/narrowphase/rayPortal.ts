import type { Vec3 } from '../math/vec3.ts';

const SIN_60 = 0.8660254037844386;
/** Per corner: u, v, t, then the point of A and the point of B (each about its centre, frame of B) that it is the difference of. */
const STRIDE = 9;

/**
 * Inner approximation of the growth distance [GrowthDistance §III-C.2]: a triangle of points of the Minkowski difference M about the
 * difference of the centres, through which the ray from there passes. Everything is seen along the ray: t counts along it, (u, v)
 * across, so that the ray is the origin of the (u, v) plane, and the triangle holds that origin.
 *
 *     t ▲      x₂                t(0, 0) of the triangle is the lower bound; M is above it nowhere more than its support plane says.
 *       │   ╱  │╲
 *       │ x₁───┼─x₃
 *       └──────●────── u, v
 */
export class RayPortal {
  /** Directions of u, v and t in the frame of B, unit and at right angles. */
  readonly across: Vec3 = new Float64Array(3);
  readonly up: Vec3 = new Float64Array(3);
  readonly ray: Vec3 = new Float64Array(3);
  /** Normal of the triangle in u, v, t: unit, its t above 0. Set by `raise`. */
  readonly normal: Vec3 = new Float64Array(3);
  /** Shares of the three corners in the point where the ray passes, adding up to 1, none below 0. Set by `raise`. */
  readonly shares: Vec3 = new Float64Array(3);
  /** Where the ray passes through the triangle. Set by `raise`. */
  height = 0;
  readonly corners = new Float64Array(3 * STRIDE);

  /** The ray along (x, y, z), metres of any length but 0; the triangle in the balls of radius `innerA`, `innerB` about the centres. */
  open(x: number, y: number, z: number, innerA: number, innerB: number): void {
    const { across, up, ray, normal } = this;
    const length = Math.sqrt(x * x + y * y + z * z);
    ray[0] = x / length;
    ray[1] = y / length;
    ray[2] = z / length;
    const isSteep = Math.abs(ray[0]) > 0.57;
    const ux = isSteep ? ray[1] : 0;
    const uy = isSteep ? -ray[0] : ray[2];
    const uz = isSteep ? 0 : -ray[1];
    const s = 1 / Math.sqrt(ux * ux + uy * uy + uz * uz);
    across[0] = ux * s;
    across[1] = uy * s;
    across[2] = uz * s;
    up[0] = ray[1] * across[2] - ray[2] * across[1];
    up[1] = ray[2] * across[0] - ray[0] * across[2];
    up[2] = ray[0] * across[1] - ray[1] * across[0];
    this.setBallCorner(0, 1, 0, innerA, innerB);
    this.setBallCorner(1, -0.5, SIN_60, innerA, innerB);
    this.setBallCorner(2, -0.5, -SIN_60, innerA, innerB);
    normal[0] = 0;
    normal[1] = 0;
    normal[2] = 1;
    this.height = 0;
    this.shares.fill(1 / 3);
  }

  /** A corner from its two points, each about its centre in the frame of B, into slot `k`. */
  setCorner(k: number, ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
    const { across, up, ray, corners } = this;
    const i = k * STRIDE;
    const x = ax - bx,
      y = ay - by,
      z = az - bz;
    corners[i] = across[0] * x + across[1] * y + across[2] * z;
    corners[i + 1] = up[0] * x + up[1] * y + up[2] * z;
    corners[i + 2] = ray[0] * x + ray[1] * y + ray[2] * z;
    corners[i + 3] = ax;
    corners[i + 4] = ay;
    corners[i + 5] = az;
    corners[i + 6] = bx;
    corners[i + 7] = by;
    corners[i + 8] = bz;
  }

  /** The corner that a new point at (u, v) replaces, so that the triangle goes on to hold the ray. */
  outgoing(u: number, v: number): number {
    const { corners } = this;
    const isLeft = side(corners[0], corners[1], u, v) < 0;
    const k = isLeft ? STRIDE : 2 * STRIDE;
    const isBeyond = side(corners[k], corners[k + 1], u, v) < 0;
    if (isLeft) return isBeyond ? 0 : 2;
    return isBeyond ? 1 : 0;
  }

  /** Finds normal, shares and height of the triangle as it is now; false if it is seen edge on, to rounding, and tells nothing. */
  raise(): boolean {
    const { corners: c, normal, shares } = this;
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
    if (!(nt > 0)) return false;

    // Shares as areas, none below 0; what rounding leaves of the (u, v) of their point is taken off along the plane.
    const s1 = Math.max(0, side(u2, v2, u3, v3));
    const s2 = Math.max(0, side(u3, v3, u1, v1));
    const s3 = Math.max(0, side(u1, v1, u2, v2));
    const sum = s1 + s2 + s3;
    if (!(sum > 0)) return false;
    const p1 = s1 / sum,
      p2 = s2 / sum,
      p3 = s3 / sum;
    const restU = p1 * u1 + p2 * u2 + p3 * u3;
    const restV = p1 * v1 + p2 * v2 + p3 * v3;
    const length = Math.sqrt(nu * nu + nv * nv + nt * nt);
    shares[0] = p1;
    shares[1] = p2;
    shares[2] = p3;
    normal[0] = nu / length;
    normal[1] = nv / length;
    normal[2] = nt / length;
    this.height = p1 * t1 + p2 * t2 + p3 * t3 + (nu * restU + nv * restV) / nt;
    return true;
  }

  /** The point of A (offset 3) or B (offset 6) where the ray passes: the shares of the corners' points, about the centre. */
  blend(out: Vec3, offset: 3 | 6): void {
    const { corners: c, shares } = this;
    for (let k = 0; k < 3; k++) {
      const i = offset + k;
      out[k] = shares[0] * c[i] + shares[1] * c[i + STRIDE] + shares[2] * c[i + 2 * STRIDE];
    }
  }

  private setBallCorner(k: number, u: number, v: number, innerA: number, innerB: number): void {
    const { across, up } = this;
    const x = u * across[0] + v * up[0];
    const y = u * across[1] + v * up[1];
    const z = u * across[2] + v * up[2];
    this.setCorner(k, innerA * x, innerA * y, innerA * z, -innerB * x, -innerB * y, -innerB * z);
  }
}

/** Twice the area of the triangle (0, p, q); from the difference of the two, for p and q are often neighbours. */
function side(pu: number, pv: number, qu: number, qv: number): number {
  return pu * (qv - pv) - pv * (qu - pu);
}
