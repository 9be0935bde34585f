import { create, type Vec3 } from '../../math/vec3.ts';
import { refineBarycentric } from './refineBarycentric.ts';
import { SignedVolumes } from './signedVolumes.generated.ts';

/**
 * Limit of consecutive steps that do not shorten v. Some of them help: if faces are nearly parallel, and near contact,
 * a step can improve the direction of v while its length stays the same to rounding.
 */
const maxStepsWithoutGain = 6;

/** Results of `reduce`. */
export const REDUCED = 0;
export const CONTAINS_ORIGIN = 1;
export const STALLED = 2;
export type Reduction = typeof REDUCED | typeof CONTAINS_ORIGIN | typeof STALLED;

/**
 * Simplex of up to four points of A ⊖ B, and the point `v` of their convex hull nearest to the origin, by signed
 * volumes [Montanari17]: if the origin is not inside all faces, the best point of the faces that it lies beyond; then
 * edges, then vertices. `weights` are the barycentric coordinates of `v`; `a` holds the point of A of each vertex, so
 * that the weights also give the witness points.
 */
export class Simplex {
  count = 0;
  /** Vertices, x, y, z each. */
  readonly w = new Float64Array(12);
  /** The point of A of each vertex. */
  readonly a = new Float64Array(12);
  /** Barycentric coordinates of `v`. */
  readonly weights = new Float64Array(4);
  /** Output of `reduce`: the point of the hull nearest to the origin. */
  readonly v: Vec3 = create();
  /** ‖v‖² */
  normSquared = Number.POSITIVE_INFINITY;
  /** Consecutive steps that did not shorten v. */
  stepsWithoutGain = 0;

  private readonly subproblem = new SignedVolumes(this.w);
  /**
   * Input of `reduce`: length by which ‖v‖ may grow in a step without gain, metres; the rounding error of the vertices.
   */
  slack = 0;

  clear(): void {
    this.count = 0;
    this.normSquared = Number.POSITIVE_INFINITY;
    this.stepsWithoutGain = 0;
  }

  /** Adds a vertex and its point of A, read at offset `from`; there must be fewer than four vertices. */
  add(w: Float64Array, pointA: Float64Array, from = 0): void {
    const { w: vertices, a } = this;
    const to = 3 * this.count++;
    vertices[to] = w[from];
    vertices[to + 1] = w[from + 1];
    vertices[to + 2] = w[from + 2];
    a[to] = pointA[from];
    a[to + 1] = pointA[from + 1];
    a[to + 2] = pointA[from + 2];
  }

  /** Whether a point equals a vertex exactly. */
  has(p: Vec3): boolean {
    const { w, count } = this;
    for (let i = 0; i < 3 * count; i += 3) {
      if (w[i] === p[0] && w[i + 1] === p[1] && w[i + 2] === p[2]) return true;
    }
    return false;
  }

  /**
   * Finds `v` and drops the vertices that do not span it. CONTAINS_ORIGIN: the origin is inside the tetrahedron; no
   * vertex is dropped and `v` is zero. STALLED: the newest vertex does not bring `v` nearer; it is removed and
   * everything else is as before. `canContainOrigin` is false if a separating plane is known: then a tetrahedron that
   * seems to contain the origin is flat, and its faces are searched.
   */
  reduce(canContainOrigin: boolean): Reduction {
    const { subproblem, count } = this;
    const maxNorm = Math.sqrt(this.normSquared) + this.slack;
    subproblem.reset(maxNorm * maxNorm);
    if (count === 1) subproblem.vertex(0);
    else if (count === 2) subproblem.segment(0, 3);
    else if (count === 3) subproblem.triangle(0, 3, 6);
    else if (subproblem.tetrahedron(canContainOrigin)) {
      if (refineBarycentric(subproblem.weights, this.w)) {
        this.applySubproblem();
        return CONTAINS_ORIGIN;
      }
      subproblem.reset(maxNorm * maxNorm); // search its faces instead
    }
    // Signs within rounding may have excluded the best face: search all faces before giving up.
    if (subproblem.count === 0 && count === 3) subproblem.allEdges();
    if (subproblem.count === 0 && count === 4) subproblem.allFaces();
    const isGain = subproblem.normSquared < this.normSquared;
    const usesNewest = subproblem.count > 0 && subproblem.offsets[subproblem.count - 1] === 3 * (count - 1);
    if (subproblem.count === 0 || (!isGain && (this.stepsWithoutGain === maxStepsWithoutGain || !usesNewest))) {
      // The newest vertex lies beyond the last plane, yet no point is nearer: rounding may have flipped the sign of a
      // barycentric coordinate while the origin is inside.
      if (count === 4 && canContainOrigin && this.refinedContainsOrigin()) return CONTAINS_ORIGIN;
      this.count--;
      return STALLED;
    }
    this.stepsWithoutGain = isGain ? 0 : this.stepsWithoutGain + 1;
    this.applySubproblem();
    return REDUCED;
  }

