import type * as z from 'zod';
import { keys, quantity } from '../schemaParts.ts';

/** Schema of `free`: mass and surface of an object that `settle` lets fall. */
export const freeSchema = keys({
  mass: quantity('kg').optional(),
  density: quantity('kg/m³, if no mass is given; default 1000').optional(),
  friction: quantity('coefficient of friction, 0 or more; default 0.5').optional(),
  restitution: quantity('coefficient of restitution, 0 to 1; default 0').optional(),
}).describe('the object is free: settle lets it fall; for all other commands it stands where it is');

export type RawFree = z.infer<typeof freeSchema>;
