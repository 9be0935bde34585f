import { type HullSketch, type SketchVolume, sketchOf, union } from './coarseHull.ts';
import { areaVector, type Plane, sliceTriangles, type Triangles } from './triangleCut.ts';

/**
 * A plane that cuts a piece, and by how many m³ the hulls of both sides together are smaller than the hull of the
 * piece.
 */
export interface Cut extends Plane {
  readonly gain: number;
}

/** Planes evaluated in each direction; then as many again around the best one. */
const OFFSETS = 11;
/**
 * Weight of balance as a share of the volume: if no cut saves volume, a cut through the middle enables later cuts that
 * do.
 */
const BALANCE = 0.02;
/**
 * Weight of a cut across the longest extent as a share of the volume, for the same reason: a ring must be cut through
 * its hole, not parallel to its plane.
 */
const LENGTH = 0.01;
/** Face normals are added to the directions if their angle to each direction found so far has a cosine below this. */
const DISTINCT = 0.985;

/**
 * Finds directions to cut along: x, y, z, and the face normals with the largest total area, because the best cuts of a
 * solid lie along its faces.
 */
export function cutDirections(triangles: Triangles): Float64Array[] {
  const found = [Float64Array.of(1, 0, 0), Float64Array.of(0, 1, 0), Float64Array.of(0, 0, 1)];
  const faces = new Map<string, Float64Array>();
  const n = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 9) {
    areaVector(n, triangles, t);
    const area = Math.sqrt(dot(n, n));
    if (!(area > 0)) continue;
    const sign = n[0] < 0 || (n[0] === 0 && (n[1] < 0 || (n[1] === 0 && n[2] < 0))) ? -1 : 1;
    const key =
      `${Math.round((sign * 24 * n[0]) / area)} ${Math.round((sign * 24 * n[1]) / area)} ` +
      `${Math.round((sign * 24 * n[2]) / area)}`;
    const sum = faces.get(key) ?? new Float64Array(3);
    for (let k = 0; k < 3; k++) sum[k] += sign * n[k];
    faces.set(key, sum);
  }
  const largest = [...faces.values()].map((sum) => ({ sum, area: Math.sqrt(dot(sum, sum)) }));
  largest.sort((a, b) => b.area - a.area);
  for (const { sum, area } of largest.slice(0, 12)) {
    const unit = sum.map((x) => x / area);
    if (found.length < 6 && found.every((d) => Math.abs(dot(d, unit)) < DISTINCT)) found.push(unit);
  }
  return found;
}

/** Finds the best plane to cut the triangles; undefined if there is none. `volume`: m³ of their hull. */
export function bestCut(
  triangles: Triangles,
  volume: number,
  directions: readonly Float64Array[],
  tolerance: number,
  volumeOf: SketchVolume,
): Cut | undefined {
  const heights = directions.map((direction) => heightsOf(triangles, direction));
  const extents = heights.map((along) => along[along.length - 1] - along[0]);
  const longest = Math.max(...extents);
  const lines = directions.map((direction, i): Line => {
    const bonus = LENGTH * volume * (extents[i] / longest);
    return { triangles, direction, heights: heights[i], bonus, tolerance, volumeOf };
  });
  let best: Scored | undefined;
  for (const line of lines) {
    for (const cut of scores(line, line.heights[0], line.heights[line.heights.length - 1])) {
      if (best === undefined || cut.score > best.score) best = cut;
    }
  }
  if (best === undefined) return undefined;
  for (const cut of scores(best.line, best.from, best.to)) if (cut.score > best.score) best = cut;
  return best;
}

/** Parallel candidate planes. */
interface Line {
  readonly triangles: Triangles;
  readonly direction: Float64Array;
  /** Coordinates of the vertices along the direction, ascending. */
  readonly heights: Float64Array;
  readonly bonus: number;
  readonly tolerance: number;
  readonly volumeOf: SketchVolume;
}

interface Scored extends Cut {
  readonly score: number;
  readonly line: Line;
  /** The neighboring planes that were evaluated. */
  readonly from: number;
  readonly to: number;
}

/**
 * Computes the volume that each of several planes between two heights saves. The sketches of everything below and above
 * are accumulated slice by slice.
 */
function scores(line: Line, from: number, to: number): Scored[] {
  const { triangles, direction, heights, bonus, tolerance, volumeOf } = line;
  const offsets = offsetsBetween(heights, from, to, tolerance);
  if (offsets.length === 0) return [];
  const slices = sliceTriangles(triangles, direction, offsets, tolerance).map(sketchOf);
  const below = accumulated(slices);
  const above = accumulated(slices.reverse()).reverse();
  return offsets.map((offset, i) => {
    const [low, high] = [volumeOf(below[i]), volumeOf(above[i + 1])];
    const gain = volumeOf(below[i], above[i + 1]) - low - high;
    const score = gain + bonus - BALANCE * Math.abs(low - high);
    return { direction, offset, gain, score, line, from: offsets[i - 1] ?? from, to: offsets[i + 1] ?? to };
  });
}

function accumulated(slices: readonly HullSketch[]): HullSketch[] {
  const sums: HullSketch[] = [];
  for (const slice of slices) sums.push(sums.length === 0 ? slice : union(sums[sums.length - 1], slice));
  return sums;
}

/**
 * Returns evenly spaced heights, each moved to the nearest vertex height if one is close: the cross-section of a solid
 * changes at its vertices.
 */
function offsetsBetween(heights: Float64Array, low: number, high: number, tolerance: number): number[] {
  const inside = heights.filter((h) => h > low + tolerance && h < high - tolerance);
  const near = (high - low) / (2 * OFFSETS + 2);
  const offsets: number[] = [];
  let at = 0;
  for (let i = 1; i <= OFFSETS; i++) {
    const wanted = low + ((high - low) * i) / (OFFSETS + 1);
    while (at + 1 < inside.length && Math.abs(inside[at + 1] - wanted) <= Math.abs(inside[at] - wanted)) at++;
    // Without vertices the distance is NaN, and the offset is the wanted one.
    const offset = Math.abs(inside[at] - wanted) <= near ? inside[at] : wanted;
    if (offset > low && offset < high && (offsets.length === 0 || offset > offsets[offsets.length - 1] + 2 * tolerance))
      offsets.push(offset);
  }
  return offsets;
}

function heightsOf(triangles: Triangles, d: Float64Array): Float64Array {
  const heights = new Float64Array(triangles.length / 3);
  for (let i = 0; i < heights.length; i++) {
    heights[i] = triangles[3 * i] * d[0] + triangles[3 * i + 1] * d[1] + triangles[3 * i + 2] * d[2];
  }
  return heights.sort();
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
