import { firstSimplex } from './firstSimplex.ts';

/** A triangle of a hull: indices of its vertices, counterclockwise seen from outside. */
export type Face = readonly [number, number, number];

/**
 * Minimum height of a point above a plane to count as outside, relative to the largest coordinate: a few times their
 * rounding error.
 */
const OUTSIDE = 8 * Number.EPSILON;

/**
 * Computes the faces of the convex hull of points that span three dimensions with Quickhull [BarberDobkinHuhdanpaa96]:
 * starts from a tetrahedron and repeatedly adds the point that is farthest outside a face. The faces visible from that
 * point are replaced by a fan that connects their horizon with the point. Returns undefined if rounding errors leave no
 * simple horizon, or if there is no initial tetrahedron because the points are (nearly) coplanar. Points that lie
 * inside a face, to rounding, are not vertices.
 */
export function quickHull(points: Float64Array): Face[] | undefined {
  const flat = hullFaces(points);
  if (flat === undefined) return undefined;
  return Array.from({ length: flat.length / 3 }, (_, f): Face => [flat[3 * f], flat[3 * f + 1], flat[3 * f + 2]]);
}

/** Computes the same faces as a flat list: three vertex indices per face. */
export function hullFaces(points: Float64Array): Int32Array | undefined {
  const hull = new HullInProgress(points);
  return hull.initialize() && hull.grow() ? hull.faces() : undefined;
}

/**
 * Faces in flat arrays: face f has the vertices 3f … 3f + 2; `neighbors[3f + k]` is the face across the edge from
 * vertex k to the next one.
 */
class HullInProgress {
  private vertices = new Int32Array(3 * 64);
  private neighbors = new Int32Array(3 * 64);
  /** Unit normal and offset of each face. */
  private planes = new Float64Array(4 * 64);
  /**
   * First of the points outside the face; −1 if there is none; −2 if the face was removed. The farthest point is first
   * in the list.
   */
  private outside = new Int32Array(64);
  /** Height of the farthest outside point above the face. */
  private farthest = new Float64Array(64);
  private mark = new Int32Array(64);
  private count = 0;
  /** The next point in the outside list of the same face. */
  private readonly next: Int32Array;
  /** The new face whose horizon edge begins at that vertex; −1 if there is none. */
  private readonly horizonFrom: Int32Array;
  private readonly clearly: number;
  private readonly waiting: number[] = [];
  private generation = 0;

  constructor(private readonly points: Float64Array) {
    const count = points.length / 3;
    this.next = new Int32Array(count).fill(-1);
    this.horizonFrom = new Int32Array(count).fill(-1);
    let size = 0;
    for (let i = 0; i < points.length; i++) size = Math.max(size, Math.abs(points[i]));
    this.clearly = OUTSIDE * size;
  }

  /**
   * Creates the initial tetrahedron and assigns every other point to the face that it is farthest outside of. Returns
   * false if the points are flat.
   */
  initialize(): boolean {
    const simplex = firstSimplex(this.points, this.clearly);
    if (simplex === undefined) return false;
    const [a, b, c, d] = simplex;
    const faces = [this.addFace(a, b, c), this.addFace(a, d, b), this.addFace(b, d, c), this.addFace(c, d, a)];
    if (faces.includes(-1)) return false;
    this.neighbors.set([1, 2, 3, 3, 2, 0, 1, 3, 0, 2, 1, 0]);
    for (let i = 0; i < this.points.length / 3; i++) {
      if (i !== a && i !== b && i !== c && i !== d) this.assign(i, 0, 4);
    }
    for (const face of faces) if (this.outside[face] >= 0) this.waiting.push(face);
    return true;
  }

  /** Adds the farthest outside point of each face until no face has any. Returns false if a horizon is not simple. */
  grow(): boolean {
    for (let face = this.waiting.pop(); face !== undefined; face = this.waiting.pop()) {
      if (this.outside[face] >= 0 && !this.addPoint(face)) return false;
    }
    return true;
  }

  faces(): Int32Array {
    const { vertices, outside } = this;
    const found = new Int32Array(3 * this.count);
    let end = 0;
    for (let f = 0; f < this.count; f++) {
      if (outside[f] === -2) continue;
      found[end++] = vertices[3 * f];
      found[end++] = vertices[3 * f + 1];
      found[end++] = vertices[3 * f + 2];
    }
    return found.slice(0, end);
  }

  private addPoint(face: number): boolean {
    const eye = this.outside[face];
    const seen = this.facesSeenFrom(eye, face);
    const first = this.count;
    const fanCount = this.connectHorizon(seen, eye);
    if (fanCount === 0) return false;
    for (const gone of seen) {
      for (let i = this.outside[gone]; i >= 0; ) {
        const following = this.next[i];
        if (i !== eye) this.assign(i, first, this.count);
        i = following;
      }
      this.outside[gone] = -2;
    }
    for (let f = first; f < this.count; f++) if (this.outside[f] >= 0) this.waiting.push(f);
    return true;
  }

