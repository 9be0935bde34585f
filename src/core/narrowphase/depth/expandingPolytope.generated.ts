// Expanded from ../kernels/expandingPolytope.ts by `node scripts/kernels.mjs`: edit it there.
import type { Vec3 } from '../../math/vec3.ts';

/** Maximum number of vertices; the surface has about two triangles per vertex. */
const maxVertices = 1024;
/** Maximum number of triangles created; removed triangles are not reused, so that the queue needs no clean-up. */
const maxFaces = 16384;
/** Number of triangles that a polytope has memory for at first; few pairs need more. */
const initialFaces = 256;
/** Neighbors across the edges of the four triangles that `closeTetrahedron` creates. */
const tetrahedronNeighbors = Int32Array.of(1, 3, 2, 2, 3, 0, 0, 3, 1, 1, 2, 0);

/**
 * Convex polytope around the origin that is expanded vertex by vertex, its triangles queued by their distance from the
 * origin: the inner approximation of A ⊖ B in the expanding polytope algorithm. Vertex indices never change.
 */
export class ExpandingPolytope {
  vertexCount = 0;
  /** Height above the plane of a triangle from which the triangle is visible from a new vertex, metres. */
  visibilityHeight = 0;
  /** Thickness up to which four vertices count as flat, metres. */
  flatThickness = 0;
  // Measures of vertices 0 to 3.
  private readonly areas = new Float64Array(4);
  private volume = 0;
  readonly w = new Float64Array(3 * maxVertices);
  /** The points of A of the vertices. */
  readonly a = new Float64Array(3 * maxVertices);
  /** Vertex indices of the triangles, counter-clockwise seen from outside. */
  faceVertices = new Int32Array(3 * initialFaces);
  /** Unit outward normals, and the distances of the planes from the origin along them. */
  normals = new Float64Array(3 * initialFaces);
  heights = new Float64Array(initialFaces);

  /** Number of triangles created; `isRemoved` marks those that were replaced. */
  faceCount = 0;
  isRemoved = new Uint8Array(initialFaces);

  /** The neighbor triangle across the edge from vertex k to the next. */
  private neighbors = new Int32Array(3 * initialFaces);
  private queue = new Int32Array(initialFaces);
  private queued = 0;
  // Scratch of `expand`.
  private stack = new Int32Array(initialFaces);
  private readonly horizonFrom = new Int32Array(maxVertices);
  private readonly horizonTo = new Int32Array(maxVertices);
  private readonly horizonOutside = new Int32Array(maxVertices);
  private readonly horizonAt = new Int32Array(maxVertices);

  clear(): void {
    this.vertexCount = 0;
    this.faceCount = 0;
    this.queued = 0;
  }

  /** Adds a vertex and its point of A, read at offset `from`. */
  addVertex(w: Float64Array, pointA: Float64Array, from = 0): void {
    const at = 3 * this.vertexCount++;
    for (let i = 0; i < 3; i++) {
      this.w[at + i] = w[from + i];
      this.a[at + i] = pointA[from + i];
    }
  }

  /** Drops the vertex opposite the largest triangle of a flat tetrahedron. Only after `isFlat`. */
  flatten(): void {
    const { w, a, areas } = this;
    let dropped = 0;
    for (let k = 1; k < 4; k++) if (areas[k] > areas[dropped]) dropped = k;
    w.copyWithin(3 * dropped, 9, 12);
    a.copyWithin(3 * dropped, 9, 12);
    this.vertexCount = 3;
  }

  /** Returns true if the height of tetrahedron 0 to 3 over its largest triangle is at most `flatThickness`. */
  isFlat(): boolean {
    const { areas } = this;
    for (let k = 0; k < 4; k++) this.computeArea(k);
    this.computeVolume();
    const area = Math.max(areas[0], areas[1], areas[2], areas[3]);
    return !(area > 0 && Math.abs(this.volume) > this.flatThickness * Math.sqrt(area));
  }

  /** Creates the four triangles of vertices 0 to 3, for either orientation. */
  closeTetrahedron(): void {
    const { neighbors } = this;
    this.computeVolume();
    const i = this.volume > 0 ? 2 : 1;
    const j = 3 - i;
    this.addFace(0, i, j);
    this.addFace(0, 3, i);
    this.addFace(0, j, 3);
    this.addFace(i, 3, j);
    neighbors.set(tetrahedronNeighbors);
  }

