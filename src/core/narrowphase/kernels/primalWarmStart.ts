import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { PairCache } from '../solver.ts';
import { add, combined, cross, dot, load, neg, over, rotated, scaled, size, store, sub, vec } from './notation.ts';

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
  const r0 = load(T_b_a, 0);
  const r1 = load(T_b_a, 4);
  const r2 = load(T_b_a, 8);
  const p = load(a.center);
  const o = sub(load(b.center), add(rotated(r0, r1, r2, p), vec(T_b_a[3], T_b_a[7], T_b_a[11])));
  // The vertices relative to the difference of the centres, in the frame of B.
  const a1 = load(stored, 0);
  const a2 = load(stored, 3);
  const a3 = load(stored, 6);
  const x1 = sub(rotated(r0, r1, r2, a1), load(stored, 9));
  const x2 = sub(rotated(r0, r1, r2, a2), load(stored, 12));
  const x3 = sub(rotated(r0, r1, r2, a3), load(stored, 15));

  // o = Σ λₖ xₖ with λₖ ≥ 0 and Σ λₖ ≤ 1, all times the determinant, which may have either sign.
  const c = cross(x2, x3);
  const e = cross(o, x1);
  const s1 = dot(o, c); // o · (x₂ × x₃)
  const s2 = -dot(e, x3); // o · (x₃ × x₁)
  const s3 = dot(e, x2); // o · (x₁ × x₂)
  const determinant = dot(x1, c);
  const sign = determinant < 0 ? -1 : 1;
  const maxNorm = a.outerRadius + b.outerRadius;
  const error = SIGN_ERROR * maxNorm * maxNorm * (size(o) + maxNorm);
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
  const e = sub(load(w, j), load(w, i));
  const g = sub(load(w, k), load(w, i));
  const n = cross(e, g);
  const n2 = dot(n, n);
  const e2 = dot(e, e);
  if (!(n2 > 0 && e2 > 0)) return false;
  // Height n·x / |n| times n / |n|, plus width |n| / |e| times e × n / (|e| |n|).
  const height = dot(n, load(w, i)) / n2;
  const m = add(scaled(height, n), over(cross(e, n), e2));
  store(d, 0, combined(m, load(T_b_a, 0), load(T_b_a, 4), load(T_b_a, 8)));
  portal.hintA = supportInPlace(d, a, portal.hintA);
  store(out, 6, sub(load(d), load(a.center)));
  store(d, 0, neg(m));
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
  const x = load(points, k);
  store(w, k, sub(rotated(load(T_b_a, 0), load(T_b_a, 4), load(T_b_a, 8), x), load(points, 9 + k)));
}

/** Returns t·(xᵢ × xⱼ): positive if the ray is left of the edge from the vertex at offset i of `w` to that at j. */
function sideOfRay(axesB: Float64Array, i: number, j: number): number {
  return dot(load(axesB, 6), cross(load(w, i), load(w, j)));
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
  const p = load(a.center);
  const q = load(b.center);
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
      store(stored, c, sub(load(points, at), p));
      store(stored, c + 9, sub(load(points, at + 3), q));
      continue;
    }
    const x = load(vertices, c);
    store(stored, c, scaled(scaleA, combined(x, load(T_b_a, 0), load(T_b_a, 4), load(T_b_a, 8))));
    store(stored, c + 9, scaled(scaleB, x));
  }
}
