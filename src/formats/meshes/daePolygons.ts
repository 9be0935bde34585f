import { type ClippingBudget, clipEars } from '../../core/hulls/earClipping.ts';

/** A growing list of triangles: three vertex indices each. */
export class TriangleList {
  private values = new Uint32Array(96);
  private length = 0;

  push(a: number, b: number, c: number): void {
    if (this.length + 3 > this.values.length) {
      const larger = new Uint32Array(2 * this.values.length);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = a;
    this.values[this.length++] = b;
    this.values[this.length++] = c;
  }

  toArray(): Uint32Array {
    return this.values.slice(0, this.length);
  }
}

/** Polygons of more vertices are triangulated as fans: ear clipping of self-intersecting outlines takes cubic time. */
const MAX_CLIPPED = 500;

/**
 * Relative: the triangles of a simple outline have its area up to rounding; those of a self-intersecting outline do
 * not.
 */
const AREA_TOLERANCE = 1e-6;

/**
 * Triangulates a polygon and appends its triangles. Outline and holes list vertex indices into `positions` (x, y, z
 * each), without the first vertex repeated at the end.
 *
 * A fan from the first vertex fills an outline exactly if all its triangles have the same orientation. Other outlines,
 * and those with holes, are projected along their normal and triangulated by ear clipping. If ear clipping fails
 * (self-intersecting or non-planar outlines, too many vertices, holes outside their outline, budget exhausted), the
 * outline becomes a fan. A fan covers at least the polygon, so collision checks stay conservative; its holes are
 * filled. A polygon of n vertices without holes has n − 2 triangles.
 */
export function fillPolygon(
  out: TriangleList,
  positions: Float64Array,
  outline: Uint32Array,
  budget: ClippingBudget,
  holes: readonly Uint32Array[] = [],
): void {
  const faces = outline.length + holes.length > 3 ? clipped(positions, outline, holes, budget) : undefined;
  if (faces === undefined) {
    for (let i = 2; i < outline.length; i++) out.push(outline[0], outline[i - 1], outline[i]);
    return;
  }
  const all = [outline, ...holes].flatMap((loop) => [...loop]);
  for (let f = 0; f < faces.length; f += 3) out.push(all[faces[f]], all[faces[f + 1]], all[faces[f + 2]]);
}

/**
 * Triangulates by ear clipping: indices into outline and holes, with the orientation of the outline. Undefined if a fan
 * is exact or if clipping fails.
 */
function clipped(
  positions: Float64Array,
  outline: Uint32Array,
  holes: readonly Uint32Array[],
  budget: ClippingBudget,
): number[] | undefined {
  if (holes.reduce((sum, hole) => sum + hole.length, outline.length) > MAX_CLIPPED) return undefined;
  const normal = normalOf(positions, outline);
  if (holes.length === 0 && isFanExact(positions, outline, normal)) return undefined;
  // Project onto the plane of the other two axes, ordered so that (u, v) keeps the orientation of the outline about
  // `normal`.
  const sizes = normal.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const [u, v] = normal[axis] > 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
  const flat: number[] = [];
  const starts: number[] = [];
  for (const loop of [outline, ...holes]) {
    if (loop !== outline) starts.push(flat.length / 2);
    for (const vertex of loop) flat.push(positions[3 * vertex + u], positions[3 * vertex + v]);
  }
  const ends = [...starts, flat.length / 2];
  const areas = ends.map((end, i) => Math.abs(loopArea(flat, i === 0 ? 0 : ends[i - 1], end)));
  const expected = areas.slice(1).reduce((area, hole) => area - hole, areas[0]);
  const faces = clipEars(flat, starts, budget);
  if (faces?.length !== 3 * (flat.length / 2 - 2 + 2 * holes.length)) return undefined;
  let area = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const twice = twiceSignedArea(flat, faces[f], faces[f + 1], faces[f + 2]);
    area += Math.abs(twice) / 2;
    if (twice < 0) [faces[f + 1], faces[f + 2]] = [faces[f + 2], faces[f + 1]];
  }
  return Math.abs(area - expected) <= AREA_TOLERANCE * areas[0] ? faces : undefined;
}

function loopArea(flat: readonly number[], from: number, to: number): number {
  let twice = 0;
  for (let i = from, before = to - 1; i < to; before = i++) {
    twice += (flat[2 * before] - flat[2 * i]) * (flat[2 * i + 1] + flat[2 * before + 1]);
  }
  return twice / 2;
}

/** Computes twice the signed area of a triangle. */
function twiceSignedArea(flat: readonly number[], a: number, b: number, c: number): number {
  const [x, y] = [flat[2 * a], flat[2 * a + 1]];
  return (flat[2 * b] - x) * (flat[2 * c + 1] - y) - (flat[2 * b + 1] - y) * (flat[2 * c] - x);
}

/** Computes Newell's normal, whose length is twice the area: the sum of the normals of a fan's triangles. */
function normalOf(positions: Float64Array, outline: Uint32Array): readonly number[] {
  const normal = [0, 0, 0];
  const cross = [0, 0, 0];
  for (let i = 2; i < outline.length; i++) {
    fanNormal(cross, positions, outline, i);
    for (let k = 0; k < 3; k++) normal[k] += cross[k];
  }
  return normal;
}

function isFanExact(positions: Float64Array, outline: Uint32Array, normal: readonly number[]): boolean {
  const cross = [0, 0, 0];
  for (let i = 2; i < outline.length; i++) {
    fanNormal(cross, positions, outline, i);
    if (cross[0] * normal[0] + cross[1] * normal[1] + cross[2] * normal[2] < 0) return false;
  }
  return true;
}

/** Computes the cross product of the edges from the first vertex to the vertices i − 1 and i. */
function fanNormal(out: number[], positions: Float64Array, outline: Uint32Array, i: number): void {
  const a = 3 * outline[0];
  const b = 3 * outline[i - 1];
  const c = 3 * outline[i];
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}
