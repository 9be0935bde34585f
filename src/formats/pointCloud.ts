/** Points as x, y, z one after the other. */
export type Points = ArrayLike<number>;

/** The points without repetitions, in the order of their first appearance. Equal means equal to the last bit (−0 counts as 0). */
export function weld(points: Points): Float64Array {
  return weldedIndex(points).kept;
}

/** The same, and where among them each point is found. */
export function weldedIndex(points: Points): { readonly kept: Float64Array; readonly index: Int32Array } {
  const count = Math.floor(points.length / 3);
  const kept = new Float64Array(3 * count);
  const bits = new Uint32Array(kept.buffer);
  let size = 16;
  while (size < 2 * count) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const index = new Int32Array(count);
  let n = 0;
  for (let i = 0; i < count; i++) {
    const o = 3 * n;
    for (let k = 0; k < 3; k++) kept[o + k] = points[3 * i + k] + 0; // −0 + 0 = 0
    let hash = 0x9e3779b9;
    for (let k = 2 * o; k < 2 * o + 6; k++) hash = Math.imul(hash ^ bits[k], 0x85ebca6b) ^ (hash >>> 13);
    let slot = (hash ^ (hash >>> 16)) & (size - 1);
    while (table[slot] >= 0 && !samePoint(kept, 3 * table[slot], o)) slot = (slot + 1) & (size - 1);
    if (table[slot] < 0) table[slot] = n++;
    index[i] = table[slot];
  }
  return { kept: kept.slice(0, 3 * n), index };
}

/** The box around the points: min x, y, z, then max x, y, z; undefined without any. */
export function boundsOf(points: Points): [number, number, number, number, number, number] | undefined {
  if (points.length < 3) return undefined;
  const box: [number, number, number, number, number, number] = [
    Infinity,
    Infinity,
    Infinity,
    -Infinity,
    -Infinity,
    -Infinity,
  ];
  for (let i = 0; i + 2 < points.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], points[i + k]);
      box[k + 3] = Math.max(box[k + 3], points[i + k]);
    }
  }
  return box;
}

/** The points with each coordinate multiplied by its factor. */
export function scaled(points: Points, [x, y, z]: readonly [number, number, number]): Float64Array {
  const out = Float64Array.from(points);
  for (let i = 0; i < out.length; i += 3) {
    out[i] *= x;
    out[i + 1] *= y;
    out[i + 2] *= z;
  }
  return out;
}

function samePoint(points: Float64Array, i: number, j: number): boolean {
  return points[i] === points[j] && points[i + 1] === points[j + 1] && points[i + 2] === points[j + 2];
}
