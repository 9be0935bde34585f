import * as z from 'zod';
import { MAX_JOINT_VALUE, MAX_LENGTH } from '../../core/math/magnitudes.ts';
import { keys } from '../scenes/sceneSchema.ts';

/** Numbers of the service are in SI units and have no unit suffix, because its clients are programs. */
export const number = z.number();
export const metres = number.min(-MAX_LENGTH).max(MAX_LENGTH);
export const radians = number.min(-MAX_JOINT_VALUE).max(MAX_JOINT_VALUE);
export const three = (meaning: string, component = metres) => z.array(component).length(3).describe(meaning);
export const name = z.string().min(1).max(200);

/** Joint values of a request. */
export const configuration = z
  .array(radians)
  .describe('one value per planned joint, in the order of `joints` of `describe`; rad, m');

/** Pose of a request. */
export const pose = keys({
  xyz: three('metres').optional(),
  rpy: three('radians; fixed axes, roll then pitch then yaw', radians).optional(),
  quat_wxyz: z.array(number).length(4).optional().describe('w, x, y, z; of length 1, within 1e-3'),
});
export type RawPose = z.infer<typeof pose>;

/** States the type of the values of a schema, which its JSON schema cannot. */
export const typed = <T>(schema: z.ZodType): z.ZodType<T> => schema as z.ZodType<T>;

/** Names of the two objects of a pair. */
export const pair = typed<readonly [string, string]>(z.array(z.string()).length(2)).describe(
  'a link or attached object and an obstacle, or two links or attached objects',
);

/** Parameters and result of a method. */
export interface MessageDefinition {
  readonly summary: string;
  readonly params: z.ZodType;
  readonly result: z.ZodType;
}

/** Tolerance of the limits of joints. */
export const startTolerance = number
  .min(0)
  .optional()
  .describe(
    'joint values out of limits by at most this: a start is clamped, a state or trajectory checked as it is; rad, m',
  );
