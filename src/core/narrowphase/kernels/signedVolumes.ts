import { create, type Vec3 } from '../../math/vec3.ts';
import { add, cross, dot, load, neg, scaled, store, sub } from './notation.ts';

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
    const o = neg(load(w, base));
    const a = add(load(w, i), o);
    const b = add(load(w, j), o);
    const c = add(load(w, k), o);
    const ni = cross(b, c);
    const nj = cross(c, a);
    const nk = cross(a, b);
    const volume = dot(a, ni);
    const edges = dot(a, a) * dot(b, b) * dot(c, c);
    if (!(volume * volume > flatTetrahedron * flatTetrahedron * edges)) return false;
    // Cramer for Σ λᵢ wᵢ = 0, Σ λᵢ = 1
    const li = dot(o, ni) / volume;
    const lj = dot(o, nj) / volume;
    const lk = dot(o, nk) / volume;
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
      const squared = dot(load(w, offset), load(w, offset));
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
    const x0 = load(w, i);
    const a = sub(load(w, j), x0);
    const b = sub(load(w, k), x0);
    const n = cross(a, b);
    const nn = dot(n, n);
    const edges = dot(a, a) * dot(b, b);
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
    let x = x0;
    for (let pass = nn > sliver * edges ? 1 : 0; pass < 2; pass++) {
      const height = dot(n, x) / nn;
      const o = sub(scaled(height, n), x);
      const dj = dot(n, cross(o, b)) / nn;
      const dk = dot(n, cross(a, o)) / nn;
      lj += dj;
      lk += dk;
      x = add(x, add(scaled(dj, a), scaled(dk, b)));
    }
    const li = 1 - lj - lk;
    if (li > 0 && lj > 0 && lk > 0) {
      const squared = dot(x, x);
      if (!(squared < this.normSquared)) return;
      this.setVertices(3, i, j, k);
      this.normSquared = squared;
      weights[0] = li;
      weights[1] = lj;
      weights[2] = lk;
      store(v, 0, x);
      return;
    }
    if (!(li > 0)) this.segment(j, k);
    if (!(lj > 0)) this.segment(i, k);
    if (!(lk > 0)) this.segment(i, j);
  }

  /** S1D of the paper. */
  segment(i: number, j: number): void {
    const { w } = this;
    const x = load(w, i);
    const e = sub(load(w, j), x);
    const ee = dot(e, e);
    const along = -dot(x, e);
    if (!(along > 0)) {
      this.vertex(i);
      return;
    }
    if (!(along < ee)) {
      this.vertex(j);
      return;
    }
    const lj = along / ee;
    const p = add(x, scaled(lj, e));
    const squared = dot(p, p);
    if (!(squared < this.normSquared)) return;
    this.setVertices(2, i, j, 0);
    this.normSquared = squared;
    const { weights, v } = this;
    weights[0] = 1 - lj;
    weights[1] = lj;
    store(v, 0, p);
  }

  /** Searches a single vertex. */
  vertex(i: number): void {
    const { w } = this;
    const x = load(w, i);
    const squared = dot(x, x);
    if (!(squared < this.normSquared)) return;
    this.setVertices(1, i, 0, 0);
    this.normSquared = squared;
    const { v } = this;
    this.weights[0] = 1;
    store(v, 0, x);
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
