import * as z from 'zod';
import { angle, keys, length, three } from '../schemaParts.ts';

const lengths = z.array(length).length(2).optional().describe('least and greatest position; default: unlimited');
const angles = z.array(angle).length(2).optional().describe('least and greatest angle; default: unlimited');

/** Schema of `robot.base`. */
export const baseSchema = z
  .union(
    [
      z.enum(['planar', 'floating']),
      z.discriminatedUnion('type', [
        keys({ type: z.literal('rail'), axis: three('direction of the rail, nonzero'), range: lengths }),
        keys({ type: z.literal('planar'), x: lengths, y: lengths, theta: angles }),
        keys({ type: z.literal('floating'), x: lengths, y: lengths, z: lengths }),
      ]),
    ],
    { error: 'must be planar, floating, or a mapping with type: rail, planar or floating' },
  )
  .describe('joints before the root: the robot moves along a rail, on the plane z = 0 of its pose, or freely');

export type RawBase = z.infer<typeof baseSchema>;