  /** Computes the square of twice the area of the triangle opposite vertex k of vertices 0 to 3. */
  private computeArea(opposite: number): void {
    const { w } = this;
    const i = 3 * ((opposite + 1) % 4);
    const j = 3 * ((opposite + 2) % 4);
    const k = 3 * ((opposite + 3) % 4);
    const nX = (w[j + 1] - w[i + 1]) * (w[k + 2] - w[i + 2]) - (w[j + 2] - w[i + 2]) * (w[k + 1] - w[i + 1]),
      nY = (w[j + 2] - w[i + 2]) * (w[k] - w[i]) - (w[j] - w[i]) * (w[k + 2] - w[i + 2]),
      nZ = (w[j] - w[i]) * (w[k + 1] - w[i + 1]) - (w[j + 1] - w[i + 1]) * (w[k] - w[i]);
    this.areas[opposite] = nX * nX + nY * nY + nZ * nZ;
  }

  /** Computes six times the signed volume of vertices 0 to 3. */
  private computeVolume(): void {
    const { w } = this;
    const x0X = w[0],
      x0Y = w[1],
      x0Z = w[2];
    const aX = w[3] - x0X,
      aY = w[4] - x0Y,
      aZ = w[5] - x0Z;
    const bX = w[6] - x0X,
      bY = w[7] - x0Y,
      bZ = w[8] - x0Z;
    const cX = w[9] - x0X,
      cY = w[10] - x0Y,
      cZ = w[11] - x0Z;
    this.volume = cX * (aY * bZ - aZ * bY) + cY * (aZ * bX - aX * bZ) + cZ * (aX * bY - aY * bX);
  }

  /** Returns the queued triangle whose plane is nearest to the origin; −1 if the queue is empty. */
  nearestFace(): number {
    const { queue, isRemoved } = this;
    while (this.queued > 0 && isRemoved[queue[0]] === 1) this.dequeue();
    return this.queued > 0 ? queue[0] : -1;
  }

  /** Removes the nearest triangle from the queue; it remains part of the surface. */
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

  /** Replaces the triangles visible from w, `seed` and others, by a cone; returns false, unchanged, if that fails. */
  expand(seed: number, w: Vec3, pointA: Vec3): boolean {
    if (this.vertexCount === maxVertices) return false;
    const visibleCount = this.collectVisible(seed, w);
    const horizonCount = this.collectHorizon(visibleCount);
    while (this.faceCount + horizonCount > this.heights.length && this.heights.length < maxFaces) this.grow();
    if (horizonCount === 0 || this.faceCount + horizonCount > maxFaces || !this.isSimpleLoop(horizonCount)) {
      for (let k = 0; k < visibleCount; k++) this.isRemoved[this.stack[k]] = 0;
      return false; // capacity exceeded, or the horizon is not one loop
    }
    const apex = this.vertexCount;
    this.addVertex(w, pointA);
    this.addCone(horizonCount, apex);
    return true;
  }

  /** Doubles the memory for triangles. */
  private grow(): void {
    const doubled = <T extends Float64Array | Int32Array | Uint8Array>(rows: T, longer: T): T => {
      longer.set(rows);
      return longer;
    };
    const faces = 2 * this.heights.length;
    this.faceVertices = doubled(this.faceVertices, new Int32Array(3 * faces));
    this.normals = doubled(this.normals, new Float64Array(3 * faces));
    this.heights = doubled(this.heights, new Float64Array(faces));
    this.isRemoved = doubled(this.isRemoved, new Uint8Array(faces));
    this.neighbors = doubled(this.neighbors, new Int32Array(3 * faces));
    this.queue = doubled(this.queue, new Int32Array(faces));
    this.stack = doubled(this.stack, new Int32Array(faces));
  }

  /** Marks the connected triangles that are visible from w, collects them in `stack` and returns their number. */
  private collectVisible(seed: number, w: Vec3): number {
    const { visibilityHeight, stack, isRemoved, neighbors, normals, heights } = this;
    let count = 1;
    stack[0] = seed;
    isRemoved[seed] = 1;
    for (let next = 0; next < count; next++) {
      for (let k = 0; k < 3; k++) {
        const g = neighbors[3 * stack[next] + k];
        if (isRemoved[g] === 1) continue;
        const above = normals[3 * g] * w[0] + normals[3 * g + 1] * w[1] + normals[3 * g + 2] * w[2] - heights[g];
        if (!(above > visibilityHeight)) continue;
        isRemoved[g] = 1;
        stack[count++] = g;
      }
    }
    return count;
  }

  /** Collects the edges between visible and hidden triangles; returns their number, 0 if capacity is exceeded. */
  private collectHorizon(visibleCount: number): number {
    const { stack, isRemoved, neighbors, faceVertices, horizonFrom, horizonTo, horizonOutside } = this;
    let horizonCount = 0;
    for (let i = 0; i < visibleCount; i++) {
      const f = 3 * stack[i];
      for (let k = 0; k < 3; k++) {
        const g = neighbors[f + k];
        if (isRemoved[g] === 1) continue;
        if (horizonCount === maxVertices) return 0;
        horizonFrom[horizonCount] = faceVertices[f + k];
        horizonTo[horizonCount] = faceVertices[f + ((k + 1) % 3)];
        horizonOutside[horizonCount] = g;
        horizonCount++;
      }
    }
    return horizonCount;
  }

