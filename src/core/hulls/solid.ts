import { boundsOf, weldedIndex } from './pointCloud.ts';
import type { Triangles } from './triangleCut.ts';

/**
 * Computes the volume (m³) that a surface encloses; undefined if the surface is open or its triangles are not oriented
 * consistently. Overlaps of several closed components count once per component.
 */
export function enclosedVolume(triangles: Triangles): number | undefined {
  return triangles.length > 0 && isClosed(weldedIndex(triangles).index) ? Math.abs(coneVolume(triangles)) : undefined;
}

/**
 * Computes the sum of the signed volumes (m³) of the tetrahedra from the centre of the bounding box to the triangles:
 * the enclosed volume of a closed surface, negative if its normals point inwards.
 */
export function coneVolume(triangles: Triangles): number {
  const box = boundsOf(triangles);
  if (box === undefined) return 0;
  const [cx, cy, cz] = [0, 1, 2].map((k) => (box[k] + box[k + 3]) / 2);
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 9) {
    const ax = triangles[t] - cx,
      ay = triangles[t + 1] - cy,
      az = triangles[t + 2] - cz;
    const bx = triangles[t + 3] - cx,
      by = triangles[t + 4] - cy,
      bz = triangles[t + 5] - cz;
    const x = triangles[t + 6] - cx,
      y = triangles[t + 7] - cy,
      z = triangles[t + 8] - cz;
    sum += ax * (by * z - bz * y) + ay * (bz * x - bx * z) + az * (bx * y - by * x);
  }
  return sum / 6;
}

/**
 * Computes the ratio of the hull's volume to the volume that the mesh encloses; undefined if the mesh encloses none.
 * Above about 1.5, decomposition is worthwhile.
 */
export function fatness(triangles: Triangles, hullVolume: number): number | undefined {
  const solid = enclosedVolume(triangles);
  return solid === undefined || solid === 0 ? undefined : hullVolume / solid;
}

/**
 * Returns the connected components of a surface (triangles connected by common vertices), in the order of their first
 * triangles.
 */
export function connectedPieces(triangles: Triangles): Triangles[] {
  const { kept, index } = weldedIndex(triangles);
  const parent = Int32Array.from({ length: kept.length / 3 }, (_, i) => i);
  const rootOf = (vertex: number): number => {
    let at = vertex;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  for (let c = 0; c < index.length; c += 3) {
    const root = rootOf(index[c]);
    parent[rootOf(index[c + 1])] = root;
    parent[rootOf(index[c + 2])] = root;
  }
  const members = new Map<number, number[]>();
  for (let c = 0; c < index.length; c += 3) {
    const root = rootOf(index[c]);
    const piece = members.get(root);
    if (piece === undefined) members.set(root, [c]);
    else piece.push(c);
  }
  if (members.size === 1) return [triangles];
  return [...members.values()].map((first) => {
    const piece = new Float64Array(9 * first.length);
    for (const [i, c] of first.entries()) piece.set(triangles.subarray(3 * c, 3 * c + 9), 9 * i);
    return piece;
  });
}

/**
 * Simplifies a surface by vertex clustering: vertices in the same grid cell are replaced by the first of them. The
 * shape is preserved to one cell; some holes may open. For comparing cuts, not for collision checking.
 */
export function coarsened(triangles: Triangles, cells: number): Triangles {
  const box = boundsOf(triangles);
  if (box === undefined) return triangles;
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const firstIn = new Map<number, number>();
  const out: number[] = [];
  const vertices = [0, 0, 0];
  for (let t = 0; t < triangles.length; t += 9) {
    for (let k = 0; k < 3; k++) {
      const c = t + 3 * k;
      let cell = 0;
      for (let axis = 0; axis < 3; axis++) {
        cell = cell * (cells + 1) + Math.floor(((triangles[c + axis] - box[axis]) / size) * cells);
      }
      vertices[k] = firstIn.get(cell) ?? c;
      if (vertices[k] === c) firstIn.set(cell, c);
    }
    if (vertices[0] === vertices[1] || vertices[1] === vertices[2] || vertices[2] === vertices[0]) continue;
    for (const c of vertices) out.push(triangles[c], triangles[c + 1], triangles[c + 2]);
  }
  return Float64Array.from(out);
}

/**
 * Returns true if every edge occurs equally often in both directions. Two sums of edge hashes replace a table of all
 * edges: they cancel in that case, and otherwise with probability 2⁻⁶⁴.
 */
function isClosed(index: Int32Array): boolean {
  let first = 0;
  let second = 0;
  for (let c = 0; c < index.length; c++) {
    const a = index[c];
    const b = index[c % 3 === 2 ? c - 2 : c + 1];
    if (a === b) continue;
    const sign = a < b ? 1 : -1;
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    first = (first + sign * scramble(low, high, 0x9e3779b9)) | 0;
    second = (second + sign * scramble(high, low, 0x7f4a7c15)) | 0;
  }
  return first === 0 && second === 0;
}

function scramble(a: number, b: number, seed: number): number {
  let x = Math.imul(a ^ seed, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 15) ^ b, 0xc2b2ae35);
  x = Math.imul(x ^ (x >>> 13), 0x27d4eb2f);
  return x ^ (x >>> 16);
}
