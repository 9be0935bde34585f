import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { PairCache } from '../solver.ts';

/** Rounding error of a triple product, that of the points included, relative to the product of the three lengths. */
const SIGN_ERROR = 64 * Number.EPSILON;

/**
 * Primal warm start of the Boolean check [Thirugnanam26 §III-F.3, III-F.4]: checks whether the origin still lies in the
 * simplex of the three cached vertices and the difference of the centres, at the current poses. If so, the pair is in
 * collision, and no support function is called: the vertices are points of the shapes at any pose. False means that
 * nothing is known. The cache must hold the simplex of these shapes.
 *
 * Unrolled: it runs before every check of a pair whose last result was a collision.
 */
export function cachedSimplexContainsOrigin(
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
  cache: PairCache,
): boolean {
  const { simplexPoints: stored } = cache;
  const r00 = T_b_a[0],
    r01 = T_b_a[1],
    r02 = T_b_a[2];
  const r10 = T_b_a[4],
    r11 = T_b_a[5],
    r12 = T_b_a[6];
  const r20 = T_b_a[8],
    r21 = T_b_a[9],
    r22 = T_b_a[10];
  const p = a.center;
  const q = b.center;
  let x = p[0],
    y = p[1],
    z = p[2];
  const ox = q[0] - (r00 * x + r01 * y + r02 * z + T_b_a[3]);
  const oy = q[1] - (r10 * x + r11 * y + r12 * z + T_b_a[7]);
  const oz = q[2] - (r20 * x + r21 * y + r22 * z + T_b_a[11]);
  // The vertices relative to the difference of the centres, in the frame of B.
  x = stored[0];
  y = stored[1];
  z = stored[2];
  const x1 = r00 * x + r01 * y + r02 * z - stored[9];
  const y1 = r10 * x + r11 * y + r12 * z - stored[10];
  const z1 = r20 * x + r21 * y + r22 * z - stored[11];
  x = stored[3];
  y = stored[4];
  z = stored[5];
  const x2 = r00 * x + r01 * y + r02 * z - stored[12];
  const y2 = r10 * x + r11 * y + r12 * z - stored[13];
  const z2 = r20 * x + r21 * y + r22 * z - stored[14];
  x = stored[6];
  y = stored[7];
  z = stored[8];
  const x3 = r00 * x + r01 * y + r02 * z - stored[15];
  const y3 = r10 * x + r11 * y + r12 * z - stored[16];
  const z3 = r20 * x + r21 * y + r22 * z - stored[17];

  // o = Σ λₖ xₖ with λₖ ≥ 0 and Σ λₖ ≤ 1, all times the determinant, which may have either sign.
  const cx = y2 * z3 - z2 * y3,
    cy = z2 * x3 - x2 * z3,
    cz = x2 * y3 - y2 * x3;
  const ex = oy * z1 - oz * y1,
    ey = oz * x1 - ox * z1,
    ez = ox * y1 - oy * x1;
  const s1 = ox * cx + oy * cy + oz * cz; // o · (x₂ × x₃)
  const s2 = -(ex * x3 + ey * y3 + ez * z3); // o · (x₃ × x₁)
  const s3 = ex * x2 + ey * y2 + ez * z2; // o · (x₁ × x₂)
  const determinant = x1 * cx + y1 * cy + z1 * cz;
  const sign = determinant < 0 ? -1 : 1;
  const maxNorm = a.outerRadius + b.outerRadius;
  const error = SIGN_ERROR * maxNorm * maxNorm * (Math.abs(ox) + Math.abs(oy) + Math.abs(oz) + maxNorm);
  return sign * s1 > error && sign * s2 > error && sign * s3 > error && sign * (determinant - s1 - s2 - s3) > error;
}

/** Scratch of `neighborPortal`: vertices of the portal in the frame of B, x, y, z each, and a direction. */
const w = new Float64Array(9);
const d: Vec3 = create();

/**
 * Primal warm start of the growth distance of two polytopes whose ray has left the cached portal across an edge: writes
 * the portal of that edge and of a support point beyond it. If M were a sphere about 0, its normal there would be that
 * of the plane of the portal tilted by an angle whose tangent is width / height. Returns false if the ray crossed two
 * edges, or if it does not pass through the new portal, either. Formats are those of `PairCache.simplexPoints`.
 */
