// Expanded from ../kernels/primalWarmStart.ts by `node scripts/kernels.mjs`: edit it there.
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
 */
export function cachedSimplexContainsOrigin(
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
  cache: PairCache,
): boolean {
  const { simplexPoints: stored } = cache;
  const r0X = T_b_a[0],
    r0Y = T_b_a[1],
    r0Z = T_b_a[2];
  const r1X = T_b_a[4],
    r1Y = T_b_a[5],
    r1Z = T_b_a[6];
  const r2X = T_b_a[8],
    r2Y = T_b_a[9],
    r2Z = T_b_a[10];
  const pX = a.center[0],
    pY = a.center[1],
    pZ = a.center[2];
  const oX = b.center[0] - (r0X * pX + r0Y * pY + r0Z * pZ + T_b_a[3]),
    oY = b.center[1] - (r1X * pX + r1Y * pY + r1Z * pZ + T_b_a[7]),
    oZ = b.center[2] - (r2X * pX + r2Y * pY + r2Z * pZ + T_b_a[11]);
  // The vertices relative to the difference of the centres, in the frame of B.
  const a1X = stored[0],
    a1Y = stored[1],
    a1Z = stored[2];
  const a2X = stored[3],
    a2Y = stored[4],
    a2Z = stored[5];
  const a3X = stored[6],
    a3Y = stored[7],
    a3Z = stored[8];
  const x1X = r0X * a1X + r0Y * a1Y + r0Z * a1Z - stored[9],
    x1Y = r1X * a1X + r1Y * a1Y + r1Z * a1Z - stored[10],
    x1Z = r2X * a1X + r2Y * a1Y + r2Z * a1Z - stored[11];
  const x2X = r0X * a2X + r0Y * a2Y + r0Z * a2Z - stored[12],
    x2Y = r1X * a2X + r1Y * a2Y + r1Z * a2Z - stored[13],
    x2Z = r2X * a2X + r2Y * a2Y + r2Z * a2Z - stored[14];
  const x3X = r0X * a3X + r0Y * a3Y + r0Z * a3Z - stored[15],
    x3Y = r1X * a3X + r1Y * a3Y + r1Z * a3Z - stored[16],
    x3Z = r2X * a3X + r2Y * a3Y + r2Z * a3Z - stored[17];

  // o = Σ λₖ xₖ with λₖ ≥ 0 and Σ λₖ ≤ 1, all times the determinant, which may have either sign.
  const cX = x2Y * x3Z - x2Z * x3Y,
    cY = x2Z * x3X - x2X * x3Z,
    cZ = x2X * x3Y - x2Y * x3X;
  const eX = oY * x1Z - oZ * x1Y,
    eY = oZ * x1X - oX * x1Z,
    eZ = oX * x1Y - oY * x1X;
  const s1 = oX * cX + oY * cY + oZ * cZ; // o · (x₂ × x₃)
  const s2 = -(eX * x3X + eY * x3Y + eZ * x3Z); // o · (x₃ × x₁)
  const s3 = eX * x2X + eY * x2Y + eZ * x2Z; // o · (x₁ × x₂)
  const determinant = x1X * cX + x1Y * cY + x1Z * cZ;
  const sign = determinant < 0 ? -1 : 1;
  const maxNorm = a.outerRadius + b.outerRadius;
  const error = SIGN_ERROR * maxNorm * maxNorm * (Math.abs(oX) + Math.abs(oY) + Math.abs(oZ) + maxNorm);
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
  const s12 = sideOfRay(axesB, 0, 3);
  const s23 = sideOfRay(axesB, 3, 6);
  const s31 = sideOfRay(axesB, 6, 0);
  if (Number(s12 <= 0) + Number(s23 <= 0) + Number(s31 <= 0) > 1) return false;
  // The crossed edge from i to j, and the third vertex k.
  const i = s12 < s23 && s12 < s31 ? 0 : s23 < s31 ? 3 : 6;
  const j = (i + 3) % 9;
  const k = (i + 6) % 9;
  const eX = w[j] - w[i],
    eY = w[j + 1] - w[i + 1],
    eZ = w[j + 2] - w[i + 2];
  const gX = w[k] - w[i],
    gY = w[k + 1] - w[i + 1],
    gZ = w[k + 2] - w[i + 2];
  const nX = eY * gZ - eZ * gY,
    nY = eZ * gX - eX * gZ,
    nZ = eX * gY - eY * gX;
  const n2 = nX * nX + nY * nY + nZ * nZ;
  const e2 = eX * eX + eY * eY + eZ * eZ;
  if (!(n2 > 0 && e2 > 0)) return false;
  // Height n·x / |n| times n / |n|, plus width |n| / |e| times e × n / (|e| |n|).
  const height = (nX * w[i] + nY * w[i + 1] + nZ * w[i + 2]) / n2;
  const mX = height * nX + (eY * nZ - eZ * nY) / e2,
    mY = height * nY + (eZ * nX - eX * nZ) / e2,
    mZ = height * nZ + (eX * nY - eY * nX) / e2;
  d[0] = mX * T_b_a[0] + mY * T_b_a[4] + mZ * T_b_a[8];
  d[1] = mX * T_b_a[1] + mY * T_b_a[5] + mZ * T_b_a[9];
  d[2] = mX * T_b_a[2] + mY * T_b_a[6] + mZ * T_b_a[10];
  portal.hintA = supportInPlace(d, a, portal.hintA);
  out[6] = d[0] - a.center[0];
  out[7] = d[1] - a.center[1];
  out[8] = d[2] - a.center[2];
  d[0] = -mX;
  d[1] = -mY;
  d[2] = -mZ;
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
  const xX = points[k],
    xY = points[k + 1],
    xZ = points[k + 2];
  w[k] = T_b_a[0] * xX + T_b_a[1] * xY + T_b_a[2] * xZ - points[9 + k];
  w[k + 1] = T_b_a[4] * xX + T_b_a[5] * xY + T_b_a[6] * xZ - points[9 + k + 1];
  w[k + 2] = T_b_a[8] * xX + T_b_a[9] * xY + T_b_a[10] * xZ - points[9 + k + 2];
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
  const pX = a.center[0],
    pY = a.center[1],
    pZ = a.center[2];
  const qX = b.center[0],
    qY = b.center[1],
    qZ = b.center[2];
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
      stored[c] = points[at] - pX;
      stored[c + 1] = points[at + 1] - pY;
      stored[c + 2] = points[at + 2] - pZ;
      stored[c + 9] = points[at + 3] - qX;
      stored[c + 9 + 1] = points[at + 3 + 1] - qY;
      stored[c + 9 + 2] = points[at + 3 + 2] - qZ;
      continue;
    }
    const xX = vertices[c],
      xY = vertices[c + 1],
      xZ = vertices[c + 2];
    stored[c] = scaleA * (xX * T_b_a[0] + xY * T_b_a[4] + xZ * T_b_a[8]);
    stored[c + 1] = scaleA * (xX * T_b_a[1] + xY * T_b_a[5] + xZ * T_b_a[9]);
    stored[c + 2] = scaleA * (xX * T_b_a[2] + xY * T_b_a[6] + xZ * T_b_a[10]);
    stored[c + 9] = scaleB * xX;
    stored[c + 9 + 1] = scaleB * xY;
    stored[c + 9 + 2] = scaleB * xZ;
  }
}
