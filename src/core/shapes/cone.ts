import { createFrustum } from './frustum.ts';
import type { ShapeDefinition, ShapeSpec } from './shape.ts';

/** Cone along z, tip up; the origin is at half its height. */
export const cone: ShapeDefinition = {
  summary: 'cone along z, tip up: radius, length',
  fields: { radius: 'length', length: 'length' },
  create: (spec, center) => {
    const { radius, length, margin } = spec as ShapeSpec & { radius: number; length: number };
    return createFrustum('cone', radius, 0, length, margin, center);
  },
  samples: [
    { type: 'cone', radius: 0.4, length: 1 },
    { type: 'cone', radius: 0.5, length: 0.01 },
    { type: 'cone', radius: 0.01, length: 1, margin: 0.02 },
  ],
};
