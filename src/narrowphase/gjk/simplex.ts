import { create, type Vec3 } from '../../math/vec3.ts';
import { refineBarycentric } from './refineBarycentric.ts';
import { SignedVolumes } from './signedVolumes.ts';

/**
 * Steps in a row without gain that are worth taking: where faces are nearly parallel, and near contact, a step may turn v usefully while
 * its length stays the same to rounding.
 */
const maxStepsWithoutGain = 6;

/** What `reduce` found. */
export const REDUCED = 0;
export const CONTAINS_ORIGIN = 1;
export const STALLED = 2;
export type Reduction = typeof REDUCED | typeof CONTAINS_ORIGIN | typeof STALLED;

/**
 * Up to four points of A ⊖ B and the point `v` of their hull nearest to the origin, found by signed volumes [Montanari17]: origin
 * inside all faces, or the best of the faces that it lies beyond, and so down to corners. `weights` are the barycentric coordinates
 * of `v`; `a` remembers which points of A the corners came from, so that the weights give the witness points too.
 */
export class Simplex {
  count = 0;
  /** Corners x, y, z each. */
  readonly w = new Float64Array(12);
  /** The point of A behind each corner. */
  readonly a = new Float64Array(12);
  readonly weights = new Float64Array(4);
  /** The point of the hull nearest to the origin, after `reduce`. */
  readonly v: Vec3 = create();
  /** ‖v‖² */
  normSquared = Number.POSITIVE_INFINITY;
  /** Steps in a row that brought v no nearer. */
  stepsWithoutGain = 0;

  private readonly subproblem = new SignedVolumes(this.w);
  /** Length by which ‖v‖ may grow in a step without gain, metres: rounding of the points to come. */
  slack = 0;

  clear(): void {
    this.count = 0;
    this.normSquared = Number.POSITIVE_INFINITY;
    this.stepsWithoutGain = 0;
  }

  /** Adds a corner and the point of A behind it, read at offset `from`; there must be fewer than four. */
  add(w: Float64Array, pointA: Float64Array, from = 0): void {
    const at = 3 * this.count++;
    for (let i = 0; i < 3; i++) {
      this.w[at + i] = w[from + i];
      this.a[at + i] = pointA[from + i];
    }
  }

  has(p: Vec3): boolean {
    const { w, count } = this;
    for (let at = 0; at < 3 * count; at += 3) {
      if (w[at] === p[0] && w[at + 1] === p[1] && w[at + 2] === p[2]) return true;
    }
    return false;
  }

  /**
   * Finds `v` and drops the corners that do not carry it. ENCLOSED when a tetrahedron holds the origin: nothing is dropped, `v` is
   * zero. STALLED when the newest corner took `v` farther away: it is taken away again and all is as before. `canEnclose` is false
   * when a plane has shown that the origin lies outside: then a tetrahedron that seems to hold it is flat, and its faces decide.
   */
  reduce(canEnclose: boolean): Reduction {
    const { subproblem: nearest, count } = this;
    const reach = Math.sqrt(this.normSquared) + this.slack;
    nearest.reset(reach * reach);
    if (count === 1) nearest.corner(0);
    else if (count === 2) nearest.segment(0, 3);
    else if (count === 3) nearest.triangle(0, 3, 6);
    else if (nearest.tetrahedron(canEnclose)) {
      if (refineBarycentric(nearest.weights, this.w)) {
        this.applySubproblem();
        return CONTAINS_ORIGIN;
      }
      nearest.reset(reach * reach); // its faces decide
    }
    // Signs lost in rounding may have led past the best face: before giving up, look at all of them.
    if (nearest.count === 0 && count === 3) nearest.allEdges();
    if (nearest.count === 0 && count === 4) nearest.allFaces();
    const isGain = nearest.normSquared < this.normSquared;
    const usesNewest = nearest.count > 0 && nearest.offsets[nearest.count - 1] === 3 * (count - 1);
    if (nearest.count === 0 || (!isGain && (this.stepsWithoutGain === maxStepsWithoutGain || !usesNewest))) {
      // The newest corner lies beyond, yet nothing is nearer: rounding may have turned the sign of a share, with the origin inside.
      if (count === 4 && canEnclose && this.refinedContainsOrigin()) return CONTAINS_ORIGIN;
      this.count--;
      return STALLED;
    }
    this.stepsWithoutGain = isGain ? 0 : this.stepsWithoutGain + 1;
    this.applySubproblem();
    return REDUCED;
  }

  /**
   * Writes a vector along −v, from A to B, not zero unless v is and the simplex has no direction of its own. Near contact the sum
   * that gives v has lost its digits; there a triangle's own normal, or the part of v across an edge, keeps the direction.
   */
  searchDirection(n: Vec3): void {
    const { v } = this;
    n[0] = -v[0];
    n[1] = -v[1];
    n[2] = -v[2];
    if (this.count === 2) this.removeComponentAlong(n, 0, 3);
    else if (this.count === 3) this.faceDirection(n);
  }

  /** The point of A behind v; that of B is this minus v. */
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

  /** Whether the tetrahedron of the last v's triangle and the newest corner holds the origin, by shares that start from those of v. */
  private refinedContainsOrigin(): boolean {
    const { subproblem: nearest, weights } = this;
    for (let k = 0; k < 3; k++) nearest.weights[k] = weights[k];
    nearest.weights[3] = 0;
    if (!refineBarycentric(nearest.weights, this.w)) return false;
    nearest.setOriginInside();
    this.applySubproblem();
    return true;
  }

  /** Moves the corners that carry v to the front; offsets ascend, so nothing is overwritten before it is read. */
  private applySubproblem(): void {
    const { w, a, weights, v, subproblem: nearest } = this;
    for (let k = 0; k < nearest.count; k++) {
      const from = nearest.offsets[k],
        to = 3 * k;
      for (let i = 0; i < 3; i++) {
        w[to + i] = w[from + i];
        a[to + i] = a[from + i];
      }
      weights[k] = nearest.weights[k];
    }
    this.count = nearest.count;
    this.normSquared = nearest.normSquared;
    v[0] = nearest.v[0];
    v[1] = nearest.v[1];
    v[2] = nearest.v[2];
  }

  /** Of a triangle higher than far away, the normal of its edges, on the side of n; else n, made square to the longest edge. */
  private faceDirection(n: Vec3): void {
    const { w, normSquared: squared } = this;
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
    if (!(x * x + y * y + z * z > squared * longest)) {
      if (longest === aa) this.removeComponentAlong(n, 0, 3);
      else if (longest === bb) this.removeComponentAlong(n, 0, 6);
      else this.removeComponentAlong(n, 3, 6);
      return;
    }
    const side = x * n[0] + y * n[1] + z * n[2] < 0 ? -1 : 1;
    n[0] = side * x;
    n[1] = side * y;
    n[2] = side * z;
  }

  /** Takes from n what it has along the edge between two corners, if the edge is long enough against ‖v‖ to know better. */
  private removeComponentAlong(n: Vec3, i: number, j: number): void {
    const { w, normSquared: squared } = this;
    const ex = w[j] - w[i],
      ey = w[j + 1] - w[i + 1],
      ez = w[j + 2] - w[i + 2];
    const ee = ex * ex + ey * ey + ez * ez;
    if (!(ee > squared)) return;
    for (let pass = 0; pass < 2; pass++) {
      const along = (n[0] * ex + n[1] * ey + n[2] * ez) / ee;
      n[0] -= along * ex;
      n[1] -= along * ey;
      n[2] -= along * ez;
    }
  }
}
