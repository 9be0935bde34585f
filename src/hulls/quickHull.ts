import { firstSimplex } from './firstSimplex.ts';

/** A triangle of a hull: indices of its corners, counter-clockwise seen from outside. */
export type Face = readonly [number, number, number];

/** A point must be this far outside a plane to lie outside, relative to the size of the coordinates: some times their rounding. */
const OUTSIDE = 8 * Number.EPSILON;

/**
 * The faces of the convex hull of points that fill space [BarberDobkinHuhdanpaa96]: a tetrahedron, then point after point, always the one
 * farthest outside some face: the faces that see it make way for a fan from their rim to it. Undefined where rounding leaves no clean rim,
 * or no tetrahedron: flat points, or nearly. Points inside faces, to rounding, are no corners.
 */
export function quickHull(points: Float64Array): Face[] | undefined {
  const flat = hullFaces(points);
  if (flat === undefined) return undefined;
  return Array.from({ length: flat.length / 3 }, (_, f): Face => [flat[3 * f], flat[3 * f + 1], flat[3 * f + 2]]);
}

/** The same as one list, three corners a face. */
export function hullFaces(points: Float64Array): Int32Array | undefined {
  const hull = new HullInProgress(points);
  return hull.begin() && hull.grow() ? hull.faces() : undefined;
}

/** Faces as flat lists: face f has corners 3f … 3f + 2, and across the edge from corner k to the next one the neighbour 3f + k. */
class HullInProgress {
  private corners = new Int32Array(3 * 64);
  private neighbors = new Int32Array(3 * 64);
  /** Unit normal and offset. */
  private planes = new Float64Array(4 * 64);
  /** First of the points outside the face, −1 for none; −2: the face is no more. The farthest of them stands first. */
  private outside = new Int32Array(64);
  /** How far the farthest is outside. */
  private farthest = new Float64Array(64);
  private mark = new Int32Array(64);
  private count = 0;
  /** The next point outside the same face. */
  private readonly next: Int32Array;
  /** The new face whose rim edge begins at that point; −1 for none. */
  private readonly fromCorner: Int32Array;
  private readonly clearly: number;
  private readonly waiting: number[] = [];
  private round = 0;

  constructor(private readonly points: Float64Array) {
    const count = points.length / 3;
    this.next = new Int32Array(count).fill(-1);
    this.fromCorner = new Int32Array(count).fill(-1);
    let size = 0;
    for (let i = 0; i < points.length; i++) size = Math.max(size, Math.abs(points[i]));
    this.clearly = OUTSIDE * size;
  }

  /** A tetrahedron of points far apart, and every other point outside the face that it is farthest from. */
  begin(): boolean {
    const simplex = firstSimplex(this.points, this.clearly);
    if (simplex === undefined) return false;
    const [a, b, c, d] = simplex;
    const faces = [this.addFace(a, b, c), this.addFace(a, d, b), this.addFace(b, d, c), this.addFace(c, d, a)];
    if (faces.includes(-1)) return false;
    this.neighbors.set([1, 2, 3, 3, 2, 0, 1, 3, 0, 2, 1, 0]);
    for (let i = 0; i < this.points.length / 3; i++) {
      if (i !== a && i !== b && i !== c && i !== d) this.place(i, 0, 4);
    }
    for (const face of faces) if (this.outside[face] >= 0) this.waiting.push(face);
    return true;
  }

  /** Takes in the farthest point of each face that has some, until none has. */
  grow(): boolean {
    for (let face = this.waiting.pop(); face !== undefined; face = this.waiting.pop()) {
      if (this.outside[face] >= 0 && !this.takeIn(face)) return false;
    }
    return true;
  }

  faces(): Int32Array {
    const { corners, outside } = this;
    const found = new Int32Array(3 * this.count);
    let end = 0;
    for (let f = 0; f < this.count; f++) {
      if (outside[f] === -2) continue;
      found[end++] = corners[3 * f];
      found[end++] = corners[3 * f + 1];
      found[end++] = corners[3 * f + 2];
    }
    return found.slice(0, end);
  }

