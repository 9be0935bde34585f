import type { Vec3 } from '../math/vec3.ts';

/** Most corners; two triangles a corner stand at a time. */
const maxVertices = 1024;
/** Most triangles ever made; those that corners have replaced are not reused, so that the queue needs no clean-up. */
const maxFaces = 16384;
/** Who lies across which edge of the four triangles that `closeTetrahedron` makes. */
const tetrahedronNeighbors = Int32Array.of(1, 3, 2, 2, 3, 0, 0, 3, 1, 1, 2, 0);

/**
 * A convex polytope that holds the origin and grows by one corner at a time, its triangles queued by their distance from the origin:
 * the inner approximation of A ⊖ B in the expanding polytope algorithm. Corners keep their number for good.
 */
export class ExpandingPolytope {
  vertexCount = 0;
  readonly w = new Float64Array(3 * maxVertices);
  /** The points of A behind the corners. */
  readonly a = new Float64Array(3 * maxVertices);
  /** Corners of the triangles, counter-clockwise seen from outside. */
  readonly corners = new Int32Array(3 * maxFaces);
  /** Unit outward normals, and the distance of the planes along them. */
  readonly normals = new Float64Array(3 * maxFaces);
  readonly heights = new Float64Array(maxFaces);

  /** Triangles ever made; `isGone` marks those that a corner has replaced. */
  faceCount = 0;
  readonly isGone = new Uint8Array(maxFaces);

  /** The triangle across the edge from corner k to the next. */
  private readonly neighbors = new Int32Array(3 * maxFaces);
  private readonly queue = new Int32Array(maxFaces);
  private queued = 0;
  // Scratch of `expand`.
  private readonly stack = new Int32Array(maxFaces);
  private readonly rimFrom = new Int32Array(maxVertices);
  private readonly rimTo = new Int32Array(maxVertices);
  private readonly rimOutside = new Int32Array(maxVertices);
  private readonly rimAt = new Int32Array(maxVertices);

  clear(): void {
    this.vertexCount = 0;
    this.faceCount = 0;
    this.queued = 0;
  }

  /** Adds a corner and the point of A behind it, read at offset `from`. */
  addVertex(w: Float64Array, pointA: Float64Array, from = 0): void {
    const at = 3 * this.vertexCount++;
    for (let i = 0; i < 3; i++) {
      this.w[at + i] = w[from + i];
      this.a[at + i] = pointA[from + i];
    }
  }

  /** Of four corners, drops the one across the largest triangle: what is left of a tetrahedron without volume. */
  flatten(): void {
    const { w, a } = this;
    let largest = -1,
      dropped = 3;
    for (let k = 0; k < 4; k++) {
      const area = squaredArea(w, 3 * ((k + 1) % 4), 3 * ((k + 2) % 4), 3 * ((k + 3) % 4));
      if (!(area > largest)) continue;
      largest = area;
      dropped = k;
    }
    w.copyWithin(3 * dropped, 9, 12);
    a.copyWithin(3 * dropped, 9, 12);
    this.vertexCount = 3;
  }

  /** Of corners 0 to 3: the height of the tetrahedron over its largest triangle, its least one. */
  thickness(): number {
    const { w } = this;
    const area = Math.max(
      squaredArea(w, 0, 3, 6),
      squaredArea(w, 0, 3, 9),
      squaredArea(w, 0, 6, 9),
      squaredArea(w, 3, 6, 9),
    );
    return area > 0 ? Math.abs(this.sixVolumes()) / Math.sqrt(area) : 0;
  }

  /** Makes the four triangles of corners 0 to 3, whichever way they turn. */
  closeTetrahedron(): void {
    const { neighbors } = this;
    const i = this.sixVolumes() > 0 ? 2 : 1,
      j = 3 - i;
    this.addFace(0, i, j);
    this.addFace(0, 3, i);
    this.addFace(0, j, 3);
    this.addFace(i, 3, j);
    neighbors.set(tetrahedronNeighbors);
  }