  /**
   * Writes a search direction along −v, from A to B; zero only if v is zero and the simplex has no normal. Near contact
   * v has lost its digits to cancellation; then the normal of the triangle, or the component of v orthogonal to the
   * edge, is used instead.
   */
  searchDirection(n: Vec3): void {
    const { v } = this;
    n[0] = -v[0];
    n[1] = -v[1];
    n[2] = -v[2];
    if (this.count === 2) this.orthogonalize(n, 0, 3);
    else if (this.count === 3) this.faceDirection(n);
  }

  /** Writes the witness point of A; that of B is this minus v. */
  witnessA(out: Vec3): void {
    const { a, weights, count } = this;
    let x = 0,
      y = 0,
      z = 0;
    for (let i = 0; i < count; i++) {
      x += weights[i] * a[3 * i];
      y += weights[i] * a[3 * i + 1];
      z += weights[i] * a[3 * i + 2];
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
  }

  /** Whether the triangle of the last v and the newest vertex contain the origin, by refining the weights of v. */
  private refinedContainsOrigin(): boolean {
    const { subproblem, weights } = this;
    for (let k = 0; k < 3; k++) subproblem.weights[k] = weights[k];
    subproblem.weights[3] = 0;
    if (!refineBarycentric(subproblem.weights, this.w)) return false;
    subproblem.setOriginInside();
    this.applySubproblem();
    return true;
  }

  /** Takes over v and moves its vertices to the front; offsets ascend, so nothing is overwritten before it is read. */
  private applySubproblem(): void {
    const { w, a, weights, v, subproblem } = this;
    const { count, offsets } = subproblem;
    for (let k = 0; k < count; k++) {
      const from = offsets[k],
        to = 3 * k;
      weights[k] = subproblem.weights[k];
      if (from === to) continue;
      w[to] = w[from];
      w[to + 1] = w[from + 1];
      w[to + 2] = w[from + 2];
      a[to] = a[from];
      a[to + 1] = a[from + 1];
      a[to + 2] = a[from + 2];
    }
    this.count = count;
    this.normSquared = subproblem.normSquared;
    v[0] = subproblem.v[0];
    v[1] = subproblem.v[1];
    v[2] = subproblem.v[2];
  }

  /**
   * Replaces n by the triangle normal, on the side of n, if the triangle is higher than ‖v‖; else orthogonalizes n to
   * the longest edge.
   */
  private faceDirection(n: Vec3): void {
    const { w, normSquared } = this;
    const ax = w[3] - w[0],
      ay = w[4] - w[1],
      az = w[5] - w[2];
    const bx = w[6] - w[0],
      by = w[7] - w[1],
      bz = w[8] - w[2];
    const x = ay * bz - az * by,
      y = az * bx - ax * bz,
      z = ax * by - ay * bx;
    const aa = ax * ax + ay * ay + az * az,
      bb = bx * bx + by * by + bz * bz;
    const cc = (bx - ax) * (bx - ax) + (by - ay) * (by - ay) + (bz - az) * (bz - az);
    const longest = Math.max(aa, bb, cc);
    if (!(x * x + y * y + z * z > normSquared * longest)) {
      if (longest === aa) this.orthogonalize(n, 0, 3);
      else if (longest === bb) this.orthogonalize(n, 0, 6);
      else this.orthogonalize(n, 3, 6);
      return;
    }
    const side = x * n[0] + y * n[1] + z * n[2] < 0 ? -1 : 1;
    n[0] = side * x;
    n[1] = side * y;
    n[2] = side * z;
  }

  /** Removes from n its component along the edge of two vertices, if the edge is longer, so more accurate, than v. */
  private orthogonalize(n: Vec3, i: number, j: number): void {
    const { w, normSquared } = this;
    const ex = w[j] - w[i],
      ey = w[j + 1] - w[i + 1],
      ez = w[j + 2] - w[i + 2];
    const ee = ex * ex + ey * ey + ez * ez;
    if (!(ee > normSquared)) return;
    for (let pass = 0; pass < 2; pass++) {
      const along = (n[0] * ex + n[1] * ey + n[2] * ez) / ee;
      n[0] -= along * ex;
      n[1] -= along * ey;
      n[2] -= along * ez;
    }
  }
}
