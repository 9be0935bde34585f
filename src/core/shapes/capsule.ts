import { distanceToSegment } from './depth.ts';
import { ConvexShape, type ShapeDefinition, type ShapeSpec, type SupportFunction } from './shape.ts';

/** Capsule along z: a segment with a margin. `length` is that of the segment, without the caps; 0 makes a sphere. */
export const capsule: ShapeDefinition = {
  summary: 'capsule along z: radius, length (without the caps)',
  fields: { radius: 'length', length: 'length-or-zero' },
  create,
  samples: [
    { type: 'capsule', radius: 0.3, length: 0.8 },
    { type: 'capsule', radius: 0.01, length: 1 },
    { type: 'capsule', radius: 0.4, length: 0, margin: 0.1 },
  ],
};

function create(spec: ShapeSpec, center: ArrayLike<number> = [0, 0, 0]): ConvexShape {
  const { radius, length, margin = 0 } = spec as ShapeSpec & { radius: number; length: number };
  const half = length / 2;
  const round = radius + margin;
  const rho = Math.sqrt(center[0] * center[0] + center[1] * center[1]);
  const end = half + Math.abs(center[2]);
  const coreInnerRadius = 0 - distanceToSegment(rho, center[2], 0, -half, 0, half);
  const bounds = Float64Array.of(-round, -round, -half - round, round, round, half + round);
  const parts = { type: 'capsule', size: [half], support, coreInnerRadius, margin: round, center };
  return new ConvexShape(parts, Math.sqrt(rho * rho + end * end) + round, bounds);
}

const support: SupportFunction = (out, shape, d, hint) => {
  const half = shape.size[0];
  out[0] = 0;
  out[1] = 0;
  out[2] = d[2] < 0 ? -half : half;
  return hint;
};
