import * as z from 'zod';
import { keys, quantity, three } from '../schemaParts.ts';

const center = three('metres').optional();
const inertia = z
  .array(quantity('kg m²'), { error: 'inertia must be a list of six numbers: ixx, iyy, izz, ixy, ixz, iyz' })
  .length(6, { error: 'inertia must have six numbers: ixx, iyy, izz, ixy, ixz, iyz' })
  .optional()
  .describe('about the center of mass: ixx, iyy, izz, ixy, ixz, iyz');

/** Keys of an object that state its mass properties. */
export const massFields = {
  mass: quantity('kg; the object is a load where it is attached').optional(),
  density: quantity('kg/m³, instead of mass').optional(),
  center: center.describe('center of mass in the frame of the object; default: that of its shape'),
  inertia,
};

/** Schema of `payload`. */
export const payloadSchema = keys({ mass: quantity('kg'), center: center.describe('default: the origin'), inertia });

/** Mass properties of an object as written. */
export interface RawMass {
  readonly mass?: number | string | undefined;
  readonly density?: number | string | undefined;
  readonly center?: readonly (number | string)[] | undefined;
  readonly inertia?: readonly (number | string)[] | undefined;
}
