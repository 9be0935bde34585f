import type { Vec3 } from '../math/vec3.ts';

/**
 * A convex condition on a position in the frame of a region: its value, metres, is at most 0 in the region. Values
 * change at most as fast as the position.
 */
export interface RegionBound {
  /** Returns the value at x, and writes its gradient, of length at most 1; zero where there is none. */
  evaluate(gradient: Vec3, x: Vec3): number;
  /**
   * Returns a bound on the second directional derivatives at all positions within a distance of x, 1/metres; Infinity:
   * none.
   */
  curvature(x: Vec3, within: number): number;
}

/** The half-space direction · x <= offset; the direction has length 1. */
export function plane(direction: ArrayLike<number>, offset: number): RegionBound {
  const normal = Float64Array.from(direction);
  return {
    evaluate(gradient, x) {
      gradient.set(normal);
      return normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2] - offset;
    },
    curvature: () => 0,
  };
}

/**
 * The positions around the z axis with radial · ρ + axial · z <= offset, ρ the distance from the axis: a cylinder or
 * cone. `radial` > 0; the vector of both has length 1.
 */
export function roundWall(radial: number, axial: number, offset: number): RegionBound {
  const rho = (x: Vec3) => Math.sqrt(x[0] * x[0] + x[1] * x[1]);
  return {
    evaluate(gradient, x) {
      const r = rho(x);
      gradient[0] = r > 0 ? (radial * x[0]) / r : 0;
      gradient[1] = r > 0 ? (radial * x[1]) / r : 0;
      gradient[2] = axial;
      return radial * r + axial * x[2] - offset;
    },
    // The second derivative of ρ along a unit vector is at most 1/ρ.
    curvature: (x, within) => inverse(rho(x) - within, radial),
  };
}

/** The ellipsoid with the given radii: (‖(xᵢ / rᵢ)‖ − 1) times the least radius. */
export function ellipsoidWall(radii: ArrayLike<number>): RegionBound {
  const least = Math.min(radii[0], radii[1], radii[2]);
  const size = (x: Vec3) => Math.sqrt((x[0] / radii[0]) ** 2 + (x[1] / radii[1]) ** 2 + (x[2] / radii[2]) ** 2);
  return {
    evaluate(gradient, x) {
      const s = size(x);
      for (let i = 0; i < 3; i++) gradient[i] = s > 0 ? (least * x[i]) / (radii[i] * radii[i] * s) : 0;
      return least * (s - 1);
    },
    // With y = x / r, ‖y‖ changes by at most `within` / least, and its second derivative is at most ‖v / r‖² / ‖y‖.
    curvature: (x, within) => inverse(least * size(x) - within, 1),
  };
}

/**
 * The positions within a distance of a convex set.
 * @param nearest writes the nearest point of the set: x itself if it is inside
 * @param depth returns the value at a position inside, at most 0, and writes its gradient
 */
export function roundedSet(
  nearest: (out: Vec3, x: Vec3) => void,
  depth: (gradient: Vec3, x: Vec3) => number,
  margin: number,
): RegionBound {
  const p = new Float64Array(3);
  const distance = (x: Vec3) => {
    nearest(p, x);
    return Math.sqrt((x[0] - p[0]) ** 2 + (x[1] - p[1]) ** 2 + (x[2] - p[2]) ** 2);
  };
  return {
    evaluate(gradient, x) {
      const d = distance(x);
      if (d <= 0) return Math.min(0, depth(gradient, x)) - margin;
      for (let i = 0; i < 3; i++) gradient[i] = (x[i] - p[i]) / d;
      return d - margin;
    },
    // The second derivative of the distance from a convex set is at most its inverse.
    curvature: (x, within) => inverse(distance(x) - within, 1),
  };
}

const inverse = (distance: number, factor: number) => (distance > 0 ? factor / distance : Number.POSITIVE_INFINITY);
