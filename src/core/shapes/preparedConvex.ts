import { convexShape } from './convex.ts';
import { keepShape } from './keptShapes.ts';
import type { ConvexShape, Polytope, ShapeSpec } from './shape.ts';

/** What is computed of a convex hull of points: its search structure, center, radii and bounds. */
export interface PreparedConvex extends Pick<Polytope, 'cellBits' | 'cellStart' | 'cellVertices'> {
  /** Center of growth, metres. */
  readonly center: ArrayLike<number>;
  /** `innerRadius` of the shape, metres. */
  readonly innerRadius: number;
  /** `outerRadius` of the shape, metres. */
  readonly outerRadius: number;
  /** `bounds` of the shape, metres. */
  readonly bounds: Float64Array;
}

/**
 * Makes `createShape` return, for the same list of points, the shape that was computed before.
 * @param spec a `convex` shape without a margin
 * @param vertices coordinates of the points of `spec`
 * @param prepared fields of the shape that `createShape` returned for an equal spec
 */
export function keepPrepared(spec: ShapeSpec, vertices: Float64Array, prepared: PreparedConvex): ConvexShape {
  const { cellBits, cellStart, cellVertices, center, innerRadius } = prepared;
  const polytope = { vertices, cellBits, cellStart, cellVertices, extreme: [] };
  const shape = convexShape(polytope, center, innerRadius, 0, prepared.outerRadius, prepared.bounds);
  keepShape(spec, shape);
  return shape;
}
