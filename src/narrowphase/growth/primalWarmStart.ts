import type { Transform } from '../../math/transform.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { PairCache } from '../solver.ts';

/** Rounding of a triple product, relative to the product of the three lengths, that of the points included. */
const SIGN_ERROR = 64 * Number.EPSILON;

/**
 * Primal warm start of the Boolean question [Thirugnanam26 §III-F.3, III-F.4]: whether the origin still lies in the simplex of the three
 * corners that the last question about these very bodies left, and the difference of the centres. If so they collide, and not one
 * support function was asked: the corners are points of the bodies wherever these have moved. False: nothing is known.
 *
 * Unrolled, for it stands before every check of a pair that collided last.
 */
export function cachedSimplexContainsOrigin(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): boolean {
  const { simplexPoints: corners } = cache;
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
  // The corners about the difference of the centres, in the frame of B.
  x = corners[0];
  y = corners[1];
  z = corners[2];
  const x1 = r00 * x + r01 * y + r02 * z - corners[9];
  const y1 = r10 * x + r11 * y + r12 * z - corners[10];
  const z1 = r20 * x + r21 * y + r22 * z - corners[11];
  x = corners[3];
  y = corners[4];
  z = corners[5];
  const x2 = r00 * x + r01 * y + r02 * z - corners[12];
  const y2 = r10 * x + r11 * y + r12 * z - corners[13];
  const z2 = r20 * x + r21 * y + r22 * z - corners[14];
  x = corners[6];
  y = corners[7];
  z = corners[8];
  const x3 = r00 * x + r01 * y + r02 * z - corners[15];
  const y3 = r10 * x + r11 * y + r12 * z - corners[16];
  const z3 = r20 * x + r21 * y + r22 * z - corners[17];

  // o = Σ λₖ xₖ with λ >= 0 and Σ λ <= 1, all times the determinant, which may have either sign.
  const cx = y2 * z3 - z2 * y3,
    cy = z2 * x3 - x2 * z3,
    cz = x2 * y3 - y2 * x3;
  const ex = oy * z1 - oz * y1,
    ey = oz * x1 - ox * z1,
    ez = ox * y1 - oy * x1;
  const s1 = ox * cx + oy * cy + oz * cz; // o · (x₂ × x₃)
  const s2 = -(ex * x3 + ey * y3 + ez * z3); // o · (x₃ × x₁)
  const s3 = ex * x2 + ey * y2 + ez * z2; // o · (x₁ × x₂)
  const all = x1 * cx + y1 * cy + z1 * cz;
  const sign = all < 0 ? -1 : 1;
  const reach = a.outerRadius + b.outerRadius;
  const extent = Math.abs(ox) + Math.abs(oy) + Math.abs(oz) + reach;
  const doubt = SIGN_ERROR * reach * reach * extent;
  return sign * s1 > doubt && sign * s2 > doubt && sign * s3 > doubt && sign * (all - s1 - s2 - s3) > doubt;
}

/** Corners and where they are from, as the Boolean walk leaves them to `keepCorners`. */
export class PortalRecord {
  /** The corners about the difference of the centres, in the frame of B, x, y, z each; then the radius of the ball about it. */
  readonly vertices = new Float64Array(10);
  /** The look that each is from; below 0: it lies in the balls about the centres. */
  readonly iterations = new Int32Array(3);
  /** Six numbers a look: the point of A in A's frame, then that of B in B's, margins included. */
  readonly points: Float64Array;

  constructor(looks: number) {
    this.points = new Float64Array(6 * looks);
  }
}

/** Leaves the corners of a portal of the Boolean question in the cache, as the full growth distance leaves its own: for questions of either kind. */
export function storeSimplex(
  cache: PairCache,
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
  record: PortalRecord,
): void {
  const { simplexPoints: corners } = cache;
  const { points, iterations: look, vertices: portal } = record;
  const p = a.center;
  const q = b.center;
  const px = p[0],
    py = p[1],
    pz = p[2];
  const qx = q[0],
    qy = q[1],
    qz = q[2];
  cache.cornersOfA = a;
  cache.cornersOfB = b;
  cache.isSimplexOptimal = false;
  // Corners in the balls are as long as both radii together, and what was asked for besides: each ball takes its own share.
  const ofA = a.innerRadius / portal[9];
  const ofB = -b.innerRadius / portal[9];
  for (let k = 0; k < 3; k++) {
    const c = 3 * k;
    if (look[k] >= 0) {
      const at = 6 * look[k];
      corners[c] = points[at] - px;
      corners[c + 1] = points[at + 1] - py;
      corners[c + 2] = points[at + 2] - pz;
      corners[c + 9] = points[at + 3] - qx;
      corners[c + 10] = points[at + 4] - qy;
      corners[c + 11] = points[at + 5] - qz;
      continue;
    }
    const x = portal[c],
      y = portal[c + 1],
      z = portal[c + 2];
    corners[c] = ofA * (T_b_a[0] * x + T_b_a[4] * y + T_b_a[8] * z);
    corners[c + 1] = ofA * (T_b_a[1] * x + T_b_a[5] * y + T_b_a[9] * z);
    corners[c + 2] = ofA * (T_b_a[2] * x + T_b_a[6] * y + T_b_a[10] * z);
    corners[c + 9] = ofB * x;
    corners[c + 10] = ofB * y;
    corners[c + 11] = ofB * z;
  }
}
