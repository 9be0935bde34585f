import { InputError, requireOneOf, suggestion } from '../../../errors.ts';
import type { ShapeSpec } from '../shape.ts';
import { disc } from './disc.ts';
import { ellipse } from './ellipse.ts';
import type { PlanarShape, PlanarShapeDefinition } from './planarShape.ts';
import { polygon } from './polygon.ts';
import { rectangle, stadium } from './rectangle.ts';

/** Table of the planar shapes by the `type` of a spec. */
export const planarShapes: Readonly<Record<string, PlanarShapeDefinition>> = {
  polygon,
  disc,
  ellipse,
  rectangle,
  stadium,
};

/**
 * Creates the planar shape that a spec describes: {type: 'disc', radius: 0.2}, {type: 'polygon', points: [[x, y], …],
 * margin: 0.01}. Throws `InputError` for an unknown type, an unknown key or invalid values.
 * @param center center of growth in the frame of the shape; default: the origin
 */
export function createPlanarShape(spec: ShapeSpec, center?: ArrayLike<number>): PlanarShape {
  const definition = requireOneOf(planarShapes, 'shape', spec.type);
  const known = ['type', 'margin', ...definition.fields];
  for (const key of Object.keys(spec)) {
    if (!known.includes(key)) throw new InputError(`unknown key "${key}" of a ${spec.type}`, suggestion(key, known));
  }
  return definition.create(spec, center);
}
