import { InputError } from '../../errors.ts';
import type { ShapeSpec } from '../shape.ts';

/** The number at a place of a spec, or an InputError that names the place. */
export function finite(value: unknown, place: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
  throw new InputError(`${place} is ${shown}`, 'A finite number is needed, in metres.');
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
