import { ConvexShape, type ShapeDefinition, type ShapeSpec, type SupportFunction } from './shape.ts';

/**
 * Half-space behind the plane through the origin with the given outward normal, expanded by `margin`. It has no support
 * point except along its normal; solvers treat it in closed form (`isHalfspace`). `size` holds the unit normal. Growth
 * about the default center, a point of the plane, scales only the other shape and the margin.
 */
export const halfspace: ShapeDefinition = {
  summary: 'half-space behind a plane through the origin: outward normal [x, y, z]',
  fields: { normal: 'direction' },
  create,
  samples: [
    { type: 'halfspace', normal: [0, 0, 1] },
    { type: 'halfspace', normal: [1, -2, 2], margin: 0.1 },
  ],
};

/** Returns true for half-spaces, the only unbounded shape. */
export function isHalfspace(shape: ConvexShape): boolean {
  return shape.outerRadius === Number.POSITIVE_INFINITY;
}

function create(spec: ShapeSpec, center: ArrayLike<number> = [0, 0, 0]): ConvexShape {
  const { normal, margin = 0 } = spec as ShapeSpec & { normal: ArrayLike<number> };
  const largest = Math.max(Math.abs(normal[0]), Math.abs(normal[1]), Math.abs(normal[2]));
  const [x, y, z] = [normal[0] / largest, normal[1] / largest, normal[2] / largest];
  const length = Math.sqrt(x * x + y * y + z * z);
  const unit = Float64Array.of(x / length, y / length, z / length);
  const bounds = new Float64Array(6);
  for (let i = 0; i < 3; i++) {
    bounds[i] = unit[i] === -1 ? -margin : Number.NEGATIVE_INFINITY;
    bounds[i + 3] = unit[i] === 1 ? margin : Number.POSITIVE_INFINITY;
  }
  const coreInnerRadius = 0 - (unit[0] * center[0] + unit[1] * center[1] + unit[2] * center[2]);
  const parts = { type: 'halfspace', size: unit, support, coreInnerRadius, margin, center };
  return new ConvexShape(parts, Number.POSITIVE_INFINITY, bounds);
}

/**
 * Writes the origin, a point of the plane, if d is the normal (up to rounding); otherwise a point at infinity along d.
 */
const support: SupportFunction = (out, shape, d, hint) => {
  const n = shape.size;
  const along = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
  const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  const bounded = along >= length * (1 - 4 * Number.EPSILON);
  for (let i = 0; i < 3; i++)
    out[i] = bounded || d[i] === 0 ? 0 : d[i] < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return hint;
};
