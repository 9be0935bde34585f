import { create, type Vec3 } from '../../math/vec3.ts';

const THIRD = 1 / 3;
const SQRT_2_THIRD = 0.47140452079103173; // √2 / 3
const SQRT_2_3 = 0.816496580927726; // √(2 / 3)
/**
 * Vertices of two regular tetrahedra on the unit sphere about 0, x, y, z each: one aligned with the axes, and one
 * turned to no particular attitude. In aligned poses the ray may pass through an edge of the first one, and facets
 * beside it are then replaced in turn without progress.
 */
export const FIRST_SIMPLICES: readonly (readonly number[])[] = [
  [
    ...[0, 0, 1],
    ...[2 * SQRT_2_THIRD, 0, -THIRD],
    ...[-SQRT_2_THIRD, SQRT_2_3, -THIRD],
    ...[-SQRT_2_THIRD, -SQRT_2_3, -THIRD],
  ],
  [
    ...[0.11873245086241474, -0.8612113918973126, 0.49418371440032094],
    ...[0.08597911557905275, 0.7650931789917349, 0.6381536015291032],
    ...[-0.9057517370978746, 0.019237726941501387, -0.4233718231133327],
    ...[0.701040170656407, 0.07688048596407626, -0.7089654928160913],
  ],
];

/** Smallest coefficient of a vertex, relative to the largest, of a facet that the ray leaves through: rounding. */
const MIN_SHARE = -1e-14;

/**
 * Simplex of internal expanding [Thirugnanam26 §IV]: four points of M with 0 inside. A ray from 0 leaves it through one
 * facet, whose vertices have non-negative coefficients c with c₁ w₁ + c₂ w₂ + c₃ w₃ = ray. The vertices are stored with
 * their points of A.
 */
export class ExpandingSimplex {
  /** Output of `findExit`: height up to which the ray lies in M despite rounding. */
  height = 0;
  /** Output of `findExit`: support value of the facet along its unit outward normal. */
  facetValue = 0;
  readonly normal: Vec3 = create();
  /** Vertex that was replaced last: the facet opposite to it was left already; −1: none. */
  newest = -1;
  readonly w = new Float64Array(12);
  private readonly a = new Float64Array(12);
  /** The vertex opposite to the facet, and the shares of the vertices of the facet: their sum is 1. */
  private opposite = 0;
  private readonly shares = new Float64Array(4);
  private readonly cross = new Float64Array(9);

  /** Sets vertex k to a point of M, with its point of A. */
  setVertex(k: number, w: Vec3, a: Vec3): void {
    for (let i = 0; i < 3; i++) {
      this.w[3 * k + i] = w[i];
      this.a[3 * k + i] = a[i];
    }
  }

  /** Replaces the vertex opposite to the facet of the last `findExit`. */
  replaceOpposite(w: Vec3, a: Vec3): void {
    this.setVertex(this.opposite, w, a);
    this.newest = this.opposite;
  }

  /**
   * Finds the facet through which the ray, a unit vector, leaves; M contains the sphere of radius `inner` about 0.
   * Returns false if rounding permits none.
   */
  findExit(ray: Vec3, inner: number): boolean {
    for (let k = 0; k < 4; k++) {
      if (k === this.newest || !this.isExit(k, ray)) continue;
      this.measureHeight(ray, inner);
      return true;
    }
    return false;
  }

  /** Computes the coefficients of the facet opposite to vertex k; returns true if the ray leaves through it. */
  private isExit(k: number, ray: Vec3): boolean {
    const { w, cross, shares } = this;
    const p = 3 * (k > 0 ? 0 : 1);
    const q = 3 * (k > 1 ? 1 : 2);
    const r = 3 * (k > 2 ? 2 : 3);
    crossAt(cross, 0, w, q, r);
    crossAt(cross, 3, w, r, p);
    crossAt(cross, 6, w, p, q);
    const volume = w[p] * cross[0] + w[p + 1] * cross[1] + w[p + 2] * cross[2];
    if (volume === 0) return false;
    const c1 = (ray[0] * cross[0] + ray[1] * cross[1] + ray[2] * cross[2]) / volume;
    const c2 = (ray[0] * cross[3] + ray[1] * cross[4] + ray[2] * cross[5]) / volume;
    const c3 = (ray[0] * cross[6] + ray[1] * cross[7] + ray[2] * cross[8]) / volume;
    const sum = c1 + c2 + c3;
    if (!(Math.min(c1, c2, c3) >= MIN_SHARE * sum && sum > 0)) return false;
    this.opposite = k;
    shares[k] = 0;
    shares[p / 3] = c1 / sum;
    shares[q / 3] = c2 / sum;
    shares[r / 3] = c3 / sum;
    this.setNormal(volume);
    this.facetValue = this.normal[0] * w[p] + this.normal[1] * w[p + 1] + this.normal[2] * w[p + 2];
    return true;
  }

  /** Sets `normal` from the cross products of the facet: n·w is equal for all three vertices. */
  private setNormal(volume: number): void {
    const { cross, normal } = this;
    const sign = volume > 0 ? 1 : -1;
    const x = sign * (cross[0] + cross[3] + cross[6]);
    const y = sign * (cross[1] + cross[4] + cross[7]);
    const z = sign * (cross[2] + cross[5] + cross[8]);
    const length = Math.sqrt(x * x + y * y + z * z);
    normal[0] = x / length;
    normal[1] = y / length;
    normal[2] = z / length;
  }

  /**
   * Computes the height of the point of the facet, which rounding moves off the ray by some offset: the segment from it
   * to the point of the inner sphere on the other side of the ray intersects the ray lower.
   */
  private measureHeight(ray: Vec3, inner: number): void {
    const { w, shares } = this;
    const x = weighted(w, shares, 0);
    const y = weighted(w, shares, 1);
    const z = weighted(w, shares, 2);
    const along = x * ray[0] + y * ray[1] + z * ray[2];
    const dx = x - along * ray[0];
    const dy = y - along * ray[1];
    const dz = z - along * ray[2];
    this.height = (along * inner) / (inner + Math.sqrt(dx * dx + dy * dy + dz * dz));
  }

  /** Writes the point of A of the point where the ray leaves the facet. */
  writeExitPoint(out: Vec3): void {
    for (let i = 0; i < 3; i++) out[i] = weighted(this.a, this.shares, i);
  }
}

/** Returns coordinate i of the weighted sum of the four points. */
function weighted(points: Float64Array, shares: Float64Array, i: number): number {
  return shares[0] * points[i] + shares[1] * points[3 + i] + shares[2] * points[6 + i] + shares[3] * points[9 + i];
}

/** out at `at` ← p × q, for points at offsets p and q of w. */
function crossAt(out: Float64Array, at: number, w: Float64Array, p: number, q: number): void {
  out[at] = w[p + 1] * w[q + 2] - w[p + 2] * w[q + 1];
  out[at + 1] = w[p + 2] * w[q] - w[p] * w[q + 2];
  out[at + 2] = w[p] * w[q + 1] - w[p + 1] * w[q];
}
