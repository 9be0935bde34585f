import type { ConvexShape, ShapeSpec } from './shape.ts';

/** A shape with the fields of its spec that its points do not determine. */
interface KeptShape {
  readonly type: unknown;
  readonly margin: unknown;
  readonly shape: ConvexShape;
}

/**
 * Shapes by the list of points that they were made of. Most of the work of loading a robot is the search structure of
 * its hulls, so that it is kept as long as the list exists.
 */
const kept = new WeakMap<object, KeptShape>();

/**
 * Returns the shape that was made before of the same list of points; undefined if there is none, or if the list has
 * changed since: all coordinates are compared.
 */
export function keptShape(spec: ShapeSpec): ConvexShape | undefined {
  const { points, type, margin } = spec as ShapeSpec & Record<string, unknown>;
  const known = Array.isArray(points) ? kept.get(points) : undefined;
  if (known === undefined || known.type !== type || known.margin !== margin) return undefined;
  return hasVertices(known.shape, points as unknown[]) ? known.shape : undefined;
}

/** Keeps a shape if its spec has a list of points. */
export function keepShape(spec: ShapeSpec, shape: ConvexShape): void {
  const { points, type, margin } = spec as ShapeSpec & Record<string, unknown>;
  if (Array.isArray(points)) kept.set(points, { type, margin, shape });
}

function hasVertices({ vertices }: ConvexShape, points: readonly unknown[]): boolean {
  if (vertices.length !== 3 * points.length) return false;
  for (let i = 0; i < points.length; i++) {
    const point = points[i];
    if (!Array.isArray(point) || point.length !== 3) return false;
    if (point[0] !== vertices[3 * i] || point[1] !== vertices[3 * i + 1] || point[2] !== vertices[3 * i + 2])
      return false;
  }
  return true;
}
