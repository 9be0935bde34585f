import type { ShapeSpec } from '../shapes/shape.ts';

/** Metres: messages name the meshes that their convex parts exceed by more. */
export const NOTABLE_EXCESS = 0.005;

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

/** Records a mesh for each of its parts. */
export function setCover(mesh: CoveredMesh): void {
  for (const part of mesh.parts) covered.set(part, mesh);
}

/** Returns the mesh that a shape covers; undefined for other shapes, and for copies from another thread. */
export const meshOf = (shape: ShapeSpec): CoveredMesh | undefined => covered.get(shape);
