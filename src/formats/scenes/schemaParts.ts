import * as z from 'zod';

/** Replaces the message of an object's `unrecognized_keys` issue by its known keys, for "did you mean". */
const known = (shape: object) => (issue: { code?: string }) =>
  issue.code === 'unrecognized_keys' ? Object.keys(shape).join(',') : undefined;

/** Returns an object schema that rejects unknown keys with "did you mean". */
export function keys<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, { error: known(shape) as never });
}

/** Schema of a number, which may be a text with a unit or an expression. */
export const quantity = (meaning: string) =>
  z
    .union([z.number(), z.string()], { error: 'must be a number, or a text such as "20 mm", "-90 deg", "pi/2"' })
    .describe(meaning);
/** Schema of three numbers. */
export const three = (meaning: string) => z.array(quantity(meaning)).length(3);
export const length = quantity('metres, or a length such as "20 mm"');
export const angle = quantity('radians, or an angle such as "-90 deg"');

/** Schema of a pose. */
export const pose = keys({
  xyz: three('metres').optional(),
  rpy: three('radians; fixed axes, roll then pitch then yaw').optional(),
  quat_wxyz: z.array(quantity('w, x, y, z; of length 1, within 1e-3')).length(4).optional(),
}).describe('placement; default: none');
