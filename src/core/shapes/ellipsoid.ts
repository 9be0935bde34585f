import { ConvexShape, type ShapeDefinition, type ShapeSpec, type SupportFunction } from './shape.ts';

/** Ellipsoid with its principal axes along those of its frame. */
export const ellipsoid: ShapeDefinition = {
  summary: 'ellipsoid: radii [x, y, z]',
  fields: { radii: 'lengths' },
  create,
  samples: [
    { type: 'ellipsoid', radii: [0.5, 0.4, 0.3] },
    { type: 'ellipsoid', radii: [0.5, 0.5, 0.005] },
    { type: 'ellipsoid', radii: [0.01, 0.5, 0.02], margin: 0.05 },
  ],
};

function create(spec: ShapeSpec, center: ArrayLike<number> = [0, 0, 0]): ConvexShape {
  const { radii, margin = 0 } = spec as ShapeSpec & { radii: ArrayLike<number> };
  const [a, b, c] = [radii[0], radii[1], radii[2]];
  const [x, y, z] = [center[0], center[1], center[2]];
  const off = Math.sqrt(x * x + y * y + z * z);
  const level = Math.sqrt((x / a) * (x / a) + (y / b) * (y / b) + (z / c) * (z / c));
  // The center lies on E scaled by `level`. By convexity center + (1 − level) E lies in E.
  const coreInnerRadius = level <= 1 ? (1 - level) * Math.min(a, b, c) : (1 / level - 1) * off;
  const outerRadius = off + Math.max(a, b, c) + margin; // exact for the default center, an upper bound for others
  const bounds = Float64Array.of(-a - margin, -b - margin, -c - margin, a + margin, b + margin, c + margin);
  return new ConvexShape(
    { type: 'ellipsoid', size: [a, b, c], support, coreInnerRadius, margin, center },
    outerRadius,
    bounds,
  );
}

/** Support point p = S² d / ‖S d‖ with S = diag(radii). */
const support: SupportFunction = (out, shape, d, hint) => {
  const radii = shape.size;
  const x = radii[0] * d[0];
  const y = radii[1] * d[1];
  const z = radii[2] * d[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  const factor = length > 0 ? 1 / length : 0;
  out[0] = radii[0] * x * factor;
  out[1] = radii[1] * y * factor;
  out[2] = radii[2] * z * factor;
  return hint;
};