  /** Six times the signed volume of corners 0 to 3. */
  private sixVolumes(): number {
    const { w } = this;
    const ax = w[3] - w[0],
      ay = w[4] - w[1],
      az = w[5] - w[2];
    const bx = w[6] - w[0],
      by = w[7] - w[1],
      bz = w[8] - w[2];
    const cx = w[9] - w[0],
      cy = w[10] - w[1],
      cz = w[11] - w[2];
    return cx * (ay * bz - az * by) + cy * (az * bx - ax * bz) + cz * (ax * by - ay * bx);
  }

  /** The triangle in the queue whose plane is nearest to the origin; −1 when none is left. */
  nearestFace(): number {
    const { queue, isGone } = this;
    while (this.queued > 0 && isGone[queue[0]] === 1) this.dequeue();
    return this.queued > 0 ? queue[0] : -1;
  }

  /** Takes the nearest triangle out of the queue; it stays part of the surface. */
  dequeue(): void {
    const { queue, heights } = this;
    const last = queue[--this.queued];
    const height = heights[last];
    let at = 0;
    for (let child = 1; child < this.queued; child = 2 * at + 1) {
      if (child + 1 < this.queued && heights[queue[child + 1]] < heights[queue[child]]) child++;
      if (!(heights[queue[child]] < height)) break;
      queue[at] = queue[child];
      at = child;
    }
    queue[at] = last;
  }

  /**
   * Grows to the corner w: the triangles that see it, from `seed` on, give way to a cone from their rim. False, and nothing is
   * changed, when there is no room, or when rounding has made the rim more than one simple ring.
   *
   * @param clearance height above a plane, metres, from which on a triangle counts as seeing w
   */
  expand(seed: number, w: Vec3, pointA: Vec3, clearance: number): boolean {
    if (this.vertexCount === maxVertices) return false;
    const seen = this.collectVisible(seed, w, clearance);
    const rim = this.collectRim(seen);
    if (rim === 0 || this.faceCount + rim > maxFaces || !this.isOneRing(rim)) {
      for (let k = 0; k < seen; k++) this.isGone[this.stack[k]] = 0;
      return false;
    }
    const apex = this.vertexCount;
    this.addVertex(w, pointA);
    this.addCone(rim, apex);
    return true;
  }

  /** Marks the connected triangles that see w, leaves them on the stack, returns their number. */
  private collectVisible(seed: number, w: Vec3, clearance: number): number {
    const { stack, isGone, neighbors, normals, heights } = this;
    let count = 1;
    stack[0] = seed;
    isGone[seed] = 1;
    for (let next = 0; next < count; next++) {
      for (let k = 0; k < 3; k++) {
        const g = neighbors[3 * stack[next] + k];
        if (isGone[g] === 1) continue;
        const above = normals[3 * g] * w[0] + normals[3 * g + 1] * w[1] + normals[3 * g + 2] * w[2] - heights[g];
        if (!(above > clearance)) continue;
        isGone[g] = 1;
        stack[count++] = g;
      }
    }
    return count;
  }

  /** Lists the edges between triangles that are seen and those that are not; 0 when there is no room for them. */
  private collectRim(seen: number): number {
    const { stack, isGone, neighbors, corners, rimFrom, rimTo, rimOutside } = this;
    let rim = 0;
    for (let i = 0; i < seen; i++) {
      const f = 3 * stack[i];
      for (let k = 0; k < 3; k++) {
        const g = neighbors[f + k];
        if (isGone[g] === 1) continue;
        if (rim === maxVertices) return 0;
        rimFrom[rim] = corners[f + k];
        rimTo[rim] = corners[f + ((k + 1) % 3)];
        rimOutside[rim] = g;
        rim++;
      }
    }
    return rim;
  }

  /** Whether the rim's edges follow each other in one ring; leaves in `rimAt` which edge starts at a corner. */
  private isOneRing(rim: number): boolean {
    const { rimFrom, rimTo, rimAt } = this;
    for (let i = 0; i < rim; i++) rimAt[rimFrom[i]] = i;
    let at = 0;
    for (let steps = 1; steps <= rim; steps++) {
      const next = rimAt[rimTo[at]];
      if (!(next < rim) || rimFrom[next] !== rimTo[at]) return false;
      at = next;
      if (at === 0) return steps === rim;
    }
    return false;
  }

