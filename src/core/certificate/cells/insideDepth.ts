import type { ConvexShape } from '../../shapes/shape.ts';
import { hullFacets } from './hullFacets.ts';

/**
 * Returns a radius, metres: if it is not negative, the sphere of this radius about the point (x, y, z) lies in the
 * shape. Negative if the point is not proved to be inside. Shapes that are defined only by a support function contain
 * nothing.
 */
export function insideDepth(shape: ConvexShape, x: number, y: number, z: number): number {
  const { type, margin } = shape;
  const [s0] = shape.size;
  // Spheres about points and segments: the exact depth.
  if (type === 'sphere') return margin - length(x, y, z);
  if (type === 'capsule') return margin - length(x, y, Math.max(Math.abs(z) - s0, 0));
  const depth = coreDepth(shape, x, y, z);
  // A sphere in the core grows with it; nothing is claimed for points in the margin alone.
  return depth >= 0 ? depth + margin : depth;
}

/** The depth in the core; of a single point nothing. */
function coreDepth(shape: ConvexShape, x: number, y: number, z: number): number {
  const [s0, s1, s2] = shape.size;
  switch (shape.type) {
    case 'box':
      return Math.min(s0 - Math.abs(x), s1 - Math.abs(y), s2 - Math.abs(z));
    case 'cylinder':
      return Math.min(s0 - length(x, y, 0), s1 - Math.abs(z));
    case 'cone':
    case 'frustum': {
      // The side is the line from (s0, −s2) to (s1, s2) in the plane of (ρ, z).
      const slant = length(2 * s2, s0 - s1, 0);
      const side = (0.5 * (s0 + s1) - length(x, y, 0)) * 2 * s2 - z * (s0 - s1);
      return Math.min(side / slant, s2 - Math.abs(z));
    }
    case 'ellipsoid': {
      // The sphere about p with radius (1 − g) r, for the gauge g of p and the radius r of a sphere about the origin.
      const gauge = length(x / s0, y / s1, z / s2);
      return (1 - gauge) * Math.min(s0, s1, s2);
    }
    case 'halfspace':
      return -(s0 * x + s1 * y + s2 * z);
    case 'convex':
      return facetDepth(shape, x, y, z);
    default:
      return Number.NEGATIVE_INFINITY;
  }
}

function facetDepth(shape: ConvexShape, x: number, y: number, z: number): number {
  const facets = hullFacets(shape);
  let depth = facets.length > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for (const { n, offset } of facets) depth = Math.min(depth, offset - (n[0] * x + n[1] * y + n[2] * z));
  return depth;
}

const length = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);
