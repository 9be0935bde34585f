// Expanded from ../kernels/signedVolumes.ts by `node scripts/kernels.mjs`: edit it there.
import { create, type Vec3 } from '../../math/vec3.ts';

/**
 * Smallest ratio of the squared (doubled) area of a triangle to the product of two squared edges at which its normal is
 * used; below it only the edges are searched. Relative; a larger value loses thin triangles, with a smaller one
 * rounding chooses the result.
 */
const flatTriangle = 1e-28;
/** The same ratio, below which the weights of a triangle are computed in two passes. */
const sliver = 1e-4;
/** For tetrahedra: smallest ratio of six volumes to the product of the three edges at a vertex. */
const flatTetrahedron = 1e-15;

/**
 * Finds the nearest point to the origin of a simplex of up to four vertices by signed volumes [Montanari17 §4]: S3D,
 * S2D and S1D of the paper, each on the vertices at the given offsets in `w`. Results are in `count`, `offsets`,
 * `weights`, `v` and `normSquared`: the best point since `reset`; points that are farther are ignored.
 */
export class SignedVolumes {
  /** Number of vertices that span the best point; 0: no point below the limit; 4: the origin is inside. */
  count = 0;
  /** Offsets of those vertices, ascending, and the barycentric coordinates of the point. */
  readonly offsets = new Int32Array(4);
  readonly weights = new Float64Array(4);
  readonly v: Vec3 = create();
  /** ‖v‖²; the limit if `count` is 0. */
  normSquared = 0;
  private readonly w: Float64Array;

  /** @param w vertices, x, y, z each; kept by reference and written by the owner */
  constructor(w: Float64Array) {
    this.w = w;
  }

  /** Clears the best point; only points with ‖v‖² < `limit` will be accepted. */
  reset(limit: number): void {
    this.normSquared = limit;
    this.count = 0;
  }

  /** S3D of the paper: finds by four signed volumes beyond which faces the origin is; returns true if beyond none. */
  tetrahedron(canContainOrigin: boolean): boolean {
    const { w } = this;
    // Relative to the vertex nearest to the origin: near contact the newest vertex is far away, and the digits of the
    // short edges would be lost beside its long ones.
    const base = this.nearestVertex();
    const i = (base + 3) % 12;
    const j = (base + 6) % 12;
    const k = (base + 9) % 12;
    const oX = -w[base],
      oY = -w[base + 1],
      oZ = -w[base + 2];
    const aX = w[i] + oX,
      aY = w[i + 1] + oY,
      aZ = w[i + 2] + oZ;
    const bX = w[j] + oX,
      bY = w[j + 1] + oY,
      bZ = w[j + 2] + oZ;
    const cX = w[k] + oX,
      cY = w[k + 1] + oY,
      cZ = w[k + 2] + oZ;
    const niX = bY * cZ - bZ * cY,
      niY = bZ * cX - bX * cZ,
      niZ = bX * cY - bY * cX;
    const njX = cY * aZ - cZ * aY,
      njY = cZ * aX - cX * aZ,
      njZ = cX * aY - cY * aX;
    const nkX = aY * bZ - aZ * bY,
      nkY = aZ * bX - aX * bZ,
      nkZ = aX * bY - aY * bX;
    const volume = aX * niX + aY * niY + aZ * niZ;
    const edges = (aX * aX + aY * aY + aZ * aZ) * (bX * bX + bY * bY + bZ * bZ) * (cX * cX + cY * cY + cZ * cZ);
    if (!(volume * volume > flatTetrahedron * flatTetrahedron * edges)) return false;
    // Cramer for Σ λᵢ wᵢ = 0, Σ λᵢ = 1
    const li = (oX * niX + oY * niY + oZ * niZ) / volume;
    const lj = (oX * njX + oY * njY + oZ * njZ) / volume;
    const lk = (oX * nkX + oY * nkY + oZ * nkZ) / volume;
    const rest = 1 - li - lj - lk;
    if (li > 0 && lj > 0 && lk > 0 && rest > 0) {
      if (!canContainOrigin) return false;
      this.setOriginInside();
      const { weights } = this;
      weights[base / 3] = rest;
      weights[i / 3] = li;
      weights[j / 3] = lj;
      weights[k / 3] = lk;
      return true;
    }
    if (!(li > 0)) this.oppositeFace(i);
    if (!(lj > 0)) this.oppositeFace(j);
    if (!(lk > 0)) this.oppositeFace(k);
    if (!(rest > 0)) this.oppositeFace(base);
    return false;
  }

  /** Returns the offset of the vertex nearest to the origin. */
  private nearestVertex(): number {
    const { w } = this;
    let best = 0;
    let minSquared = Number.POSITIVE_INFINITY;
    for (let offset = 0; offset < 12; offset += 3) {
      const squared = w[offset] * w[offset] + w[offset + 1] * w[offset + 1] + w[offset + 2] * w[offset + 2];
      if (!(squared < minSquared)) continue;
      minSquared = squared;
      best = offset;
    }
    return best;
  }

  /** Searches the face opposite a vertex; offsets ascend. */
  private oppositeFace(offset: number): void {
    this.triangle(offset === 0 ? 3 : 0, offset <= 3 ? 6 : 3, offset === 9 ? 6 : 9);
  }

  /** Searches all four faces of the tetrahedron, whatever the signs of the volumes. */
  allFaces(): void {
    this.triangle(3, 6, 9);
    this.triangle(0, 6, 9);
    this.triangle(0, 3, 9);
    this.triangle(0, 3, 6);
  }

