import * as z from 'zod';
import { keys, pose } from '../schemaParts.ts';

/** SHA-256 in hexadecimal digits. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Keys of a robot that name its files. */
export const robotFileKeys = {
  name: z.string().min(1).optional().describe('name of a built-in robot'),
  urdf: z.string().min(1).optional().describe('path relative to this file; or the text of a URDF, which begins with <'),
  args: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('arguments of a robot file in xacro: $(arg NAME)'),
  srdf: z.string().min(1).optional().describe('path relative to this file; or the text of an SRDF'),
  joint_limits: z
    .string()
    .min(1)
    .optional()
    .describe('joint_limits.yaml of MoveIt, a path relative to this file: the stricter of two values holds'),
  calibration: z
    .string()
    .min(1)
    .optional()
    .describe('calibration that the driver of Universal Robots extracted, a path relative to this file'),
  meshes: z
    .record(z.string(), sha256)
    .optional()
    .describe('of a URDF given as text: SHA-256 of the embedded mesh of each address'),
  packages: z.record(z.string(), z.string()).optional().describe('folder of each package that a package:// URI names'),
};

/** Schema of a robot that is mounted on the robot. */
export const mountSchema = keys({
  ...robotFileKeys,
  link: z.string().min(1).optional().describe('link that it is fixed to; default: the end of the robot'),
  pose: pose.optional().describe('pose of its root in the frame of that link; default: none'),
  prefix: z.string().optional().describe('of the names of its links, joints and groups; default: none'),
});

export type RawMount = z.infer<typeof mountSchema>;
