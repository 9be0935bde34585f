import { InputError } from '../errors.ts';
import { create, norm, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/**
 * max d·p over the points p of a body, in its own frame; d of any length. Closed forms, and all corners gone through: written anew, so
 * that the support functions that found a motion free are not those that judge it. For the same reason bodies told by a support function of
 * the user's alone are refused.
 */
export function supportHeight(shape: ConvexShape, x: number, y: number, z: number): number {
  return coreHeight(shape, x, y, z) + shape.margin * Math.sqrt(x * x + y * y + z * z);
}

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
      return farthestCorner(vertices, x, y, z);
    case 'halfspace':
      return Number.POSITIVE_INFINITY; // its one plane is no matter of support: PlaneProver sees to it
    default:
      throw new InputError(
        `verify cannot judge a body of shape "${type}"`,
        'It judges bodies by formulas of its own, and what a scene file can hold; of a support function it could only believe the answers.',
      );
  }
}

function farthestCorner(vertices: Float64Array, x: number, y: number, z: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < vertices.length; i += 3)
    most = Math.max(most, x * vertices[i] + y * vertices[i + 1] + z * vertices[i + 2]);
  return most;
}

/** The ball around the body's box, in its own frame; of a half-space, which none holds, a point of its plane. */
export function ballAround(shape: ConvexShape): { center: Vec3; radius: number } {
  const least = Float64Array.of(
    supportHeight(shape, -1, 0, 0),
    supportHeight(shape, 0, -1, 0),
    supportHeight(shape, 0, 0, -1),
  );
  const most = Float64Array.of(
    supportHeight(shape, 1, 0, 0),
    supportHeight(shape, 0, 1, 0),
    supportHeight(shape, 0, 0, 1),
  );
  if (shape.type === 'halfspace') return { center: create(), radius: shape.margin };
  return { center: most.map((x, k) => 0.5 * (x - least[k])), radius: 0.5 * norm(most.map((x, k) => x + least[k])) };
}