  /** Searches all three edges of the triangle. */
  allEdges(): void {
    this.segment(0, 3);
    this.segment(0, 6);
    this.segment(3, 6);
  }

  /** S2D of the paper: areas about p, the projection of the origin, since differences to p stay small far away. */
  triangle(i: number, j: number, k: number): void {
    const { w, weights, v } = this;
    const x0X = w[i],
      x0Y = w[i + 1],
      x0Z = w[i + 2];
    const aX = w[j] - x0X,
      aY = w[j + 1] - x0Y,
      aZ = w[j + 2] - x0Z;
    const bX = w[k] - x0X,
      bY = w[k + 1] - x0Y,
      bZ = w[k + 2] - x0Z;
    const nX = aY * bZ - aZ * bY,
      nY = aZ * bX - aX * bZ,
      nZ = aX * bY - aY * bX;
    const nn = nX * nX + nY * nY + nZ * nZ;
    const edges = (aX * aX + aY * aY + aZ * aZ) * (bX * bX + bY * bY + bZ * bZ);
    if (!(nn > flatTriangle * edges)) {
      this.segment(i, j);
      this.segment(i, k);
      this.segment(j, k);
      return;
    }
    // p = n (n·x) / n·n, o = p − x: λⱼ = n·(o × b) / n·n, λₖ = n·(a × o) / n·n, then x = w₀ + λⱼ a + λₖ b. In slivers
    // the weights lose digits that matter along the long edges: a second pass, from x, recovers them.
    let lj = 0;
    let lk = 0;
    let xX = x0X,
      xY = x0Y,
      xZ = x0Z;
    for (let pass = nn > sliver * edges ? 1 : 0; pass < 2; pass++) {
      const height = (nX * xX + nY * xY + nZ * xZ) / nn;
      const oX = height * nX - xX,
        oY = height * nY - xY,
        oZ = height * nZ - xZ;
      const dj = (nX * (oY * bZ - oZ * bY) + nY * (oZ * bX - oX * bZ) + nZ * (oX * bY - oY * bX)) / nn;
      const dk = (nX * (aY * oZ - aZ * oY) + nY * (aZ * oX - aX * oZ) + nZ * (aX * oY - aY * oX)) / nn;
      lj += dj;
      lk += dk;
      xX = xX + (dj * aX + dk * bX);
      xY = xY + (dj * aY + dk * bY);
      xZ = xZ + (dj * aZ + dk * bZ);
    }
    const li = 1 - lj - lk;
    if (li > 0 && lj > 0 && lk > 0) {
      const squared = xX * xX + xY * xY + xZ * xZ;
      if (!(squared < this.normSquared)) return;
      this.setVertices(3, i, j, k);
      this.normSquared = squared;
      weights[0] = li;
      weights[1] = lj;
      weights[2] = lk;
      v[0] = xX;
      v[1] = xY;
      v[2] = xZ;
      return;
    }
    if (!(li > 0)) this.segment(j, k);
    if (!(lj > 0)) this.segment(i, k);
    if (!(lk > 0)) this.segment(i, j);
  }

  /** S1D of the paper. */
  segment(i: number, j: number): void {
    const { w } = this;
    const xX = w[i],
      xY = w[i + 1],
      xZ = w[i + 2];
    const eX = w[j] - xX,
      eY = w[j + 1] - xY,
      eZ = w[j + 2] - xZ;
    const ee = eX * eX + eY * eY + eZ * eZ;
    const along = -(xX * eX + xY * eY + xZ * eZ);
    if (!(along > 0)) {
      this.vertex(i);
      return;
    }
    if (!(along < ee)) {
      this.vertex(j);
      return;
    }
    const lj = along / ee;
    const pX = xX + lj * eX,
      pY = xY + lj * eY,
      pZ = xZ + lj * eZ;
    const squared = pX * pX + pY * pY + pZ * pZ;
    if (!(squared < this.normSquared)) return;
    this.setVertices(2, i, j, 0);
    this.normSquared = squared;
    const { weights, v } = this;
    weights[0] = 1 - lj;
    weights[1] = lj;
    v[0] = pX;
    v[1] = pY;
    v[2] = pZ;
  }

  /** Searches a single vertex. */
  vertex(i: number): void {
    const { w } = this;
    const xX = w[i],
      xY = w[i + 1],
      xZ = w[i + 2];
    const squared = xX * xX + xY * xY + xZ * xZ;
    if (!(squared < this.normSquared)) return;
    this.setVertices(1, i, 0, 0);
    this.normSquared = squared;
    const { v } = this;
    this.weights[0] = 1;
    v[0] = xX;
    v[1] = xY;
    v[2] = xZ;
  }

  /** Sets the result to the origin, inside the tetrahedron; `weights` are set by the caller. */
  setOriginInside(): void {
    const { offsets } = this;
    this.count = 4;
    this.normSquared = 0;
    this.v.fill(0);
    for (let k = 0; k < 4; k++) offsets[k] = 3 * k;
  }

  /** Sets the vertices of a better point. Callers write its coordinates, which would be allocated as arguments. */
  private setVertices(count: number, i: number, j: number, k: number): void {
    const { offsets } = this;
    this.count = count;
    offsets[0] = i;
    offsets[1] = j;
    offsets[2] = k;
  }
}
