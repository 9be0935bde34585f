import type { Point } from './solids.ts';

/**
 * Whether convex sets cover triangles, decided by half-spaces that are found by brute force and by taking polygons
 * apart: shares nothing with the code that makes hulls or cuts meshes.
 */
export class Cover {
  private readonly parts: readonly HalfSpace[][];

  /** @param slack metres by which each half-space is moved outwards */
  constructor(parts: readonly (readonly Point[])[], slack: number) {
    this.parts = parts.map((corners) => halfSpacesOf(corners, slack));
  }

  holds(p: Point): boolean {
    return this.parts.some((part) => part.every(({ normal, offset }) => dot(normal, p) <= offset));
  }

  /** What is left of a triangle when every part has been taken away: polygons, none where it is covered as a whole. */
  uncovered(triangle: readonly Point[]): Point[][] {
    let left: Point[][] = [[...triangle]];
    for (const part of this.parts) left = left.flatMap((polygon) => outside(polygon, part));
    return left;
  }
}

interface HalfSpace {
  readonly normal: Point;
  readonly offset: number;
}

/** Every plane through three corners that has all others on one side. Corners must fill space. */
function halfSpacesOf(corners: readonly Point[], slack: number): HalfSpace[] {
  const size = Math.max(...corners.map((p) => Math.max(...sub(p, corners[0]).map(Math.abs))));
  const found = new Map<string, HalfSpace>();
  for (let i = 0; i < corners.length; i++) {
    for (let j = i + 1; j < corners.length; j++) {
      for (let k = j + 1; k < corners.length; k++) {
        const n = cross(sub(corners[j], corners[i]), sub(corners[k], corners[i]));
        const length = Math.sqrt(dot(n, n));
        if (length < 1e-7 * size * size) continue; // a sliver says nothing of its plane
        const unit: Point = [n[0] / length, n[1] / length, n[2] / length];
        const heights = corners.map((p) => dot(unit, sub(p, corners[i])));
        for (const sign of [1, -1]) {
          if (heights.some((h) => sign * h > 1e-9 * size)) continue;
          const normal = unit.map((x) => sign * x) as unknown as Point;
          const offset = Math.max(...corners.map((p) => dot(normal, p))) + slack;
          found.set(normal.map((x) => Math.round(1e5 * x)).join(), { normal, offset });
        }
      }
    }
  }
  return [...found.values()];
}

/** The pieces of a convex polygon outside of an intersection of half-spaces. */
function outside(polygon: Point[], part: readonly HalfSpace[]): Point[][] {
  const pieces: Point[][] = [];
  let rest = polygon;
  for (const halfSpace of part) {
    const beyond = clip(rest, halfSpace, -1);
    if (beyond.length > 2) pieces.push(beyond);
    rest = clip(rest, halfSpace, 1);
    if (rest.length < 3) return pieces;
  }
  return pieces;
}

function clip(polygon: readonly Point[], { normal, offset }: HalfSpace, side: 1 | -1): Point[] {
  const out: Point[] = [];
  const heights = polygon.map((p) => side * (dot(normal, p) - offset));
  if (side < 0 && heights.every((h) => h >= 0)) return [];
  for (let i = 0; i < polygon.length; i++) {
    const j = (i + 1) % polygon.length;
    if (heights[i] <= 0) out.push(polygon[i]);
    if (heights[i] < 0 !== heights[j] < 0 && heights[i] !== 0 && heights[j] !== 0) {
      const s = heights[i] / (heights[i] - heights[j]);
      out.push(polygon[i].map((x, k) => x + s * (polygon[j][k] - x)) as unknown as Point);
    }
  }
  return out;
}

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sub = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
