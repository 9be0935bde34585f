import { depthInFrustum } from './depth.ts';
import { ConvexShape, type ShapeDefinition, type ShapeSpec, type SupportFunction } from './shape.ts';

/** Cylinder along z, centred in its own frame. */
export const cylinder: ShapeDefinition = {
  summary: 'cylinder along z: radius, length',
  fields: { radius: 'length', length: 'length' },
  create,
  samples: [
    { type: 'cylinder', radius: 0.4, length: 1 },
    { type: 'cylinder', radius: 0.5, length: 0.01 },
    { type: 'cylinder', radius: 0.01, length: 1, margin: 0.02 },
  ],
};

function create(spec: ShapeSpec, center: ArrayLike<number> = [0, 0, 0]): ConvexShape {
  const { radius, length, margin = 0 } = spec as ShapeSpec & { radius: number; length: number };
  const half = length / 2;
  const maxRho = radius + Math.sqrt(center[0] * center[0] + center[1] * center[1]);
  const height = half + Math.abs(center[2]);
  const coreInnerRadius = depthInFrustum(radius, radius, half, center);
  const [r, h] = [radius + margin, half + margin];
  const parts = { type: 'cylinder', size: [radius, half], support, coreInnerRadius, margin, center };
  return new ConvexShape(
    parts,
    Math.sqrt(maxRho * maxRho + height * height) + margin,
    Float64Array.of(-r, -r, -h, r, r, h),
  );
}

/** Writes a point of a rim; the center of a cap if d is parallel to the axis. */
const support: SupportFunction = (out, shape, d, hint) => {
  const x = d[0];
  const y = d[1];
  const rho = Math.sqrt(x * x + y * y);
  const factor = rho > 0 ? shape.size[0] / rho : 0;
  const half = shape.size[1];
  out[0] = factor * x;
  out[1] = factor * y;
  out[2] = d[2] < 0 ? -half : half;
  return hint;
};
