import * as z from 'zod';
import { keys, pose } from '../schemaParts.ts';

/** Keys of a robot that name its files. */
export const robotFileKeys = {
  name: z.string().min(1).optional().describe('name of a built-in robot'),
  urdf: z.string().min(1).optional().describe('path relative to this file'),
  args: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('arguments of a robot file in xacro: $(arg NAME)'),
  srdf: z.string().min(1).optional(),
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
