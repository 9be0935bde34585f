import { InputError } from '../../../errors.ts';
import type { Vec2 } from '../../math/planar.ts';
import { lengthOrZero, readMargin } from './fields.ts';
import { PlanarShape, type PlanarShapeDefinition, type Ring, type RoundCore } from './planarShape.ts';
import { createRing } from './ring.ts';

/** Ratio of the radii below which the shorter one is far below the rounding error of the longer one: it counts as 0. */
const MIN_RATIO = Number.EPSILON * Number.EPSILON;

/**
 * Ellipse about the origin of its frame with its axes along x and y: the core is what remains if the disc with its
 * smallest radius of curvature, short² / long, is taken off, so that nearly round ellipses are a small core with a
 * margin. Equal radii make a disc, a radius of 0 a segment.
 */
export function createEllipse(radii: Vec2, margin = 0, center: ArrayLike<number> = [0, 0]): PlanarShape {
  const [x, y] = [lengthOrZero(radii[0], 'radii[0]'), lengthOrZero(radii[1], 'radii[1]')];
  const rounding = lengthOrZero(margin, 'margin');
  const [short, long] = [Math.min(x, y), Math.max(x, y)];
  if (short === long) return new PlanarShape('ellipse', createRing([[0, 0]]), short + rounding, center);
  if (short < MIN_RATIO * long) {
    const end = [x > y ? x : 0, x > y ? 0 : y] as const;
    return new PlanarShape('ellipse', createRing([end, [-end[0], -end[1]]]), rounding, center);
  }
  const curvatureRadius = short * (short / long);
  const ring: Ring = { vertices: new Float64Array(0), middle: new Float64Array(2) };
  const core = ellipticCore(x, y, curvatureRadius, rounding, center);
  return new PlanarShape('ellipse', ring, curvatureRadius + rounding, center, core);
}

function ellipticCore(
  x: number,
  y: number,
  curvatureRadius: number,
  rounding: number,
  center: ArrayLike<number>,
): RoundCore {
  const [u, v] = [center[0], center[1]];
  const off = Math.sqrt(u * u + v * v);
  const level = Math.sqrt((u / x) * (u / x) + (v / y) * (v / y));
  const long = Math.max(x, y);
  const [partX, partY] = [x / long, y / long];
  // The center lies on the ellipse E scaled by `level`; by convexity center + (1 − level) E lies in E.
  const inner = level <= 1 ? (1 - level) * Math.min(x, y) : (1 / level - 1) * off;
  return {
    innerRadius: inner - curvatureRadius,
    outerRadius: off + long - curvatureRadius,
    bounds: Float64Array.of(-x - rounding, -y - rounding, x + rounding, y + rounding),
    support: (out, offset, d) => {
      const dx = partX * d[0];
      const dy = partY * d[1];
      const factor = 1 / Math.sqrt(dx * dx + dy * dy);
      const shift = curvatureRadius / Math.sqrt(d[0] * d[0] + d[1] * d[1]);
      out[offset] = x * dx * factor - shift * d[0];
      out[offset + 1] = y * dy * factor - shift * d[1];
    },
    radiusAlong: (d) => {
      const [dx, dy] = [partX * d[0], partY * d[1]];
      const height = Math.sqrt((dx * dx + dy * dy) / (d[0] * d[0] + d[1] * d[1])); // support value / long
      return (partX / height) * (partY / height) * ((partX * partY) / height) * long + rounding;
    },
  };
}

export const ellipse: PlanarShapeDefinition = {
  summary: 'ellipse about the origin of its frame: radii [x, y]',
  fields: ['radii'],
  create: (spec, center) => createEllipse(readRadii(spec['radii']), readMargin(spec), center),
  samples: [
    { type: 'ellipse', radii: [0.5, 0.2] },
    { type: 'ellipse', radii: [0.005, 0.5] },
    { type: 'ellipse', radii: [0.3, 0.299], margin: 0.1 },
  ],
};

function readRadii(radii: unknown): Vec2 {
  if (Array.isArray(radii) && radii.length === 2) return radii as unknown as Vec2; // createEllipse checks the numbers
  throw new InputError(`radii is ${JSON.stringify(radii)}`, 'radii is a list [x, y] in metres.');
}
