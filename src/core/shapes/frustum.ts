import { InputError } from '../../errors.ts';
import { depthInFrustum } from './depth.ts';
import { ConvexShape, type ShapeDefinition, type ShapeSpec, type SupportFunction } from './shape.ts';

/** Truncated cone along z, centred: `radiusBottom` at z = −length/2, `radiusTop` at z = length/2. */
export const frustum: ShapeDefinition = {
  summary: 'truncated cone along z: radiusBottom, radiusTop, length',
  fields: { radiusBottom: 'length-or-zero', radiusTop: 'length-or-zero', length: 'length' },
  create,
  samples: [
    { type: 'frustum', radiusBottom: 0.5, radiusTop: 0.2, length: 1 },
    { type: 'frustum', radiusBottom: 0, radiusTop: 0.5, length: 0.02 },
    { type: 'frustum', radiusBottom: 0.01, radiusTop: 0.02, length: 1, margin: 0.03 },
  ],
};

function create(spec: ShapeSpec, center?: ArrayLike<number>): ConvexShape {
  const { radiusBottom, radiusTop, length } = spec as ShapeSpec &
    Record<'radiusBottom' | 'radiusTop' | 'length', number>;
  if (radiusBottom === 0 && radiusTop === 0) {
    throw new InputError(
      'radiusBottom and radiusTop are both 0',
      'At least one of them must be greater than 0; use a capsule for a thin rod.',
    );
  }
  return createFrustum('frustum', radiusBottom, radiusTop, length, spec.margin, center);
}

/** Creates a frustum from its dimensions in metres; a cone is a frustum with top radius 0. */
export function createFrustum(
  type: string,
  bottom: number,
  top: number,
  length: number,
  margin = 0,
  center: ArrayLike<number> = [0, 0, 0],
): ConvexShape {
  const half = length / 2;
  const off = Math.sqrt(center[0] * center[0] + center[1] * center[1]);
  const toBottom = (bottom + off) * (bottom + off) + (half + center[2]) * (half + center[2]);
  const toTop = (top + off) * (top + off) + (half - center[2]) * (half - center[2]);
  const outerRadius = Math.sqrt(Math.max(toBottom, toTop)) + margin;
  const [r, h] = [Math.max(bottom, top) + margin, half + margin];
  const coreInnerRadius = depthInFrustum(bottom, top, half, center);
  const parts = { type, size: [bottom, top, half], support, coreInnerRadius, margin, center };
  return new ConvexShape(parts, outerRadius, Float64Array.of(-r, -r, -h, r, r, h));
}

/** Writes a point of the rim that is farther along d: compares top·ρ + half·z with bottom·ρ − half·z. */
const support: SupportFunction = (out, shape, d, hint) => {
  const size = shape.size;
  const half = size[2];
  const x = d[0];
  const y = d[1];
  const rho = Math.sqrt(x * x + y * y);
  const up = (size[1] - size[0]) * rho + 2 * half * d[2] > 0;
  const factor = rho > 0 ? (up ? size[1] : size[0]) / rho : 0;
  out[0] = factor * x;
  out[1] = factor * y;
  out[2] = up ? half : -half;
  return hint;
};
