/** Points as x, y, z in a flat list. */
export type Points = ArrayLike<number>;

/** Initial size of the hash table of points: a power of two. */
const SMALLEST_TABLE = 4096;

/**
 * Removes duplicate points and keeps the order of first appearance. Points are equal if all bits are (−0 counts as 0).
 */
export function weld(points: Points): Float64Array {
  return weldedIndex(points).kept;
}

/** Removes duplicate points, and returns the index of each given point among those kept. */
export function weldedIndex(points: Points): { readonly kept: Float64Array; readonly index: Int32Array } {
  const count = Math.floor(points.length / 3);
  const kept = new Float64Array(3 * count);
  const bits = new Uint32Array(kept.buffer);
  let table: Int32Array = new Int32Array(SMALLEST_TABLE); // index of a point plus 1; 0: empty
  const index = new Int32Array(count);
  let n = 0;
  for (let i = 0; i < count; i++) {
    const o = 3 * n;
    kept[o] = points[3 * i] + 0; // −0 + 0 = 0
    kept[o + 1] = points[3 * i + 1] + 0;
    kept[o + 2] = points[3 * i + 2] + 0;
    const last = table.length - 1;
    let slot = hashOf(bits, 2 * o) & last;
    while (table[slot] > 0 && !samePoint(kept, 3 * table[slot] - 3, o)) slot = (slot + 1) & last;
    index[i] = table[slot] - 1;
    if (table[slot] > 0) continue;
    index[i] = n++;
    table[slot] = n;
    if (2 * n > table.length) table = widened(table, bits, n);
  }
  return { kept: kept.slice(0, 3 * n), index };
}

/** Computes the bounding box of the points: min x, y, z, then max x, y, z. Undefined if there are none. */
export function boundsOf(points: Points): [number, number, number, number, number, number] | undefined {
  if (points.length < 3) return undefined;
  let minX = Infinity,
    minY = Infinity,
    minZ = Infinity;
  let maxX = -Infinity,
    maxY = -Infinity,
    maxZ = -Infinity;
  for (let i = 0; i + 2 < points.length; i += 3) {
    const x = points[i],
      y = points[i + 1],
      z = points[i + 2];
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    minZ = Math.min(minZ, z);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
    maxZ = Math.max(maxZ, z);
  }
  return [minX, minY, minZ, maxX, maxY, maxZ];
}

/** Returns the longest side of the bounding box of points, of which there is at least one. */
export function longestSide(points: Points): number {
  const [x0, y0, z0, x1, y1, z1] = boundsOf(points)!;
  return Math.max(x1 - x0, y1 - y0, z1 - z0);
}

/** Multiplies each coordinate of the points by its factor. */
export function scaled(points: Points, [x, y, z]: readonly [number, number, number]): Float64Array {
  const out = new Float64Array(points);
  if (x === 1 && y === 1 && z === 1) return out;
  for (let i = 0; i < out.length; i += 3) {
    out[i] *= x;
    out[i + 1] *= y;
    out[i + 2] *= z;
  }
  return out;
}

/**
 * Returns a hash table four times as large. It grows on demand: most points of a mesh repeat several times, so their
 * number is not known beforehand.
 */
function widened(table: Int32Array, bits: Uint32Array, n: number): Int32Array {
  const wide = new Int32Array(4 * table.length);
  const last = wide.length - 1;
  for (let i = 0; i < n; i++) {
    let slot = hashOf(bits, 6 * i) & last;
    while (wide[slot] > 0) slot = (slot + 1) & last;
    wide[slot] = i + 1;
  }
  return wide;
}

/** Computes a hash of the six 32-bit words of a point. */
function hashOf(bits: Uint32Array, at: number): number {
  let hash = 0x9e3779b9;
  for (let k = at; k < at + 6; k++) hash = Math.imul(hash ^ bits[k], 0x85ebca6b) ^ (hash >>> 13);
  return hash ^ (hash >>> 16);
}

function samePoint(points: Float64Array, i: number, j: number): boolean {
  return points[i] === points[j] && points[i + 1] === points[j + 1] && points[i + 2] === points[j + 2];
}
