import type { CollisionObject } from '../../../core/scene/scene.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';

/**
 * Bytes that an object takes in the heap, measured with `process.memoryUsage` after a garbage collection: the object
 * itself, each of its convex hulls (mostly the direction map), and each point (as a list, and in the shape).
 */
const BYTES_PER_OBJECT = 2400;
const BYTES_PER_HULL = 6200;
const BYTES_PER_POINT = 180;

/** Returns the bytes that an object of some hulls with some points takes. */
export function objectBytes(hulls: number, points: number): number {
  return BYTES_PER_OBJECT + BYTES_PER_HULL * hulls + BYTES_PER_POINT * points;
}

/** Returns the bytes that an object of these parts takes. */
export function bytesOfParts(parts: CollisionObject['parts']): number {
  let hulls = 0;
  let points = 0;
  for (const { shape } of parts) {
    const count = pointsOf(shape);
    points += count;
    if (count > 0) hulls++;
  }
  return objectBytes(hulls, points);
}

/** Returns the number of points of a convex shape; 0 for other shapes. */
export const pointsOf = (shape: ShapeSpec): number => (shape.points as readonly unknown[] | undefined)?.length ?? 0;
