import type { ShapeSpec } from '../shapes/shape.ts';
import { setCover } from './coveredMesh.ts';
import { hullGap } from './hullGap.ts';
import { boundsOf } from './pointCloud.ts';
import type { Triangles } from './triangleCut.ts';

/** Meshes of more triangles are replaced by a coarser copy with this many grid cells along the longest side. */
const FINE = 20_000;
const CELLS = 256;

/**
 * Records which mesh some convex parts cover. The record is kept apart from the shapes, so that these stay plain data.
 */
export function recordCover(name: string, triangles: () => Triangles, parts: readonly ShapeSpec[]): void {
  let known: number | undefined;
  const pointsOf = ({ points }: ShapeSpec) => points as [number, number, number][];
  const excess = () => {
    known ??= hullExcess(triangles(), parts.map(pointsOf));
    return known;
  };
  setCover({ name, parts, excess });
}

/**
 * Computes a lower bound (m) on how far convex parts exceed the mesh that they cover: the greatest distance from
 * samples of their surface to the mesh, less the resolution of the coarser copy that replaces fine meshes; at least 0.
 * @param triangles metres, nine numbers each
 */
export function hullExcess(triangles: Triangles, parts: Parameters<typeof hullGap>[1]): number {
  const bounds = boundsOf(triangles);
  if (bounds === undefined) return 0;
  const size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const resolution = triangles.length > 9 * FINE ? (Math.sqrt(3) * size) / CELLS : 0;
  return Math.max(0, hullGap(triangles, parts, { fine: FINE, cells: CELLS }) - resolution);
}
