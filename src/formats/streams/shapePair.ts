import type { PlanarTransform } from '../../core/math/planar.ts';
import type { Transform } from '../../core/math/transform.ts';
import type { PlanarShape } from '../../core/shapes/planar/planarShape.ts';
import type { ConvexShape } from '../../core/shapes/shape.ts';

/** Two shapes in 3D with their poses in the world. */
export interface SpatialPair {
  /** Dimension of the space. */
  readonly dimension: 3;
  /** Shape A. */
  readonly a: ConvexShape;
  /** Pose of A in the world. */
  readonly T_world_a: Transform;
  /** Shape B. */
  readonly b: ConvexShape;
  /** Pose of B in the world. */
  readonly T_world_b: Transform;
  /** JSON text of the track that the pair belongs to; undefined if it has none. */
  readonly track: string | undefined;
  /** Velocities for directional derivatives; absent if the pair gives none. */
  readonly velocities?: PairVelocities;
  /** Warnings on angles that are probably in degrees; absent if there are none. */
  readonly warnings?: readonly string[];
}

/** Two planar shapes with their poses in the world; fields as in `SpatialPair`. */
export interface PlanarPair {
  /** Dimension of the plane. */
  readonly dimension: 2;
  /** Shape A. */
  readonly a: PlanarShape;
  /** Pose of A in the world. */
  readonly T_world_a: PlanarTransform;
  /** Shape B. */
  readonly b: PlanarShape;
  /** Pose of B in the world. */
  readonly T_world_b: PlanarTransform;
  /** JSON text of the track that the pair belongs to; undefined if it has none. */
  readonly track: string | undefined;
  /** Velocities for directional derivatives; absent if the pair gives none. */
  readonly velocities?: PairVelocities;
  /** Warnings on angles that are probably in degrees; absent if there are none. */
  readonly warnings?: readonly string[];
}

/** Velocities of a pair in the world frame: of the centre of growth, m/s, then angular, rad/s; 0 where not given. */
export interface PairVelocities {
  /** Motion of A: six numbers, three of planar pairs. */
  readonly a: readonly number[];
  /** Motion of B, likewise. */
  readonly b: readonly number[];
}

/** Two shapes with their poses, both in 3D or both in the plane. */
export type ShapePair = SpatialPair | PlanarPair;
