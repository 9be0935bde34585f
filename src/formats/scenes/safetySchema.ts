import * as z from 'zod';
import { angle, keys, length, quantity, three } from './schemaParts.ts';

/** Points that a safety plane may keep. */
const kept = z.enum(['tcp', 'elbow', 'tool']);

const limits = (unit: string) => z.record(z.string(), quantity(unit));

/** Schema of `safety`: limits of the cell, as the safety configuration of a controller states them. */
export const safetySchema = keys({
  planes: z
    .array(
      keys({
        name: z.string().min(1),
        point: three('metres'),
        normal: three('direction of the side that is out of bounds'),
        keep: z.array(kept).min(1).optional().describe('points that do not pass the plane; default: all'),
      }),
    )
    .optional(),
  tool: z
    .array(keys({ xyz: three('metres'), radius: length }))
    .optional()
    .describe("spheres in the frame of the TCP's link"),
  tool_direction: keys({
    axis: three('direction in the TCP frame'),
    towards: three('direction in the world'),
    within: angle,
  }).optional(),
  tcp_speed: quantity('m/s, or "250 mm/s"').optional(),
  elbow_speed: quantity('m/s, or "250 mm/s"').optional(),
  joint_speed: limits('rad/s or m/s; "180 deg/s"').optional(),
  joint_range: z
    .record(z.string(), z.array(angle).length(2))
    .optional()
    .describe('lower and upper limit of joints, within their own'),
  momentum: quantity('kg m/s, linear, of arm and loads; "25 kg m/s"').optional(),
  power: quantity('W, of the drives in either direction; "300 W"').optional(),
  stopping_time: quantity('s, of the shortest stop along the path from each instant; "400 ms"').optional(),
  stopping_distance: quantity('m, of the TCP and of the elbow in such a stop; "500 mm"').optional(),
}).describe('limits of the cell, kept at every instant; no safety function');

/** Schema of `clearance`. */
export const clearanceSchema = z
  .array(z.tuple([z.string().min(1), z.string().min(1), length]))
  .describe('least distances of single pairs of links and objects: [a, b, distance]; larger of it and padding');

export type RawSafety = z.infer<typeof safetySchema>;
export type RawClearance = z.infer<typeof clearanceSchema>;