export function neighborPortal(
  out: Float64Array,
  stored: Float64Array,
  portal: { readonly axesB: Float64Array; hintA: number; hintB: number },
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
): boolean {
  for (let k = 0; k < 9; k += 3) setDifference(k, stored, T_b_a);
  const { axesB } = portal;
  const s12 = sideOfRay(axesB, 0, 3),
    s23 = sideOfRay(axesB, 3, 6),
    s31 = sideOfRay(axesB, 6, 0);
  if (Number(s12 <= 0) + Number(s23 <= 0) + Number(s31 <= 0) > 1) return false;
  // The crossed edge from i to j, and the third vertex k.
  const i = s12 < s23 && s12 < s31 ? 0 : s23 < s31 ? 3 : 6;
  const j = (i + 3) % 9;
  const k = (i + 6) % 9;
  const ex = w[j] - w[i],
    ey = w[j + 1] - w[i + 1],
    ez = w[j + 2] - w[i + 2];
  const gx = w[k] - w[i],
    gy = w[k + 1] - w[i + 1],
    gz = w[k + 2] - w[i + 2];
  const nx = ey * gz - ez * gy,
    ny = ez * gx - ex * gz,
    nz = ex * gy - ey * gx;
  const n2 = nx * nx + ny * ny + nz * nz;
  const e2 = ex * ex + ey * ey + ez * ez;
  if (!(n2 > 0 && e2 > 0)) return false;
  // Height n·x / |n| times n / |n|, plus width |n| / |e| times e × n / (|e| |n|).
  const height = (nx * w[i] + ny * w[i + 1] + nz * w[i + 2]) / n2;
  const mx = height * nx + (ey * nz - ez * ny) / e2;
  const my = height * ny + (ez * nx - ex * nz) / e2;
  const mz = height * nz + (ex * ny - ey * nx) / e2;
  d[0] = T_b_a[0] * mx + T_b_a[4] * my + T_b_a[8] * mz;
  d[1] = T_b_a[1] * mx + T_b_a[5] * my + T_b_a[9] * mz;
  d[2] = T_b_a[2] * mx + T_b_a[6] * my + T_b_a[10] * mz;
  portal.hintA = supportInPlace(d, a, portal.hintA);
  for (let c = 0; c < 3; c++) out[6 + c] = d[c] - a.center[c];
  d[0] = -mx;
  d[1] = -my;
  d[2] = -mz;
  portal.hintB = supportInPlace(d, b, portal.hintB);
  for (let c = 0; c < 3; c++) {
    out[15 + c] = d[c] - b.center[c];
    out[c] = stored[j + c];
    out[9 + c] = stored[9 + j + c];
    out[3 + c] = stored[i + c];
    out[12 + c] = stored[9 + i + c];
  }
  for (let k = 0; k < 9; k += 3) setDifference(k, out, T_b_a);
  return sideOfRay(axesB, 3, 6) > 0 && sideOfRay(axesB, 6, 0) > 0;
}

/** Sets the vertex at offset k of `w`: the difference of its points of A and of B. */
function setDifference(k: number, points: Float64Array, T_b_a: Transform): void {
  const x = points[k],
    y = points[k + 1],
    z = points[k + 2];
  w[k] = T_b_a[0] * x + T_b_a[1] * y + T_b_a[2] * z - points[9 + k];
  w[k + 1] = T_b_a[4] * x + T_b_a[5] * y + T_b_a[6] * z - points[10 + k];
  w[k + 2] = T_b_a[8] * x + T_b_a[9] * y + T_b_a[10] * z - points[11 + k];
}

/** Returns t·(xᵢ × xⱼ): positive if the ray is left of the edge from the vertex at offset i of `w` to that at j. */
function sideOfRay(axesB: Float64Array, i: number, j: number): number {
  return (
    axesB[6] * (w[i + 1] * w[j + 2] - w[i + 2] * w[j + 1]) +
    axesB[7] * (w[i + 2] * w[j] - w[i] * w[j + 2]) +
    axesB[8] * (w[i] * w[j + 1] - w[i + 1] * w[j])
  );
}

/** Portal at the end of a Boolean check: written by the check, read by `storeSimplex`. */
export class PortalRecord {
  /**
   * The vertices relative to the difference of the centres, in the frame of B, x, y, z each; then the radius of the
   * inner sphere.
   */
  readonly vertices = new Float64Array(10);
  /** The iteration that each vertex is from; negative: it is a vertex of the first portal, on the inner spheres. */
  readonly iterations = new Int32Array(3);
  /**
   * Six numbers per iteration: support points of A, in the frame of A, and of B, in the frame of B, margins included.
   */
  readonly points: Float64Array;

  constructor(iterationLimit: number) {
    this.points = new Float64Array(6 * iterationLimit);
  }

  /** Sets vertex k (0 to 2) and the iteration that it is from. */
  setVertex(k: number, x: number, y: number, z: number, iteration: number): void {
    const { vertices, iterations } = this;
    vertices[3 * k] = x;
    vertices[3 * k + 1] = y;
    vertices[3 * k + 2] = z;
    iterations[k] = iteration;
  }
}

/** Stores the portal of a Boolean check in the cache, in the format of the growth distance: a warm start for both. */
export function storeSimplex(
  cache: PairCache,
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
  record: PortalRecord,
): void {
  const { simplexPoints: stored } = cache;
  const { points, iterations, vertices } = record;
  const p = a.center;
  const q = b.center;
  const px = p[0],
    py = p[1],
    pz = p[2];
  const qx = q[0],
    qy = q[1],
    qz = q[2];
  cache.simplexShapeA = a;
  cache.simplexShapeB = b;
  cache.isSimplexOptimal = false;
  // Vertices of the first portal have the norm of both inner radii plus the minimum distance: each shape gets its own
  // part of it.
  const scaleA = a.innerRadius / vertices[9];
  const scaleB = -b.innerRadius / vertices[9];
  for (let k = 0; k < 3; k++) {
    const c = 3 * k;
    if (iterations[k] >= 0) {
      const at = 6 * iterations[k];
      stored[c] = points[at] - px;
      stored[c + 1] = points[at + 1] - py;
      stored[c + 2] = points[at + 2] - pz;
      stored[c + 9] = points[at + 3] - qx;
      stored[c + 10] = points[at + 4] - qy;
      stored[c + 11] = points[at + 5] - qz;
      continue;
    }
    const x = vertices[c],
      y = vertices[c + 1],
      z = vertices[c + 2];
    stored[c] = scaleA * (T_b_a[0] * x + T_b_a[4] * y + T_b_a[8] * z);
    stored[c + 1] = scaleA * (T_b_a[1] * x + T_b_a[5] * y + T_b_a[9] * z);
    stored[c + 2] = scaleA * (T_b_a[2] * x + T_b_a[6] * y + T_b_a[10] * z);
    stored[c + 9] = scaleB * x;
    stored[c + 10] = scaleB * y;
    stored[c + 11] = scaleB * z;
  }
}
