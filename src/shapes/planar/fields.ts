import { InputError } from '../../errors.ts';
import { MAX_LENGTH } from '../../math/magnitudes.ts';
import type { ShapeSpec } from '../shape.ts';

/** The coordinate or length at a place of a spec, metres; InputError that names the place unless it is finite and within MAX_LENGTH. */
export function finite(value: unknown, place: string): number {
  if (typeof value === 'number' && Math.abs(value) <= MAX_LENGTH) return value;
  const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
  throw new InputError(`${place} is ${shown}`, `A finite number is needed, in metres, from -1e7 to 1e7.`);
}

/** Rounding radius of a spec, 0 by default. */
export function readMargin(spec: ShapeSpec): number {
  return spec.margin === undefined ? 0 : finite(spec.margin, 'margin');
}

/** A finite number >= 0, or an InputError that names the place. */
export function lengthOrZero(value: unknown, place: string): number {
  const length = finite(value, place);
  if (length < 0) throw new InputError(`${place} is ${length}`, 'It must not be negative.');
  return length;
}
