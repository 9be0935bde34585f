import { create, type Vec3 } from '../math/vec3.ts';

/**
 * Of a triangle: least ratio of its squared area (doubled) to the product of the squared edges at which its normal means something.
 * Below, only its edges are looked at. Relative; larger loses thin triangles, smaller lets rounding choose the answer.
 */
const flatTriangle = 1e-28;
/** The same measure below which the weights of a triangle are computed in two passes. */
const sliver = 1e-4;
/** The same for tetrahedra: least ratio of six volumes to the product of the three edges at a corner. */
const flatTetrahedron = 1e-15;

/**
 * Steps in a row without gain that are worth taking: where faces are nearly parallel, and near contact, a step may turn v usefully while
 * its length stays the same to rounding.
 */
const patience = 6;

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
  private slack = 0;

  /** @param slack length by which ‖v‖ may grow in a step without gain, metres: rounding of the points to come */
  clear(slack: number): void {
    this.slack = slack;
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
    const reach = Math.sqrt(this.squared) + this.slack;
    this.bestSquared = reach * reach;
    this.bestCount = 0;
    if (this.count === 1) this.corner(0);
    else if (this.count === 2) this.segment(0, 3);
    else if (this.count === 3) this.triangle(0, 3, 6);
    else if (this.tetrahedron(canEnclose)) return ENCLOSED;

    // Signs lost in rounding may have led past the best face: before giving up, look at all of them.
    if (this.bestCount === 0 && this.count === 3) this.allEdges();
    if (this.bestCount === 0 && this.count === 4) this.allFaces();
    const isGain = this.bestSquared < this.squared;
    if (this.bestCount === 0 || (!isGain && (this.idleSteps === patience || !this.usesNewest()))) {
      this.count--;
      return STALLED;
    }
    this.idleSteps = isGain ? 0 : this.idleSteps + 1;
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
    if (this.count === 2) squareTo(n, w, 0, 3, this.squared);
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

  /** S3D of the paper. The signs of four volumes tell beyond which faces the origin lies; true if beyond none. */
  private tetrahedron(canEnclose: boolean): boolean {
    const { w, weights, v } = this;
    // About the corner nearest to the origin: near contact the newest is far away, and its long edges would drown the short ones.
    const base = this.nearestCorner();
    const i = (base + 3) % 12,
      j = (base + 6) % 12,
      k = (base + 9) % 12;
    const ox = -w[base],
      oy = -w[base + 1],
      oz = -w[base + 2];
    const ax = w[i] + ox,
      ay = w[i + 1] + oy,
      az = w[i + 2] + oz;
    const bx = w[j] + ox,
      by = w[j + 1] + oy,
      bz = w[j + 2] + oz;
    const cx = w[k] + ox,
      cy = w[k + 1] + oy,
      cz = w[k + 2] + oz;
    const volume = triple(ax, ay, az, bx, by, bz, cx, cy, cz);
    const edges = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz) * (cx * cx + cy * cy + cz * cz);
    if (!(volume * volume > flatTetrahedron * flatTetrahedron * edges)) return false;
    // Cramer for Σ λᵢ wᵢ = 0, Σ λᵢ = 1
    const li = triple(ox, oy, oz, bx, by, bz, cx, cy, cz) / volume;
    const lj = triple(ax, ay, az, ox, oy, oz, cx, cy, cz) / volume;
    const lk = triple(ax, ay, az, bx, by, bz, ox, oy, oz) / volume;
    const rest = 1 - li - lj - lk;
    if (li > 0 && lj > 0 && lk > 0 && rest > 0) {
      if (!canEnclose) return false;
      weights[i / 3] = li;
      weights[j / 3] = lj;
      weights[k / 3] = lk;
      weights[base / 3] = rest;
      v.fill(0);
      this.squared = 0;
      return true;
    }
    if (!(li > 0)) this.triangleWithout(i);
    if (!(lj > 0)) this.triangleWithout(j);
    if (!(lk > 0)) this.triangleWithout(k);
    if (!(rest > 0)) this.triangleWithout(base);
    return false;
  }

  private nearestCorner(): number {
    const { w } = this;
    let best = 0,
      least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < 12; at += 3) {
      const squared = w[at] * w[at] + w[at + 1] * w[at + 1] + w[at + 2] * w[at + 2];
      if (!(squared < least)) continue;
      least = squared;
      best = at;
    }
    return best;
  }

  /** The face across a corner; offsets ascend. */
  private triangleWithout(corner: number): void {
    this.triangle(corner === 0 ? 3 : 0, corner <= 3 ? 6 : 3, corner === 9 ? 6 : 9);
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
    const edges = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz);
    if (!(nn > flatTriangle * edges)) {
      this.segment(i, j);
      this.segment(i, k);
      this.segment(j, k);
      return;
    }
    // p = n (n·x) / n·n, o = p − x: λⱼ = n·(o × b) / n·n, λₖ = n·(a × o) / n·n, then x = w₀ + λⱼ a + λₖ b. In slivers the weights lose
    // digits that matter along the long side: a second pass from x finds them again.
    let lj = 0,
      lk = 0,
      x = x0,
      y = y0,
      z = z0;
    for (let pass = nn > sliver * edges ? 1 : 0; pass < 2; pass++) {
      const height = (nx * x + ny * y + nz * z) / nn;
      const ox = height * nx - x,
        oy = height * ny - y,
        oz = height * nz - z;
      const dj = triple(nx, ny, nz, ox, oy, oz, bx, by, bz) / nn;
      const dk = triple(nx, ny, nz, ax, ay, az, ox, oy, oz) / nn;
      lj += dj;
      lk += dk;
      x += dj * ax + dk * bx;
      y += dj * ay + dk * by;
      z += dj * az + dk * bz;
    }
    const li = 1 - lj - lk;
    if (li > 0 && lj > 0 && lk > 0) {
      const squared = x * x + y * y + z * z;
      if (squared < this.bestSquared) this.offer(3, i, j, k, li, lj, lk, squared, x, y, z);
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

  private usesNewest(): boolean {
    return this.bestAt[this.bestCount - 1] === 3 * (this.count - 1);
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

  /** Of a triangle higher than far away, the normal of its edges, on the side of n; else n, made square to the longest edge. */
  private faceDirection(n: Vec3): void {
    const { w, squared } = this;
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
      if (longest === aa) squareTo(n, w, 0, 3, squared);
      else if (longest === bb) squareTo(n, w, 0, 6, squared);
      else squareTo(n, w, 3, 6, squared);
      return;
    }
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

/** Takes from n what it has along the edge between two corners, if the edge is long enough against ‖v‖ to know better. */
function squareTo(n: Vec3, w: Float64Array, i: number, j: number, squared: number): void {
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
