import * as z from 'zod';
import { type MeshDecomposerName, meshParts } from '../../core/hulls/meshParts.ts';
import { shapes } from '../../core/shapes/index.ts';
import type { FieldKind, ShapeDefinition } from '../../core/shapes/shape.ts';
import { freeSchema } from './free/freeSchema.ts';
import { massFields } from './loads/massSchema.ts';
import { motionSchema } from './motionSchema.ts';
import { keys, length, pose, quantity, three } from './schemaParts.ts';

const fieldSchemas: Readonly<Record<FieldKind, z.ZodType>> = {
  length,
  'length-or-zero': length,
  lengths: three('metres, greater than 0'),
  points: z.array(three('metres')).min(1),
  direction: three('nonzero vector'),
};

/** How meshes become convex shapes. */
export const parts = z
  .enum(Object.keys(meshParts) as MeshDecomposerName[])
  .describe(
    'hull: each mesh becomes its convex hull; decompose: several convex parts if one hull exceeds the mesh too much',
  );

const meshFields = {
  file: z.string().min(1).describe('STL, OBJ, DAE or PLY; the path is relative to this file'),
  scale: z
    .union([z.number(), z.array(z.number()).length(3)], { error: 'must be a number or three of them' })
    .optional(),
  parts: parts.optional(),
};

const cloudFields = {
  file: z.string().min(1).optional().describe('PCD, PLY or XYZ; the path is relative to this file'),
  points: z.array(three('metres')).min(1).optional().describe('instead of file'),
  radius: quantity('radius of the sphere about each point: metres, or a length such as "5 mm"'),
  scale: meshFields.scale,
};

const fieldFields = {
  file: z
    .string()
    .min(1)
    .optional()
    .describe('text file of numbers, one row per line; the path is relative to this file'),
  heights: z
    .array(z.array(length).min(2))
    .min(2)
    .optional()
    .describe('instead of file: rows along x, row after row along y'),
  cell: z.array(length).length(2).describe('grid spacing along x and along y, metres'),
  base: length.optional().describe('bottom of the solid; default: the lowest height'),
};

export const clouds = { cloud: { fields: cloudFields, summary: 'point cloud: a sphere about each point' } };
/** Kinds of obstacles besides shapes and meshes. Height fields cannot be attached to links. */
const obstacleKinds = {
  ...clouds,
  heightfield: { fields: fieldFields, summary: 'height field: a grid of heights, solid below' },
};

const placed = { name: z.string().min(1).optional(), pose: pose.optional() };

/** Returns the schema of bodies: of every kind in the table of shapes, and meshes. */
export function bodies<T extends z.core.$ZodLooseShape>(
  more: T,
  besides: Partial<typeof obstacleKinds> = {},
  named: z.core.$ZodLooseShape = placed,
) {
  const common = { ...named, margin: length.optional(), ...more };
  const primitive = ([type, { fields, summary }]: [string, ShapeDefinition]) =>
    keys({
      type: z.literal(type),
      ...Object.fromEntries(Object.entries(fields).map(([field, kind]) => [field, fieldSchemas[kind]])),
      ...common,
    }).describe(summary);
  const [first, ...rest] = Object.entries(shapes).map(primitive);
  return z.discriminatedUnion('type', [
    first,
    ...rest,
    keys({ type: z.literal('mesh'), ...meshFields, ...common }).describe(
      'mesh file: its convex hull, or several convex parts',
    ),
    ...Object.entries(besides).map(([type, { fields, summary }]) =>
      keys({ type: z.literal(type), ...fields, ...common }).describe(summary),
    ),
  ]);
}

export const unknownSpeed = quantity(
  'gate: speed at which an object may have moved since it was seen: m/s, or a text such as "1.6 m/s"',
);

/** Structure of an obstacle of a scene. */
export const obstacleSchema = bodies(
  {
    motion: motionSchema.optional(),
    free: freeSchema.optional(),
    unknown_speed: unknownSpeed.optional(),
    ...massFields,
  },
  obstacleKinds,
);
