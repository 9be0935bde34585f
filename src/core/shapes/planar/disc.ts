import { finite, lengthOrZero, readMargin } from './fields.ts';
import { PlanarShape, type PlanarShapeDefinition } from './planarShape.ts';

/**
 * Disc about the origin of its frame: a point with margin `radius + margin`, so that all planar shapes have the same
 * form. A radius of 0 is a point.
 */
export function createDisc(radius: number, margin = 0, center: ArrayLike<number> = [0, 0]): PlanarShape {
  const ring = { vertices: new Float64Array(2), middle: new Float64Array(2) };
  return new PlanarShape('disc', ring, lengthOrZero(radius, 'radius') + lengthOrZero(margin, 'margin'), center);
}

export const disc: PlanarShapeDefinition = {
  summary: 'disc about the origin of its frame',
  fields: ['radius'],
  create: (spec, center) => createDisc(finite(spec.radius, 'radius'), readMargin(spec), center),
  samples: [
    { type: 'disc', radius: 0.5 },
    { type: 'disc', radius: 0.1, margin: 0.3 },
  ],
};