  /** Returns true if the horizon edges form one loop; `horizonAt` then maps a vertex to the edge that starts there. */
  private isSimpleLoop(horizonCount: number): boolean {
    const { horizonFrom, horizonTo, horizonAt } = this;
    for (let i = 0; i < horizonCount; i++) horizonAt[horizonFrom[i]] = i;
    let at = 0;
    for (let steps = 1; steps <= horizonCount; steps++) {
      const next = horizonAt[horizonTo[at]];
      if (!(next < horizonCount) || horizonFrom[next] !== horizonTo[at]) return false;
      at = next;
      if (at === 0) return steps === horizonCount;
    }
    return false;
  }

  /** Adds a triangle from each horizon edge to the apex, linked to the outside and to each other. */
  private addCone(horizonCount: number, apex: number): void {
    const { faceVertices, neighbors, horizonFrom, horizonTo, horizonOutside, horizonAt } = this;
    const first = this.faceCount;
    for (let i = 0; i < horizonCount; i++) {
      const f = this.addFace(horizonFrom[i], horizonTo[i], apex);
      const next = first + horizonAt[horizonTo[i]];
      neighbors[3 * f] = horizonOutside[i];
      neighbors[3 * f + 1] = next;
      neighbors[3 * next + 2] = f;
      const g = 3 * horizonOutside[i];
      for (let k = 0; k < 3; k++) if (faceVertices[g + k] === horizonTo[i]) neighbors[g + k] = f;
    }
  }

  private addFace(i: number, j: number, k: number): number {
    const f = this.faceCount++;
    const { faceVertices } = this;
    faceVertices[3 * f] = i;
    faceVertices[3 * f + 1] = j;
    faceVertices[3 * f + 2] = k;
    this.isRemoved[f] = 0;
    this.computePlane(f, 3 * i, 3 * j, 3 * k);
    this.enqueue(f);
    return f;
  }

  /**
   * Computes the plane of a triangle: normal from the two shorter edges, which is the most accurate; height of the
   * lowest vertex, so that it is a lower bound. (One function, because number arguments cost an allocation each.)
   */
  private computePlane(f: number, i: number, j: number, k: number): void {
    const { w, normals, heights } = this;
    const xiX = w[i],
      xiY = w[i + 1],
      xiZ = w[i + 2];
    const xjX = w[j],
      xjY = w[j + 1],
      xjZ = w[j + 2];
    const xkX = w[k],
      xkY = w[k + 1],
      xkZ = w[k + 2];
    const ij = (xjX - xiX) * (xjX - xiX) + (xjY - xiY) * (xjY - xiY) + (xjZ - xiZ) * (xjZ - xiZ);
    const jk = (xkX - xjX) * (xkX - xjX) + (xkY - xjY) * (xkY - xjY) + (xkZ - xjZ) * (xkZ - xjZ);
    const ki = (xiX - xkX) * (xiX - xkX) + (xiY - xkY) * (xiY - xkY) + (xiZ - xkZ) * (xiZ - xkZ);
    const apex = ij >= jk && ij >= ki ? k : jk >= ki ? i : j;
    const left = apex === k ? i : apex === i ? j : k;
    const right = apex === k ? j : apex === i ? k : i;
    const topX = w[apex],
      topY = w[apex + 1],
      topZ = w[apex + 2];
    let nX = (w[left + 1] - topY) * (w[right + 2] - topZ) - (w[left + 2] - topZ) * (w[right + 1] - topY),
      nY = (w[left + 2] - topZ) * (w[right] - topX) - (w[left] - topX) * (w[right + 2] - topZ),
      nZ = (w[left] - topX) * (w[right + 1] - topY) - (w[left + 1] - topY) * (w[right] - topX);
    const length = Math.sqrt(nX * nX + nY * nY + nZ * nZ);
    const factor = length > 0 ? 1 / length : 0;
    nX = factor * nX;
    nY = factor * nY;
    nZ = factor * nZ;
    normals[3 * f] = nX;
    normals[3 * f + 1] = nY;
    normals[3 * f + 2] = nZ;
    // A triangle without area has no plane: sort it to the end of the queue.
    heights[f] =
      length > 0
        ? Math.min(nX * xiX + nY * xiY + nZ * xiZ, nX * xjX + nY * xjY + nZ * xjZ, nX * xkX + nY * xkY + nZ * xkZ)
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
