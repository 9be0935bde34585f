import { ConvexShape, type ShapeDefinition, type ShapeSpec, type SupportFunction } from './shape.ts';

/** Sphere about the origin: a point with a margin, so that solvers that operate on cores are exact for it. */
export const sphere: ShapeDefinition = {
  summary: 'sphere: radius',
  fields: { radius: 'length' },
  create,
  samples: [
    { type: 'sphere', radius: 0.5 },
    { type: 'sphere', radius: 0.01, margin: 0.02 },
  ],
};

function create(spec: ShapeSpec, center: ArrayLike<number> = [0, 0, 0]): ConvexShape {
  const { radius, margin = 0 } = spec as ShapeSpec & { radius: number };
  const round = radius + margin;
  const off = Math.sqrt(center[0] * center[0] + center[1] * center[1] + center[2] * center[2]);
  const bounds = Float64Array.of(-round, -round, -round, round, round, round);
  const parts = { type: 'sphere', size: [0], support, coreInnerRadius: 0 - off, margin: round, center };
  return new ConvexShape(parts, off + round, bounds);
}

const support: SupportFunction = (out, _shape, _d, hint) => {
  out[0] = 0;
  out[1] = 0;
  out[2] = 0;
  return hint;
};
