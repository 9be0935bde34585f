import { InputError } from '../../../errors.ts';
import { MAX_LENGTH } from '../../math/magnitudes.ts';
import type { ShapeSpec } from '../shape.ts';

/**
 * Returns a coordinate or length of a spec in metres; throws `InputError` with its place unless it is a finite number
 * within `MAX_LENGTH`.
 */
export function finite(value: unknown, place: string): number {
  if (typeof value === 'number' && Math.abs(value) <= MAX_LENGTH) return value;
  const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
  throw new InputError(`${place} is ${shown}`, `It must be a finite number in metres, from -1e7 to 1e7.`);
}

/** Returns the margin (rounding radius) of a spec, 0 by default. */
export function readMargin(spec: ShapeSpec): number {
  return spec.margin === undefined ? 0 : finite(spec.margin, 'margin');
}

/** Returns a length >= 0 in metres; throws `InputError` with its place otherwise. */
export function lengthOrZero(value: unknown, place: string): number {
  const length = finite(value, place);
  if (length < 0) throw new InputError(`${place} is ${length}`, 'It must not be negative.');
  return length;
}
