import { type HullSketch, type SketchVolume, sketchOf, union } from './coarseHull.ts';
import { areaVector, type Plane, sliceTriangles, type Triangles } from './triangleCut.ts';

/** A plane that divides a piece, and how many m³ the hulls of both sides hold less than the hull of the piece. */
export interface Cut extends Plane {
  readonly gain: number;
}

/** Planes looked at in each direction; then as many again around the best. */
const OFFSETS = 11;
/** Share of the volume that balance is worth: where no cut saves anything, the one through the middle opens the way to those that do. */
const BALANCE = 0.02;
/** Share of the volume that a cut across the longest extent is worth, for the same reason: a ring must not be cut like a bun. */
const LENGTH = 0.01;
/** Directions of faces are added to the axes as long as they are this far from those at hand (cosine). */
const DISTINCT = 0.985;

/**
 * Directions to cut along: x, y, z, and the normals that most of the surface has, for a solid is best cut along its own faces.
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
    const key = `${Math.round((sign * 24 * n[0]) / area)} ${Math.round((sign * 24 * n[1]) / area)} ${Math.round((sign * 24 * n[2]) / area)}`;
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

/** The plane that divides the triangles best; undefined where none does. `volume`: m³ of their hull. */
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

/** Parallel planes to choose among. */
interface Line {
  readonly triangles: Triangles;
  readonly direction: Float64Array;
  /** Of the corners along the direction, rising. */
  readonly heights: Float64Array;
  readonly bonus: number;
  readonly tolerance: number;
  readonly volumeOf: SketchVolume;
}

interface Scored extends Cut {
  readonly score: number;
  readonly line: Line;
  /** The planes looked at on both sides of it. */
  readonly from: number;
  readonly to: number;
}

/** What each of some planes between two heights saves. The hulls of everything below and above grow slice by slice. */
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

/** Evenly spread heights, each moved to the nearest corner if one is near: solids change where their corners are. */
function offsetsBetween(heights: Float64Array, low: number, high: number, tolerance: number): number[] {
  const inside = heights.filter((h) => h > low + tolerance && h < high - tolerance);
  const near = (high - low) / (2 * OFFSETS + 2);
  const offsets: number[] = [];
  let at = 0;
  for (let i = 1; i <= OFFSETS; i++) {
    const wanted = low + ((high - low) * i) / (OFFSETS + 1);
    while (at + 1 < inside.length && Math.abs(inside[at + 1] - wanted) <= Math.abs(inside[at] - wanted)) at++;
    const offset = Math.abs(inside[at] - wanted) <= near ? inside[at] : wanted; // no corners: not a number, so the latter
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
