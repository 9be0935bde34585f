import { lengthOrZero, readMargin } from './fields.ts';
import { PlanarShape, type PlanarShapeDefinition } from './planarShape.ts';
import { createRing } from './ring.ts';

export const rectangle: PlanarShapeDefinition = {
  summary: 'rectangle about the origin of its frame: width along x, height along y',
  fields: ['width', 'height'],
  create: (spec, center = [0, 0]) => {
    const x = lengthOrZero(spec['width'], 'width') / 2;
    const y = lengthOrZero(spec['height'], 'height') / 2;
    const corners = [-1, 1].flatMap((side) => [side, -side].map((other) => [other * x, side * y] as const));
    return new PlanarShape('rectangle', createRing(corners), lengthOrZero(readMargin(spec), 'margin'), center);
  },
  samples: [
    { type: 'rectangle', width: 1, height: 0.4 },
    { type: 'rectangle', width: 0.2, height: 1, margin: 0.1 },
  ],
};

/** A segment with a margin: `length` is that of the segment, without the caps, as of a capsule. */
export const stadium: PlanarShapeDefinition = {
  summary: 'stadium along x about the origin of its frame: radius, length without the caps',
  fields: ['radius', 'length'],
  create: (spec, center = [0, 0]) => {
    const half = lengthOrZero(spec['length'], 'length') / 2;
    const margin = lengthOrZero(spec['radius'], 'radius') + lengthOrZero(readMargin(spec), 'margin');
    const ends = [-half, half].map((x) => [x, 0] as const);
    return new PlanarShape('stadium', createRing(ends), margin, center);
  },
  samples: [
    { type: 'stadium', radius: 0.2, length: 0.8 },
    { type: 'stadium', radius: 0.1, length: 0, margin: 0.1 },
  ],
};
