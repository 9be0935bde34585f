/** Vertices of triangles, nine numbers each. */
export type Triangles = Float64Array;

/** All points x with `direction` · x = `offset`; `direction` has unit length. */
export interface Plane {
  readonly direction: Float64Array;
  readonly offset: number;
}

/**
 * Cuts triangles along a plane. The pieces below and above use bit-identical new vertices, so they tile every
 * triangle exactly whatever the rounding errors of these vertices; hence the hulls of both sides together cover every
 * triangle.
 *
 * Vertices within `tolerance` (metres) of the plane count as lying on it and are not moved: a face that is flat to
 * rounding goes to one side as a whole. Faces in the plane go to the side opposite to their normal, where the solid is.
 *
 * `rim` lists the directed edges of the piece below that lie in the plane, six numbers each.
 */
export function cutTriangles(triangles: Triangles, { direction: d, offset }: Plane, tolerance: number) {
  const below = new TriangleList(triangles.length);
  const above = new TriangleList(triangles.length);
  const rim: number[] = [];
  const heights = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 9) {
    let sides = 0; // bit 0: some vertex below, bit 1: some above
    for (let k = 0; k < 3; k++) {
      const c = t + 3 * k;
      const h = triangles[c] * d[0] + triangles[c + 1] * d[1] + triangles[c + 2] * d[2] - offset;
      heights[k] = Math.abs(h) <= tolerance ? 0 : h;
      sides |= h < -tolerance ? 1 : h > tolerance ? 2 : 0;
    }
    if (sides === 3) divide(below, above, rim, triangles, t, heights);
    else if (sides === 2 || (sides === 0 && !facesAlong(triangles, t, d))) above.copy(triangles, t);
    else {
      below.copy(triangles, t);
      for (let k = 0; k < 3; k++) if (heights[k] === 0 && heights[(k + 1) % 3] === 0) addEdge(rim, triangles, t, k);
    }
  }
  return { below: below.done(), above: above.done(), rim };
}

/** Slices triangles at ascending offsets along one direction. Returns one piece more than there are offsets. */
export function sliceTriangles(
  triangles: Triangles,
  direction: Float64Array,
  offsets: readonly number[],
  tolerance: number,
): Triangles[] {
  if (offsets.length === 0) return [triangles];
  const middle = offsets.length >> 1;
  const { below, above } = cutTriangles(triangles, { direction, offset: offsets[middle] }, tolerance);
  return [
    ...sliceTriangles(below, direction, offsets.slice(0, middle), tolerance),
    ...sliceTriangles(above, direction, offsets.slice(middle + 1), tolerance),
  ];
}

/**
 * Divides a triangle with vertices on both sides. Each polygon has three or four vertices and is triangulated as a fan.
 */
function divide(
  below: TriangleList,
  above: TriangleList,
  rim: number[],
  from: Triangles,
  t: number,
  heights: Float64Array,
): void {
  const low: number[] = [];
  const onPlane: boolean[] = [];
  const high: number[] = [];
  for (let k = 0; k < 3; k++) {
    const next = (k + 1) % 3;
    const a = t + 3 * k;
    const h = heights[k];
    if (h <= 0) {
      low.push(from[a], from[a + 1], from[a + 2]);
      onPlane.push(h === 0);
    }
    if (h >= 0) high.push(from[a], from[a + 1], from[a + 2]);
    if (h * heights[next] >= 0) continue;
    // From below, so that adjacent triangles compute the same point on their common edge.
    const [i, j] = h < 0 ? [k, next] : [next, k];
    onPlane.push(true);
    const s = heights[i] / (heights[i] - heights[j]);
    for (let axis = 0; axis < 3; axis++) {
      const start = from[t + 3 * i + axis];
      const value = start + s * (from[t + 3 * j + axis] - start);
      low.push(value);
      high.push(value);
    }
  }
  for (const [i, on] of onPlane.entries()) {
    const next = (i + 1) % onPlane.length;
    if (on && onPlane[next]) rim.push(...low.slice(3 * i, 3 * i + 3), ...low.slice(3 * next, 3 * next + 3));
  }
  below.fan(low);
  above.fan(high);
}

function addEdge(rim: number[], from: Triangles, t: number, k: number): void {
  const a = t + 3 * k;
  const b = t + 3 * ((k + 1) % 3);
  rim.push(from[a], from[a + 1], from[a + 2], from[b], from[b + 1], from[b + 2]);
}

/** Scratch of `facesAlong`, which calls no function that could reenter it. */
const normal = new Float64Array(3);

/** Returns true if the normal of the triangle points along d. */
function facesAlong(p: Triangles, t: number, d: Float64Array): boolean {
  areaVector(normal, p, t);
  return normal[0] * d[0] + normal[1] * d[1] + normal[2] * d[2] >= 0;
}

/** Computes the normal of a triangle; its length is twice the area. */
export function areaVector(out: Float64Array, p: Triangles, t: number): void {
  const ux = p[t + 3] - p[t],
    uy = p[t + 4] - p[t + 1],
    uz = p[t + 5] - p[t + 2];
  const vx = p[t + 6] - p[t],
    vy = p[t + 7] - p[t + 1],
    vz = p[t + 8] - p[t + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}

/** A list of triangles that grows as needed. */
class TriangleList {
  private numbers: Float64Array;
  private length = 0;

  constructor(expected: number) {
    this.numbers = new Float64Array(expected);
  }

  copy(from: Triangles, t: number): void {
    this.reserve(9);
    for (let k = 0; k < 9; k++) this.numbers[this.length++] = from[t + k];
  }

  fan(polygon: readonly number[]): void {
    for (let c = 3; c + 3 < polygon.length; c += 3) {
      this.reserve(9);
      for (const start of [0, c, c + 3]) {
        for (let k = 0; k < 3; k++) this.numbers[this.length++] = polygon[start + k];
      }
    }
  }

  done(): Triangles {
    return this.numbers.slice(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.numbers.length) return;
    const grown = new Float64Array(2 * this.numbers.length + more);
    grown.set(this.numbers);
    this.numbers = grown;
  }
}
