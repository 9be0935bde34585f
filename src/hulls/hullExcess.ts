import type { ShapeSpec } from '../shapes/shape.ts';
import { hullGap } from './hullGap.ts';
import { boundsOf } from './pointCloud.ts';
import type { Triangles } from './triangleCut.ts';

/** Metres: messages name meshes that their convex parts exceed by more. */
export const NOTABLE_EXCESS = 0.005;

/** Meshes of more triangles are measured by a coarser copy of this many cells along the longest side. */
const FINE = 20_000;
const CELLS = 256;

/** A mesh and the convex parts that cover it. */
export interface CoveredMesh {
  /** File or address, as written. */
  readonly name: string;
  readonly parts: readonly ShapeSpec[];
  /**
   * Metres by which the parts exceed the mesh at one place at least: see `hullExcess`. Computed at the first call, so that loading takes no
   * longer.
   */
  readonly excess: () => number;
}

const covered = new WeakMap<ShapeSpec, CoveredMesh>();

/** Records which mesh some convex parts cover. The shapes are kept apart from it, so that they stay plain data. */
export function recordCover(name: string, triangles: Triangles, parts: readonly ShapeSpec[]): void {
  let known: number | undefined;
  const pointsOf = ({ points }: ShapeSpec) => points as [number, number, number][];
  const excess = () => {
    known ??= hullExcess(triangles, parts.map(pointsOf));
    return known;
  };
  const mesh = { name, parts, excess };
  for (const part of parts) covered.set(part, mesh);
}

/** The mesh that a shape covers; undefined for other shapes, and for copies from another thread. */
export const meshOf = (shape: ShapeSpec): CoveredMesh | undefined => covered.get(shape);

/**
 * Metres by which convex parts exceed the mesh that they cover, from below: the greatest distance from samples of their surface to the
 * mesh, less the resolution to which fine meshes are measured. 0 if it is less than that.
 * @param triangles metres, nine numbers each
 */
export function hullExcess(triangles: Triangles, parts: Parameters<typeof hullGap>[1]): number {
  const bounds = boundsOf(triangles);
  if (bounds === undefined) return 0;
  const size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const resolution = triangles.length > 9 * FINE ? (Math.sqrt(3) * size) / CELLS : 0;
  return Math.max(0, hullGap(triangles, parts, { fine: FINE, cells: CELLS }) - resolution);
}
