import { convexShape } from './convex.ts';
import { keepShape } from './keptShapes.ts';
import type { ConvexShape, Polytope, ShapeSpec } from './shape.ts';

/** What takes longest to compute of a convex hull of points: its search structure, center and inner radius. */
export interface PreparedConvex
  extends Pick<Polytope, 'cellBits' | 'cellStart' | 'cellVertices' | 'neighborStart' | 'neighbors'> {
  /** Center of growth, metres. */
  readonly center: ArrayLike<number>;
  /** `innerRadius` of the shape, metres. */
  readonly innerRadius: number;
}

/**
 * Makes `createShape` return, for the same list of points, the shape that was computed before.
 * @param spec a `convex` shape without a margin
 * @param prepared fields of the shape that `createShape` returned for an equal spec
 */
export function keepPrepared(spec: ShapeSpec, prepared: PreparedConvex): ConvexShape {
  const points = spec['points'] as readonly (readonly number[])[];
  const vertices = new Float64Array(3 * points.length);
  for (let i = 0; i < points.length; i++) {
    const point = points[i];
    vertices[3 * i] = point[0];
    vertices[3 * i + 1] = point[1];
    vertices[3 * i + 2] = point[2];
  }
  const { cellBits, cellStart, cellVertices, neighborStart, neighbors, center, innerRadius } = prepared;
  const polytope = { vertices, cellBits, cellStart, cellVertices, neighborStart, neighbors, extreme: [] };
  const shape = convexShape(polytope, center, innerRadius, 0);
  keepShape(spec, shape);
  return shape;
}
