import { requireOneOf } from '../errors.ts';
import { box } from './box.ts';
import { capsule } from './capsule.ts';
import { requireKind, requirePoint } from './checks.ts';
import { cone } from './cone.ts';
import { convex } from './convex.ts';
import { cylinder } from './cylinder.ts';
import { ellipsoid } from './ellipsoid.ts';
import { frustum } from './frustum.ts';
import { halfspace } from './halfspace.ts';
import type { ConvexShape, ShapeDefinition, ShapeSpec } from './shape.ts';
import { sphere } from './sphere.ts';
import { createSupportShape, type SupportSpec } from './supportShape.ts';

/** Every kind of body there is: what scenes may name, tests run through and benches measure. */
export const shapes: Readonly<Record<string, ShapeDefinition>> = {
  box,
  sphere,
  cylinder,
  capsule,
  cone,
  frustum,
  ellipsoid,
  convex,
  halfspace,
};

/**
 * The body that a spec describes, checked field by field; InputError names the field and its value. Besides the table's shapes a
 * program may ask for one of its own making, `{ type: 'support', support }` (see SupportSpec).
 *
 * @param center point that growth is about, in the shape's own frame: by default the origin, for `convex` an interior point. A centre
 *   outside is not refused (see ConvexShape.innerRadius): distance and verdict do not depend on it.
 */
export function createShape(spec: ShapeSpec, center?: ArrayLike<number>): ConvexShape {
  if (spec.type === 'support') return createSupportShape(spec as SupportSpec, center);
  const definition = requireOneOf(shapes, 'shape', spec.type);
  for (const [field, kind] of Object.entries(definition.fields)) requireKind(field, kind, spec[field]);
  if (spec.margin !== undefined) requireKind('margin', 'length-or-zero', spec.margin);
  if (center !== undefined) requirePoint('center', center);
  return definition.create(spec, center);
}
