import type { ShapeSpec } from '../shapes/shape.ts';
import { hullGap } from './hullGap.ts';
import { boundsOf } from './pointCloud.ts';
import type { Triangles } from './triangleCut.ts';

/** Metres: messages name the meshes that their convex parts exceed by more. */
export const NOTABLE_EXCESS = 0.005;

/** Meshes of more triangles are replaced by a coarser copy with this many grid cells along the longest side. */
const FINE = 20_000;
const CELLS = 256;

/** A mesh and the convex parts that cover it. */
export interface CoveredMesh {
  /** File or address, as written. */
  readonly name: string;
  readonly parts: readonly ShapeSpec[];
  /**
   * Returns the metres by which the parts exceed the mesh in at least one place: see `hullExcess`. Computed at the
   * first call, so that loading is not slowed down.
   */
  readonly excess: () => number;
}

const covered = new WeakMap<ShapeSpec, CoveredMesh>();

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
  const mesh = { name, parts, excess };
  for (const part of parts) covered.set(part, mesh);
}

/** Returns the mesh that a shape covers; undefined for other shapes, and for copies from another thread. */
export const meshOf = (shape: ShapeSpec): CoveredMesh | undefined => covered.get(shape);

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