  /** Finds all faces that the point is outside of, by flood fill from one of them. */
  private facesSeenFrom(eye: number, face: number): number[] {
    const generation = ++this.generation;
    const seen = [face];
    this.mark[face] = generation;
    for (let s = 0; s < seen.length; s++) {
      for (let k = 0; k < 3; k++) {
        const neighbor = this.neighbors[3 * seen[s] + k];
        if (this.mark[neighbor] === generation || !(this.height(neighbor, eye) > this.clearly)) continue;
        this.mark[neighbor] = generation;
        seen.push(neighbor);
      }
    }
    return seen;
  }

  /**
   * Adds a face from each horizon edge to the eye point. Returns the number of new faces; 0 if the horizon is not a
   * simple loop or if a face is degenerate.
   */
  private connectHorizon(seen: readonly number[], eye: number): number {
    const { horizonFrom, generation } = this;
    const first = this.count;
    let isClean = true;
    for (const face of seen) {
      for (let k = 0; k < 3; k++) {
        const beyond = this.neighbors[3 * face + k];
        if (this.mark[beyond] === generation) continue;
        const from = this.vertices[3 * face + k];
        const to = this.vertices[3 * face + ((k + 1) % 3)];
        const fan = this.addFace(from, to, eye);
        if (fan < 0 || horizonFrom[from] >= 0) {
          isClean = false;
          continue;
        }
        horizonFrom[from] = fan;
        this.neighbors[3 * fan] = beyond;
        const back = this.edgeFrom(beyond, to);
        this.neighbors[3 * beyond + back] = fan;
      }
    }
    for (let fan = first; isClean && fan < this.count; fan++) {
      const after = horizonFrom[this.vertices[3 * fan + 1]];
      if (after < 0) isClean = false;
      this.neighbors[3 * fan + 1] = after;
      if (after >= 0) this.neighbors[3 * after + 2] = fan;
    }
    for (let fan = first; fan < this.count; fan++) horizonFrom[this.vertices[3 * fan]] = -1;
    return isClean ? this.count - first : 0;
  }

  /** Returns which edge of the face begins at the vertex: 0, 1 or 2. */
  private edgeFrom(face: number, vertex: number): number {
    const { vertices } = this;
    return vertices[3 * face] === vertex ? 0 : vertices[3 * face + 1] === vertex ? 1 : 2;
  }

  /**
   * Adds a point to the outside list of that face of `first` … `end` − 1 which it is farthest outside of, if it is
   * outside of any.
   */
  private assign(i: number, first: number, end: number): void {
    const { points, planes } = this;
    const x = points[3 * i],
      y = points[3 * i + 1],
      z = points[3 * i + 2];
    let maxHeight = this.clearly;
    let best = -1;
    for (let f = first; f < end; f++) {
      const o = 4 * f;
      const height = planes[o] * x + planes[o + 1] * y + planes[o + 2] * z - planes[o + 3];
      if (height <= maxHeight) continue;
      maxHeight = height;
      best = f;
    }
    if (best < 0) return;
    const head = this.outside[best];
    if (head >= 0 && maxHeight <= this.farthest[best]) {
      this.next[i] = this.next[head];
      this.next[head] = i;
      return;
    }
    this.next[i] = head;
    this.outside[best] = i;
    this.farthest[best] = maxHeight;
  }

  private height(face: number, i: number): number {
    const { points, planes } = this;
    const o = 4 * face;
    return (
      planes[o] * points[3 * i] + planes[o + 1] * points[3 * i + 1] + planes[o + 2] * points[3 * i + 2] - planes[o + 3]
    );
  }

  /** Returns the index of the new face; −1 if its vertices are collinear. */
  private addFace(a: number, b: number, c: number): number {
    if (this.count === this.outside.length) this.reserve();
    const { points } = this;
    const ux = points[3 * b] - points[3 * a],
      uy = points[3 * b + 1] - points[3 * a + 1],
      uz = points[3 * b + 2] - points[3 * a + 2];
    const vx = points[3 * c] - points[3 * a],
      vy = points[3 * c + 1] - points[3 * a + 1],
      vz = points[3 * c + 2] - points[3 * a + 2];
    const nx = uy * vz - uz * vy,
      ny = uz * vx - ux * vz,
      nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const f = this.count++;
    this.vertices[3 * f] = a;
    this.vertices[3 * f + 1] = b;
    this.vertices[3 * f + 2] = c;
    const o = 4 * f;
    this.planes[o] = nx / length;
    this.planes[o + 1] = ny / length;
    this.planes[o + 2] = nz / length;
    this.planes[o + 3] = (nx * points[3 * a] + ny * points[3 * a + 1] + nz * points[3 * a + 2]) / length;
    this.outside[f] = -1;
    this.farthest[f] = 0;
    this.mark[f] = 0;
    return length > 0 ? f : -1;
  }

  private reserve(): void {
    const length = 2 * this.outside.length;
    this.vertices = copied(this.vertices, new Int32Array(3 * length));
    this.neighbors = copied(this.neighbors, new Int32Array(3 * length));
    this.planes = copied(this.planes, new Float64Array(4 * length));
    this.outside = copied(this.outside, new Int32Array(length));
    this.farthest = copied(this.farthest, new Float64Array(length));
    this.mark = copied(this.mark, new Int32Array(length));
  }
}

function copied<List extends Int32Array | Float64Array>(from: List, to: List): List {
  to.set(from);
  return to;
}
