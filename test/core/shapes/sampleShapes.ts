import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';

/** Returns the shape scaled by `scale`. */
export function scaledSpec(spec: ShapeSpec, scale: number): ShapeSpec {
  const scaled = (value: unknown): unknown => (Array.isArray(value) ? value.map(scaled) : (value as number) * scale);
  return Object.fromEntries(
    Object.entries(spec).map(([key, value]) => [
      key,
      ['type', 'edges', 'normal'].includes(key) ? value : scaled(value),
    ]),
  ) as ShapeSpec;
}

/**
 * Returns the support point of a shape along the unit vector d, by definition: independent of the sources on purpose.
 */
export function trueSupport(spec: ShapeSpec, d: ArrayLike<number>): number[] {
  const core = trueCore(spec as ShapeSpec & Record<string, never>, d);
  return core.map((x, i) => x + ((spec.margin ?? 0) as number) * d[i]);
}

function trueCore(spec: ShapeSpec & Record<string, never>, d: ArrayLike<number>): number[] {
  const rho = Math.hypot(d[0], d[1]);
  const ring = (radius: number, z: number) => [(radius * d[0]) / (rho || 1), (radius * d[1]) / (rho || 1), z];
  const best = (points: readonly number[][]): number[] => {
    const along = points.map((p) => p[0] * d[0] + p[1] * d[1] + p[2] * d[2]);
    return points[along.indexOf(Math.max(...along))];
  };
  const { size, radius, length, radiusBottom, radiusTop, radii, points } = spec as unknown as {
    size: number[];
    radius: number;
    length: number;
    radiusBottom: number;
    radiusTop: number;
    radii: number[];
    points: number[][];
  };
  switch (spec.type) {
    case 'box':
      return size.map((x, i) => (Math.sign(d[i]) * x) / 2);
    case 'sphere':
      return [0, 1, 2].map((i) => radius * d[i]);
    case 'capsule':
      return [0, 1, 2].map((i) => radius * d[i] + (i === 2 ? (Math.sign(d[2]) * length) / 2 : 0));
    case 'cylinder':
      return best([ring(radius, length / 2), ring(radius, -length / 2)]);
    case 'cone':
      return best([[0, 0, length / 2], ring(radius, -length / 2)]);
    case 'frustum':
      return best([ring(radiusTop, length / 2), ring(radiusBottom, -length / 2)]);
    case 'ellipsoid': {
      const stretched = Math.hypot(...radii.map((r, i) => r * d[i]));
      return radii.map((r, i) => (r * r * d[i]) / stretched);
    }
    case 'convex':
      return best(points);
    default:
      throw new Error(`no reference for ${spec.type}`);
  }
}
