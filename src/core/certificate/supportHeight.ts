import { InputError } from '../../errors.ts';
import { create, norm, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/**
 * Returns max d·p over the points p of a shape, in its local frame; d = (x, y, z) of any length. Closed forms and
 * exhaustive search over vertices, implemented independently of the support functions by which the motion was proved.
 * For the same reason shapes that are defined only by a support function of the user are rejected.
 * @throws InputError for such shapes
 */
export function supportHeight(shape: ConvexShape, x: number, y: number, z: number): number {
  return coreHeight(shape, x, y, z) + shape.margin * Math.sqrt(x * x + y * y + z * z);
}

/** The support height without the margin. */
function coreHeight({ type, size, vertices }: ConvexShape, x: number, y: number, z: number): number {
  const rho = Math.sqrt(x * x + y * y);
  const [s0, s1, s2] = size;
  switch (type) {
    case 'sphere':
      return 0;
    case 'capsule':
      return s0 * Math.abs(z);
    case 'box':
      return s0 * Math.abs(x) + s1 * Math.abs(y) + s2 * Math.abs(z);
    case 'cylinder':
      return s0 * rho + s1 * Math.abs(z);
    case 'cone':
    case 'frustum':
      return Math.max(s0 * rho - s2 * z, s1 * rho + s2 * z);
    case 'ellipsoid':
      return Math.sqrt(s0 * x * (s0 * x) + s1 * y * (s1 * y) + s2 * z * (s2 * z));
    case 'convex':
      return maxVertexHeight(vertices, x, y, z);
    case 'halfspace':
      return Number.POSITIVE_INFINITY; // PlaneProver handles its single plane
    default:
      throw new InputError(
        `verify does not support the shape "${type}"`,
        'It has formulas of its own for the shapes of scene files, and cannot check the results of a ' +
          'user-defined support function.',
      );
  }
}

function maxVertexHeight(vertices: Float64Array, x: number, y: number, z: number): number {
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < vertices.length; i += 3)
    max = Math.max(max, x * vertices[i] + y * vertices[i + 1] + z * vertices[i + 2]);
  return max;
}

/**
 * Returns a bounding sphere of a shape in its local frame: that of its bounding box; for a half-space, a point of its
 * plane.
 */
export function boundingSphere(shape: ConvexShape): { center: Vec3; radius: number } {
  const below = Float64Array.of(
    supportHeight(shape, -1, 0, 0),
    supportHeight(shape, 0, -1, 0),
    supportHeight(shape, 0, 0, -1),
  );
  const above = Float64Array.of(
    supportHeight(shape, 1, 0, 0),
    supportHeight(shape, 0, 1, 0),
    supportHeight(shape, 0, 0, 1),
  );
  if (shape.type === 'halfspace') return { center: create(), radius: shape.margin };
  return { center: above.map((x, k) => 0.5 * (x - below[k])), radius: 0.5 * norm(above.map((x, k) => x + below[k])) };
}
