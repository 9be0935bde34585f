import type { Vec3 } from '../../math/vec3.ts';

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
  /** Height above a plane, metres, from which on a triangle counts as seeing a corner to come. */
  clearance = 0;
  /** Thickness, metres, up to which four corners count as flat. */
  thin = 0;
  // Measures of corners 0 to 3.
  private readonly areas = new Float64Array(4);
  private volume = 0;
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

  /** Of four corners, drops the one across the largest triangle: what is left of a tetrahedron without volume. Only after `isFlat`. */
  flatten(): void {
    const { w, a, areas } = this;
    let dropped = 0;
    for (let k = 1; k < 4; k++) if (areas[k] > areas[dropped]) dropped = k;
    w.copyWithin(3 * dropped, 9, 12);
    a.copyWithin(3 * dropped, 9, 12);
    this.vertexCount = 3;
  }

  /** Of corners 0 to 3: whether the height of the tetrahedron over its largest triangle, its least one, is no more than `thin`. */
  isFlat(): boolean {
    const { areas } = this;
    for (let k = 0; k < 4; k++) this.measureFace(k);
    this.measureVolume();
    const area = Math.max(areas[0], areas[1], areas[2], areas[3]);
    return !(area > 0 && Math.abs(this.volume) > this.thin * Math.sqrt(area));
  }

  /** Makes the four triangles of corners 0 to 3, whichever way they turn. */
  closeTetrahedron(): void {
    const { neighbors } = this;
    this.measureVolume();
    const i = this.volume > 0 ? 2 : 1,
      j = 3 - i;
    this.addFace(0, i, j);
    this.addFace(0, 3, i);
    this.addFace(0, j, 3);
    this.addFace(i, 3, j);
    neighbors.set(tetrahedronNeighbors);
  }

  /** Measures the square of twice the area of the triangle across corner k of corners 0 to 3. */
  private measureFace(across: number): void {
    const { w } = this;
    const i = 3 * ((across + 1) % 4),
      j = 3 * ((across + 2) % 4),
      k = 3 * ((across + 3) % 4);
    const ax = w[j] - w[i],
      ay = w[j + 1] - w[i + 1],
      az = w[j + 2] - w[i + 2];
    const bx = w[k] - w[i],
      by = w[k + 1] - w[i + 1],
      bz = w[k + 2] - w[i + 2];
    const x = ay * bz - az * by,
      y = az * bx - ax * bz,
      z = ax * by - ay * bx;
    this.areas[across] = x * x + y * y + z * z;
  }

  /** Measures six times the signed volume of corners 0 to 3. */
  private measureVolume(): void {
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
    this.volume = cx * (ay * bz - az * by) + cy * (az * bx - ax * bz) + cz * (ax * by - ay * bx);
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

  /** Grows to the corner w: the triangles that see it, from `seed` on, give way to a cone. False, and nothing changed, without room or one simple ring. */
  expand(seed: number, w: Vec3, pointA: Vec3): boolean {
    if (this.vertexCount === maxVertices) return false;
    const seen = this.collectVisible(seed, w);
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
  private collectVisible(seed: number, w: Vec3): number {
    const { clearance, stack, isGone, neighbors, normals, heights } = this;
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

  /**
   * Normal from the two shorter edges, which know it best; height of the lowest corner, so that it never claims too much. (In one piece, for
   * numbers that functions hand to each other cost an allocation each.)
   */
  private layPlane(f: number, i: number, j: number, k: number): void {
    const { w, normals, heights } = this;
    const xi = w[i],
      yi = w[i + 1],
      zi = w[i + 2];
    const xj = w[j],
      yj = w[j + 1],
      zj = w[j + 2];
    const xk = w[k],
      yk = w[k + 1],
      zk = w[k + 2];
    const ij = (xj - xi) * (xj - xi) + (yj - yi) * (yj - yi) + (zj - zi) * (zj - zi);
    const jk = (xk - xj) * (xk - xj) + (yk - yj) * (yk - yj) + (zk - zj) * (zk - zj);
    const ki = (xi - xk) * (xi - xk) + (yi - yk) * (yi - yk) + (zi - zk) * (zi - zk);
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
        ? Math.min(x * xi + y * yi + z * zi, x * xj + y * yj + z * zj, x * xk + y * yk + z * zk)
        : Number.POSITIVE_INFINITY;
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
