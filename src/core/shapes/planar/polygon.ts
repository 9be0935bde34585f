import { InputError } from '../../../errors.ts';
import type { ShapeSpec } from '../shape.ts';
import { finite, lengthOrZero, readMargin } from './fields.ts';
import { PlanarShape, type PlanarShapeDefinition } from './planarShape.ts';
import { createRing } from './ring.ts';

/**
 * Creates a convex polygon from its vertices, counter-clockwise, metres, in its own frame; rounded by `margin`.
 * Repeated and collinear points are dropped; two vertices make a segment, one a point. `center`: center of growth, by
 * default the origin.
 */
export function createPolygon(
  points: readonly (readonly [number, number])[],
  margin = 0,
  center: ArrayLike<number> = [0, 0],
): PlanarShape {
  if (points.length === 0) throw new InputError('points is empty', 'A polygon requires at least one point.');
  for (const [i, [x, y]] of points.entries()) {
    finite(x, `points[${i}][0]`);
    finite(y, `points[${i}][1]`);
  }
  return new PlanarShape('polygon', createRing(points), lengthOrZero(margin, 'margin'), center);
}

export const polygon: PlanarShapeDefinition = {
  summary: 'convex polygon: points [[x, y], …], counter-clockwise',
  fields: ['points'],
  create: (spec, center) => createPolygon(readPoints(spec), readMargin(spec), center),
  samples: [
    { type: 'polygon', points: ngon(3) },
    { type: 'polygon', points: ngon(8), margin: 0.1 },
    { type: 'polygon', points: ngon(24) },
    {
      type: 'polygon',
      points: [
        [-0.5, -1e-4],
        [0.5, 0],
        [-0.5, 1e-4],
      ],
    }, // a needle
    {
      type: 'polygon',
      points: [
        [-0.5, -0.2],
        [0.5, 0.2],
      ],
    }, // a segment
    { type: 'polygon', points: [[0, 0]], margin: 0.2 },
    {
      type: 'polygon',
      points: [
        [-0.5, -0.5],
        [0, -0.5],
        [0, -0.5],
        [0.5, -0.5],
        [0.5, 0.5],
        [-0.5, 0.5],
        [-0.5, 0],
      ],
    },
  ],
};

function readPoints({ points }: ShapeSpec): [number, number][] {
  if (!Array.isArray(points)) throw new InputError(`points is ${JSON.stringify(points)}`, pointsNote);
  for (const [i, point] of points.entries()) {
    if (!Array.isArray(point) || point.length !== 2) {
      throw new InputError(`points[${i}] is ${JSON.stringify(point)}`, pointsNote);
    }
  }
  return points; // createPolygon checks the coordinates
}

const pointsNote = 'points is a list of [x, y] in metres.';

/**
 * Returns the vertices of a convex n-gon on the circle of radius 0.5, quarter by quarter: (1 − t², 2 t) / (1 + t²)
 * requires no sine.
 */
function ngon(n: number): [number, number][] {
  return Array.from({ length: n }, (_, i) => {
    const quarter = Math.floor((4 * i) / n);
    const t = (4 * i) / n - quarter;
    const x = (1 - t * t) / (1 + t * t) / 2;
    const y = (2 * t) / (1 + t * t) / 2;
    const turned: [number, number][] = [
      [x, y],
      [-y, x],
      [-x, -y],
      [y, -x],
    ];
    return turned[quarter];
  });
}
