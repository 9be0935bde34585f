import { create, type Vec3 } from '../math/vec3.ts';

/**
 * Of a triangle: least ratio of its squared area (doubled) to the product of the squared edges at which its normal means something.
 * Below, only its edges are looked at. Relative; larger loses thin triangles, smaller lets rounding choose the answer.
 */
const flatTriangle = 1e-28;
/** The same for tetrahedra: least ratio of six volumes to the product of the three edges at a corner. */
const flatTetrahedron = 1e-15;

/**
 * Growth of ‖v‖² that still counts as even, relative: rounding. Steps without gain are worth taking, up to `patience`: where faces are
 * nearly parallel they turn v by 1e-8 while its length stays the same to the last digit.
 */
const evenStep = 4e-16;
const patience = 4;

/** What `reduce` found. */
export const REDUCED = 0;
export const ENCLOSED = 1;
export const STALLED = 2;
export type Reduction = typeof REDUCED | typeof ENCLOSED | typeof STALLED;

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
  squared = Number.POSITIVE_INFINITY;
  /** Steps in a row that brought v no nearer. */
  idleSteps = 0;

  // The best sub-simplex so far: offsets of its corners, ascending, their weights, and its nearest point.
  private bestCount = 0;
  private readonly bestAt = new Int32Array(3);
  private readonly bestWeights = new Float64Array(3);
  private readonly bestV: Vec3 = create();
  private bestSquared = 0;

  clear(): void {
    this.count = 0;
    this.squared = Number.POSITIVE_INFINITY;
    this.idleSteps = 0;
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
    this.bestSquared = this.squared * (1 + evenStep);
    this.bestCount = 0;
    if (this.count === 1) this.corner(0);
    else if (this.count === 2) this.segment(0, 3);
    else if (this.count === 3) this.triangle(0, 3, 6);
    else if (this.tetrahedron(canEnclose)) return ENCLOSED;

    // Signs lost in rounding may have led past the best face: before giving up, look at all of them.
    if (this.bestCount === 0 && this.count === 3) this.allEdges();
    if (this.bestCount === 0 && this.count === 4) this.allFaces();
    if (this.bestCount === 0 || (this.bestSquared >= this.squared && this.idleSteps === patience)) {
      this.count--;
      return STALLED;
    }
    this.idleSteps = this.bestSquared < this.squared ? 0 : this.idleSteps + 1;
    this.keepBest();
    return REDUCED;
  }

  /**
   * Writes a vector along −v, from A to B, not zero unless v is and the simplex has no direction of its own. Near contact the sum
   * that gives v has lost its digits; there a triangle's own normal, or the part of v across an edge, keeps the direction.
   */
  direction(n: Vec3): void {
    const { w, v } = this;
    n[0] = -v[0];
    n[1] = -v[1];
    n[2] = -v[2];
    if (this.count === 2) squareTo(n, w[3] - w[0], w[4] - w[1], w[5] - w[2], this.squared);
    else if (this.count === 3) this.faceNormal(n);
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

  /** S3D of the paper. The signs of four volumes tell beyond which faces the origin lies; true if beyond none. */
  private tetrahedron(canEnclose: boolean): boolean {
    const { w, weights, v } = this;
    const ax = w[0] - w[9],
      ay = w[1] - w[10],
      az = w[2] - w[11];
    const bx = w[3] - w[9],
      by = w[4] - w[10],
      bz = w[5] - w[11];
    const cx = w[6] - w[9],
      cy = w[7] - w[10],
      cz = w[8] - w[11];
    const volume = triple(ax, ay, az, bx, by, bz, cx, cy, cz);
    const edges = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz) * (cx * cx + cy * cy + cz * cz);
    if (!(volume * volume > flatTetrahedron * flatTetrahedron * edges)) return false;
    // Cramer for Σ λᵢ wᵢ = 0, Σ λᵢ = 1: each determinant about the corner w₃, so that far simplices lose nothing.
    const ox = -w[9],
      oy = -w[10],
      oz = -w[11];
    const l0 = triple(ox, oy, oz, bx, by, bz, cx, cy, cz) / volume;
    const l1 = triple(ax, ay, az, ox, oy, oz, cx, cy, cz) / volume;
    const l2 = triple(ax, ay, az, bx, by, bz, ox, oy, oz) / volume;
    const l3 = 1 - l0 - l1 - l2;
    if (l0 > 0 && l1 > 0 && l2 > 0 && l3 > 0) {
      if (!canEnclose) return false;
      weights[0] = l0;
      weights[1] = l1;
      weights[2] = l2;
      weights[3] = l3;
      v.fill(0);
      this.squared = 0;
      return true;
    }
    if (!(l0 > 0)) this.triangle(3, 6, 9);
    if (!(l1 > 0)) this.triangle(0, 6, 9);
    if (!(l2 > 0)) this.triangle(0, 3, 9);
    if (!(l3 > 0)) this.triangle(0, 3, 6);
    return false;
  }

  private allFaces(): void {
    this.triangle(3, 6, 9);
    this.triangle(0, 6, 9);
    this.triangle(0, 3, 9);
    this.triangle(0, 3, 6);
  }

  private allEdges(): void {
    this.segment(0, 3);
    this.segment(0, 6);
    this.segment(3, 6);
  }

  /** S2D: areas about p, the origin's projection on the plane. Differences to p stay small when the triangle is far away. */
  private triangle(i: number, j: number, k: number): void {
    const { w } = this;
    const x0 = w[i],
      y0 = w[i + 1],
      z0 = w[i + 2];
    const ax = w[j] - x0,
      ay = w[j + 1] - y0,
      az = w[j + 2] - z0;
    const bx = w[k] - x0,
      by = w[k + 1] - y0,
      bz = w[k + 2] - z0;
    const nx = ay * bz - az * by,
      ny = az * bx - ax * bz,
      nz = ax * by - ay * bx;
    const nn = nx * nx + ny * ny + nz * nz;
    if (!(nn > flatTriangle * (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz))) {
      this.segment(i, j);
      this.segment(i, k);
      this.segment(j, k);
      return;
    }
    // p = n (n·w₀) / n·n, o = p − w₀: λⱼ = n·(o × b) / n·n, λₖ = n·(a × o) / n·n
    const height = (nx * x0 + ny * y0 + nz * z0) / nn;
    const px = height * nx,
      py = height * ny,
      pz = height * nz;
    const ox = px - x0,
      oy = py - y0,
      oz = pz - z0;
    const lj = triple(nx, ny, nz, ox, oy, oz, bx, by, bz) / nn;
    const lk = triple(nx, ny, nz, ax, ay, az, ox, oy, oz) / nn;
    const li = 1 - lj - lk;
    if (li > 0 && lj > 0 && lk > 0) {
      const squared = px * px + py * py + pz * pz;
      if (!(squared < this.bestSquared)) return;
      this.offer(3, i, j, k, li, lj, lk, squared, px, py, pz);
      return;
    }
    if (!(li > 0)) this.segment(j, k);
    if (!(lj > 0)) this.segment(i, k);
    if (!(lk > 0)) this.segment(i, j);
  }

  /** S1D. */
  private segment(i: number, j: number): void {
    const { w } = this;
    const x = w[i],
      y = w[i + 1],
      z = w[i + 2];
    const ex = w[j] - x,
      ey = w[j + 1] - y,
      ez = w[j + 2] - z;
    const ee = ex * ex + ey * ey + ez * ez;
    const along = -(x * ex + y * ey + z * ez);
    if (!(along > 0)) {
      this.corner(i);
      return;
    }
    if (!(along < ee)) {
      this.corner(j);
      return;
    }
    const lj = along / ee;
    const px = x + lj * ex,
      py = y + lj * ey,
      pz = z + lj * ez;
    const squared = px * px + py * py + pz * pz;
    if (squared < this.bestSquared) this.offer(2, i, j, 0, 1 - lj, lj, 0, squared, px, py, pz);
  }

  private corner(i: number): void {
    const { w } = this;
    const x = w[i],
      y = w[i + 1],
      z = w[i + 2];
    const squared = x * x + y * y + z * z;
    if (squared < this.bestSquared) this.offer(1, i, 0, 0, 1, 0, 0, squared, x, y, z);
  }

  private offer(
    count: number,
    i: number,
    j: number,
    k: number,
    li: number,
    lj: number,
    lk: number,
    squared: number,
    x: number,
    y: number,
    z: number,
  ): void {
    const { bestAt, bestWeights, bestV } = this;
    this.bestCount = count;
    this.bestSquared = squared;
    bestAt[0] = i;
    bestAt[1] = j;
    bestAt[2] = k;
    bestWeights[0] = li;
    bestWeights[1] = lj;
    bestWeights[2] = lk;
    bestV[0] = x;
    bestV[1] = y;
    bestV[2] = z;
  }

  /** Moves the corners of the best sub-simplex to the front; offsets ascend, so nothing is overwritten before it is read. */
  private keepBest(): void {
    const { w, a, weights, v, bestAt, bestWeights, bestV, bestCount } = this;
    for (let k = 0; k < bestCount; k++) {
      const from = bestAt[k],
        to = 3 * k;
      for (let i = 0; i < 3; i++) {
        w[to + i] = w[from + i];
        a[to + i] = a[from + i];
      }
      weights[k] = bestWeights[k];
    }
    this.count = bestCount;
    this.squared = this.bestSquared;
    v[0] = bestV[0];
    v[1] = bestV[1];
    v[2] = bestV[2];
  }

  /** Of a triangle wider than far away, the normal of its edges is the better direction; n keeps its side. */
  private faceNormal(n: Vec3): void {
    const { w } = this;
    const ax = w[3] - w[0],
      ay = w[4] - w[1],
      az = w[5] - w[2];
    const bx = w[6] - w[0],
      by = w[7] - w[1],
      bz = w[8] - w[2];
    const x = ay * bz - az * by,
      y = az * bx - ax * bz,
      z = ax * by - ay * bx;
    const nn = x * x + y * y + z * z;
    const longest = Math.max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz);
    if (!(nn > this.squared * longest)) return; // (least height)² against ‖v‖²
    const side = x * n[0] + y * n[1] + z * n[2] < 0 ? -1 : 1;
    n[0] = side * x;
    n[1] = side * y;
    n[2] = side * z;
  }
}

function triple(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
): number {
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/** Takes from n what it has along the edge e, if the edge is long enough against ‖v‖ to know better. */
function squareTo(n: Vec3, ex: number, ey: number, ez: number, squared: number): void {
  const ee = ex * ex + ey * ey + ez * ez;
  if (!(ee > squared)) return;
  for (let pass = 0; pass < 2; pass++) {
    const along = (n[0] * ex + n[1] * ey + n[2] * ez) / ee;
    n[0] -= along * ex;
    n[1] -= along * ey;
    n[2] -= along * ez;
  }
}
