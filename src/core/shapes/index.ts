import { requireOneOf } from '../../errors.ts';
import { box } from './box.ts';
import { capsule } from './capsule.ts';
import { requireKind, requirePoint } from './checks.ts';
import { cone } from './cone.ts';
import { convex, unindexedHull } from './convex.ts';
import { cylinder } from './cylinder.ts';
import { ellipsoid } from './ellipsoid.ts';
import { frustum } from './frustum.ts';
import { halfspace } from './halfspace.ts';
import { keepShape, keptShape } from './keptShapes.ts';
import type { ConvexShape, ShapeDefinition, ShapeSpec } from './shape.ts';
import { sphere } from './sphere.ts';
import { createSupportShape, type SupportSpec } from './supportShape.ts';

/** Table of the shapes that scenes may name; contract tests and benchmarks run every entry. */
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
 * Returns the shape that a spec describes: for an unchanged list of points the same as before. Checks every field;
 * throws `InputError` with the name of the field and its value. Besides the shapes of the table, a program may define
 * its own by a support function: `{ type: 'support', support }` (see `SupportSpec`).
 *
 * @param center center of growth in the frame of the shape: by default the origin, for `convex` an interior point. A
 *   center outside the shape is accepted (see `ConvexShape.innerRadius`): distance and verdict do not depend on it.
 */
export function createShape(spec: ShapeSpec, center?: ArrayLike<number>): ConvexShape {
  if (spec.type === 'support') return createSupportShape(spec as SupportSpec, center);
  const known = center === undefined ? keptShape(spec) : undefined;
  if (known) return known;
  const definition = definitionOf(spec);
  if (center !== undefined) requirePoint('center', center);
  const shape = definition.create(spec, center);
  if (center === undefined) keepShape(spec, shape);
  return shape;
}

/**
 * Returns the shape of a group of points of a cloud: as `createShape`, for points that are replaced before their shape
 * was used often.
 */
export function createCloudShape(spec: ShapeSpec): ConvexShape {
  definitionOf(spec);
  return unindexedHull(spec.points as ArrayLike<number>[], spec.margin ?? 0);
}

/** Returns the definition of a spec after a check of each field by its kind. */
function definitionOf(spec: ShapeSpec): ShapeDefinition {
  const definition = requireOneOf(shapes, 'shape', spec.type);
  for (const [field, kind] of Object.entries(definition.fields)) requireKind(field, kind, spec[field]);
  if (spec.margin !== undefined) requireKind('margin', 'length-or-zero', spec.margin);
  return definition;
}