  private takeIn(face: number): boolean {
    const eye = this.outside[face];
    const seen = this.facesSeenFrom(eye, face);
    const first = this.count;
    const rim = this.closeRim(seen, eye);
    if (rim === 0) return false;
    for (const gone of seen) {
      for (let i = this.outside[gone]; i >= 0; ) {
        const following = this.next[i];
        if (i !== eye) this.place(i, first, this.count);
        i = following;
      }
      this.outside[gone] = -2;
    }
    for (let f = first; f < this.count; f++) if (this.outside[f] >= 0) this.waiting.push(f);
    return true;
  }

  /** All faces that the point is clearly outside of, from one of them on. */
  private facesSeenFrom(eye: number, face: number): number[] {
    const round = ++this.round;
    const seen = [face];
    this.mark[face] = round;
    for (let s = 0; s < seen.length; s++) {
      for (let k = 0; k < 3; k++) {
        const neighbor = this.neighbors[3 * seen[s] + k];
        if (this.mark[neighbor] === round || !(this.height(neighbor, eye) > this.clearly)) continue;
        this.mark[neighbor] = round;
        seen.push(neighbor);
      }
    }
    return seen;
  }

  /** A fan from each edge of the rim to the eye. Returns how many; 0 where the rim is no simple ring, or a face has no plane. */
  private closeRim(seen: readonly number[], eye: number): number {
    const { fromCorner, round } = this;
    const first = this.count;
    let isClean = true;
    for (const face of seen) {
      for (let k = 0; k < 3; k++) {
        const beyond = this.neighbors[3 * face + k];
        if (this.mark[beyond] === round) continue;
        const from = this.corners[3 * face + k];
        const to = this.corners[3 * face + ((k + 1) % 3)];
        const fan = this.addFace(from, to, eye);
        if (fan < 0 || fromCorner[from] >= 0) {
          isClean = false;
          continue;
        }
        fromCorner[from] = fan;
        this.neighbors[3 * fan] = beyond;
        const back = this.edgeFrom(beyond, to);
        this.neighbors[3 * beyond + back] = fan;
      }
    }
    for (let fan = first; isClean && fan < this.count; fan++) {
      const after = fromCorner[this.corners[3 * fan + 1]];
      if (after < 0) isClean = false;
      this.neighbors[3 * fan + 1] = after;
      if (after >= 0) this.neighbors[3 * after + 2] = fan;
    }
    for (let fan = first; fan < this.count; fan++) fromCorner[this.corners[3 * fan]] = -1;
    return isClean ? this.count - first : 0;
  }

  /** Which edge of the face begins at the corner. */
  private edgeFrom(face: number, corner: number): number {
    const { corners } = this;
    return corners[3 * face] === corner ? 0 : corners[3 * face + 1] === corner ? 1 : 2;
  }

  /** Puts a point to the one of the faces from `first` to `end` that it is farthest outside of, if to any. */
  private place(i: number, first: number, end: number): void {
    const { points, planes } = this;
    const x = points[3 * i],
      y = points[3 * i + 1],
      z = points[3 * i + 2];
    let most = this.clearly;
    let best = -1;
    for (let f = first; f < end; f++) {
      const o = 4 * f;
      const height = planes[o] * x + planes[o + 1] * y + planes[o + 2] * z - planes[o + 3];
      if (height <= most) continue;
      most = height;
      best = f;
    }
    if (best < 0) return;
    const head = this.outside[best];
    if (head >= 0 && most <= this.farthest[best]) {
      this.next[i] = this.next[head];
      this.next[head] = i;
      return;
    }
    this.next[i] = head;
    this.outside[best] = i;
    this.farthest[best] = most;
  }

  private height(face: number, i: number): number {
    const { points, planes } = this;
    const o = 4 * face;
    return (
      planes[o] * points[3 * i] + planes[o + 1] * points[3 * i + 1] + planes[o + 2] * points[3 * i + 2] - planes[o + 3]
    );
  }

  /** The number of the face, −1 where its corners are on a line. */
  private addFace(a: number, b: number, c: number): number {
    if (this.count === this.outside.length) this.makeRoom();
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
    this.corners[3 * f] = a;
    this.corners[3 * f + 1] = b;
    this.corners[3 * f + 2] = c;
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

  private makeRoom(): void {
    const length = 2 * this.outside.length;
    this.corners = copied(this.corners, new Int32Array(3 * length));
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
