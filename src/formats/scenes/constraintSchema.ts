import * as z from 'zod';
import { angle, keys, length, pose, quantity, three } from './schemaParts.ts';

const frame = keys({
  link: z.string().min(1).optional(),
  xyz: three('metres').optional(),
  rpy: pose.shape.rpy,
  quat_wxyz: pose.shape.quat_wxyz,
}).describe('frame fixed to a link; default: the TCP');

const common = { name: z.string().min(1).optional().describe('name in results; default: the type') };

const margin = { margin: length.optional().describe('rounding radius added all around') };

/** Shapes of regions. */
const shape = z.discriminatedUnion('type', [
  keys({ type: z.literal('box'), size: three('metres, greater than 0'), ...margin }),
  keys({ type: z.literal('sphere'), radius: length, ...margin }),
  keys({ type: z.literal('cylinder'), radius: length, length, ...margin }).describe('along z'),
  keys({ type: z.literal('capsule'), radius: length, length, ...margin }).describe('along z; the length without caps'),
  keys({ type: z.literal('cone'), radius: length, length, ...margin }).describe('along z, tip up'),
  keys({ type: z.literal('frustum'), radiusBottom: length, radiusTop: length, length, ...margin }).describe('along z'),
  keys({ type: z.literal('ellipsoid'), radii: three('metres, greater than 0'), ...margin }),
  keys({ type: z.literal('halfspace'), normal: three('outward normal of its plane, through the origin'), ...margin }),
  keys({ type: z.literal('convex'), points: z.array(three('metres')).min(1).max(60), ...margin }).describe(
    'hull of points; points in a plane need a margin',
  ),
]);

/** Schema of a path constraint. */
export const constraintSchema = z
  .discriminatedUnion('type', [
    keys({
      type: z.literal('tilt'),
      axis: three('direction in the frame'),
      towards: three('direction in the world'),
      within: angle,
      frame: frame.optional(),
      ...common,
    }).describe('a direction of the frame stays within an angle of a direction of the world'),
    keys({
      type: z.literal('orientation'),
      rpy: pose.shape.rpy,
      quat_wxyz: pose.shape.quat_wxyz,
      within: z.array(angle).length(3),
      frame: frame.optional(),
      ...common,
    }).describe('the rotation from an orientation, in its axes, component by component'),
    keys({
      type: z.literal('region'),
      shape,
      pose: pose.optional(),
      frame: frame.optional(),
      ...common,
    }).describe('the origin of the frame stays inside a shape'),
    keys({
      type: z.literal('speed'),
      most: quantity('m/s, or "250 mm/s"'),
      frame: frame.optional(),
      ...common,
    }).describe('limit of the speed of the origin of the frame'),
    keys({
      type: z.literal('joint'),
      joint: z.string().min(1),
      range: z.array(quantity('radians or metres')).length(2),
      ...common,
    }).describe('range of a joint'),
  ])
  .describe('a path constraint');

/** A path constraint as written in a file. */
export type RawConstraint = z.infer<typeof constraintSchema>;
