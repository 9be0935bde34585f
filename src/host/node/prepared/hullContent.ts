import type { Hull } from '../../../core/hulls/hull.ts';
import type { PreparedConvex } from '../../../core/shapes/preparedConvex.ts';
import type { ConvexShape } from '../../../core/shapes/shape.ts';

/** Counts at the start: vertices, edges, cell bits, lengths of the two lists, and a zero that aligns the doubles. */
const COUNTS = 6;
/** Doubles before the vertices: volume, both radii, center, bounds. */
const DOUBLES = 12;

/** A hull with the search structure of its shape. */
export interface PreparedHull {
  readonly hull: Hull;
  /** Coordinates of the points of the hull. */
  readonly vertices: Float64Array;
  readonly prepared: PreparedConvex;
}

/** Encodes a hull and the shape of its points, as one list of bytes in the byte order of the machine. */
export function encodeHull({ points, edges, volume }: Hull, shape: ConvexShape): Uint8Array {
  const { cellBits, cellStart, cellVertices, center, vertices } = shape;
  const lists = [cellStart, cellVertices];
  const doubles = Float64Array.of(volume, shape.innerRadius, shape.outerRadius, ...center, ...shape.bounds);
  const counts = Int32Array.of(points.length, edges.length, cellBits, ...lists.map(({ length }) => length), 0);
  const pairs = new Int32Array(2 * edges.length);
  for (const [e, [from, to]] of edges.entries()) {
    pairs[2 * e] = from;
    pairs[2 * e + 1] = to;
  }
  const all = [counts, doubles, vertices, pairs, ...lists];
  const bytes = new Uint8Array(all.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of all) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

/** Decodes what `encodeHull` encoded; undefined if the lengths do not fit. */
export function decodeHull(bytes: Uint8Array): PreparedHull | undefined {
  const { buffer, byteLength } = new Uint8Array(bytes); // a copy, which is aligned
  if (byteLength < 4 * COUNTS) return undefined;
  const [count, edgeCount, cellBits, ...lengths] = new Int32Array(buffer, 0, COUNTS - 1);
  const firstInteger = 4 * COUNTS + 8 * (DOUBLES + 3 * count);
  const integers = lengths.reduce((sum, length) => sum + length, 2 * edgeCount);
  if (byteLength !== firstInteger + 4 * integers) return undefined;
  const doubles = new Float64Array(buffer, 4 * COUNTS, DOUBLES);
  const [volume, innerRadius, outerRadius] = doubles;
  const vertices = new Float64Array(buffer, 4 * COUNTS + 8 * DOUBLES, 3 * count);
  const points: [number, number, number][] = [];
  for (let k = 0; k < 3 * count; k += 3) points.push([vertices[k], vertices[k + 1], vertices[k + 2]]);
  let at = firstInteger;
  const next = (length: number): Int32Array => {
    const list = new Int32Array(buffer, at, length);
    at += 4 * length;
    return list;
  };
  const pairs = next(2 * edgeCount);
  const edges: [number, number][] = [];
  for (let e = 0; e < pairs.length; e += 2) edges.push([pairs[e], pairs[e + 1]]);
  const [cellStart, cellVertices] = lengths.map(next);
  const measures = { innerRadius, outerRadius, center: doubles.slice(3, 6), bounds: doubles.slice(6) };
  return { hull: { points, edges, volume }, vertices, prepared: { cellBits, cellStart, cellVertices, ...measures } };
}
