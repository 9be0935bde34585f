import { InputError, requireOneOf, suggestion } from '../../errors.ts';
import type { ShapeSpec } from '../shape.ts';
import { disc } from './disc.ts';
import type { PlanarShape, PlanarShapeDefinition } from './planarShape.ts';
import { polygon } from './polygon.ts';

/** The bodies of the plane, by the name that a spec's `type` gives. */
export const planarShapes: Readonly<Record<string, PlanarShapeDefinition>> = { polygon, disc };

/**
 * The body that a spec describes: {type: 'disc', radius: 0.2}, {type: 'polygon', points: [[x, y], …], margin: 0.01}.
 * Throws InputError for an unknown type, an unknown key or values that make no body.
 * @param center the point that the body grows about, own frame; default: the origin
 */
export function createPlanarShape(spec: ShapeSpec, center?: ArrayLike<number>): PlanarShape {
  const definition = requireOneOf(planarShapes, 'shape', spec.type);
  const known = ['type', 'margin', ...definition.fields];
  for (const key of Object.keys(spec)) {
    if (!known.includes(key)) throw new InputError(`unknown key "${key}" of a ${spec.type}`, suggestion(key, known));
  }
  return definition.create(spec, center);
}
