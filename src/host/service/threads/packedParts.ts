import type { CollisionObject, CollisionObjectPart } from '../../../core/scene/scene.ts';
import { pointsOf } from '../session/objectBytes.ts';

type Parts = CollisionObject['parts'];

/** Convex parts for a message between threads: all points are in one array, which is copied much faster than lists. */
export interface PackedParts {
  /** The parts; lists of points are replaced by their lengths. */
  readonly parts: readonly object[];
  /** Coordinates of all points, in the order of the parts. */
  readonly coordinates: Float64Array;
}

interface PointsSpec {
  readonly points?: readonly (readonly number[])[];
}

/** Packs parts. */
export function packParts(parts: Parts): PackedParts {
  const coordinates = new Float64Array(3 * parts.reduce((sum, { shape }) => sum + pointsOf(shape), 0));
  let at = 0;
  const packed = parts.map((part) => {
    const { points } = part.shape as PointsSpec;
    if (!points) return part;
    for (const [x, y, z] of points) {
      coordinates[at++] = x;
      coordinates[at++] = y;
      coordinates[at++] = z;
    }
    return { ...part, shape: { ...part.shape, points: points.length } };
  });
  return { parts: packed, coordinates };
}

/** Returns the parts that were packed. */
export function unpackParts({ parts, coordinates }: PackedParts): Parts {
  let at = 0;
  return (parts as CollisionObjectPart[]).map((part) => {
    const { points: count } = part.shape as { readonly points?: unknown };
    if (typeof count !== 'number') return part;
    const points = Array.from({ length: count }, () => [coordinates[at++], coordinates[at++], coordinates[at++]]);
    return { ...part, shape: { ...part.shape, points } };
  });
}