  /** One triangle from each edge of the rim to the apex, linked to the outside and to each other. */
  private addCone(rim: number, apex: number): void {
    const { corners, neighbors, rimFrom, rimTo, rimOutside, rimAt } = this;
    const first = this.faceCount;
    for (let i = 0; i < rim; i++) {
      const f = this.addFace(rimFrom[i], rimTo[i], apex);
      const next = first + rimAt[rimTo[i]];
      neighbors[3 * f] = rimOutside[i];
      neighbors[3 * f + 1] = next;
      neighbors[3 * next + 2] = f;
      const g = 3 * rimOutside[i];
      for (let k = 0; k < 3; k++) if (corners[g + k] === rimTo[i]) neighbors[g + k] = f;
    }
  }

  private addFace(i: number, j: number, k: number): number {
    const f = this.faceCount++;
    const { corners } = this;
    corners[3 * f] = i;
    corners[3 * f + 1] = j;
    corners[3 * f + 2] = k;
    this.isGone[f] = 0;
    this.layPlane(f, 3 * i, 3 * j, 3 * k);
    this.enqueue(f);
    return f;
  }

  /** Normal from the two shorter edges, which know it best; height of the lowest corner, so that it never claims too much. */
  private layPlane(f: number, i: number, j: number, k: number): void {
    const { w, normals, heights } = this;
    const ij = squaredLength(w, i, j),
      jk = squaredLength(w, j, k),
      ki = squaredLength(w, k, i);
    const apex = ij >= jk && ij >= ki ? k : jk >= ki ? i : j;
    const left = apex === k ? i : apex === i ? j : k;
    const right = apex === k ? j : apex === i ? k : i;
    const ax = w[left] - w[apex],
      ay = w[left + 1] - w[apex + 1],
      az = w[left + 2] - w[apex + 2];
    const bx = w[right] - w[apex],
      by = w[right + 1] - w[apex + 1],
      bz = w[right + 2] - w[apex + 2];
    let x = ay * bz - az * by,
      y = az * bx - ax * bz,
      z = ax * by - ay * bx;
    const length = Math.sqrt(x * x + y * y + z * z);
    const factor = length > 0 ? 1 / length : 0;
    x *= factor;
    y *= factor;
    z *= factor;
    normals[3 * f] = x;
    normals[3 * f + 1] = y;
    normals[3 * f + 2] = z;
    // A triangle without area has no plane: out of the way of the queue.
    heights[f] =
      length > 0
        ? Math.min(alongCorner(w, i, x, y, z), alongCorner(w, j, x, y, z), alongCorner(w, k, x, y, z))
        : Infinity;
  }

  private enqueue(f: number): void {
    const { queue, heights } = this;
    let at = this.queued++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!(heights[f] < heights[queue[parent]])) break;
      queue[at] = queue[parent];
      at = parent;
    }
    queue[at] = f;
  }
}

function squaredLength(w: Float64Array, i: number, j: number): number {
  const x = w[j] - w[i],
    y = w[j + 1] - w[i + 1],
    z = w[j + 2] - w[i + 2];
  return x * x + y * y + z * z;
}

/** Square of twice the area. */
function squaredArea(w: Float64Array, i: number, j: number, k: number): number {
  const ax = w[j] - w[i],
    ay = w[j + 1] - w[i + 1],
    az = w[j + 2] - w[i + 2];
  const bx = w[k] - w[i],
    by = w[k + 1] - w[i + 1],
    bz = w[k + 2] - w[i + 2];
  const x = ay * bz - az * by,
    y = az * bx - ax * bz,
    z = ax * by - ay * bx;
  return x * x + y * y + z * z;
}

function alongCorner(w: Float64Array, at: number, x: number, y: number, z: number): number {
  return x * w[at] + y * w[at + 1] + z * w[at + 2];
}
