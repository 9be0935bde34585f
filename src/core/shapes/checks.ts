import { InputError } from '../../errors.ts';
import { MAX_LENGTH } from '../math/magnitudes.ts';
import type { FieldKind } from './shape.ts';

/** Minimum length: the solvers multiply up to six lengths, and the product must not underflow. Absolute, metres. */
const MIN_LENGTH = 1e-30;
const NOTE = 'Lengths are in metres, from 1e-30 to 1e7.';

/** Throws `InputError` with the name of the field and its value unless the value is of the given kind. */
export function requireKind(field: string, kind: FieldKind, value: unknown): void {
  switch (kind) {
    case 'length':
      requireLength(field, value, false);
      return;
    case 'length-or-zero':
      requireLength(field, value, true);
      return;
    case 'lengths':
      requireList(field, value, 'three lengths', 3).forEach((x, i) => {
        requireLength(`${field}[${i}]`, x, false);
      });
      return;
    case 'direction':
      requirePoint(field, value);
      if ((value as number[]).every((x) => Math.abs(x) < MIN_LENGTH)) {
        throw new InputError(
          `${field} is [${(value as number[]).join(', ')}]`,
          `A direction requires a component of at least ${MIN_LENGTH}.`,
        );
      }
      return;
    case 'points':
      requirePoints(field, requireList(field, value, 'a list of points [x, y, z]'));
  }
}

function requirePoints(field: string, points: readonly unknown[]): void {
  if (points.length === 0) throw new InputError(`${field} is empty`, 'At least one point [x, y, z] is required.');
  for (let i = 0; i < points.length; i++) if (!isPoint(points[i])) requirePoint(`${field}[${i}]`, points[i]);
}

/**
 * Returns true for a valid point. Fast path for thousands of points: error texts are formatted only for invalid ones.
 */
function isPoint(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    isCoordinate(value[0]) &&
    isCoordinate(value[1]) &&
    isCoordinate(value[2])
  );
}

const isCoordinate = (x: unknown): boolean => typeof x === 'number' && Math.abs(x) <= MAX_LENGTH;

/** Throws `InputError` unless the value is one positive length or, if `zero`, zero. */
export function requireLength(field: string, value: unknown, zero: boolean): void {
  if (typeof value === 'number' && zero && value === 0) return;
  if (typeof value === 'number' && value >= MIN_LENGTH && value <= MAX_LENGTH) return;
  const missing = value === undefined ? 'is missing' : `is ${show(value)}`;
  const large = typeof value === 'number' && value > MAX_LENGTH && Number.isFinite(value);
  const wanted = large ? 'up to 1e7 m' : zero ? 'of 0 or more' : 'greater than 0';
  throw new InputError(`${field} ${missing}, must be a length ${wanted}`, NOTE);
}

/** Throws `InputError` unless the value is [x, y, z], three numbers from -1e7 to 1e7. */
export function requirePoint(field: string, value: unknown): void {
  requireList(field, value, 'three numbers', 3).forEach((x, i) => {
    if (isCoordinate(x)) return;
    const wanted = typeof x === 'number' && Number.isFinite(x) ? 'from -1e7 to 1e7' : 'a finite number';
    throw new InputError(`${field}[${i}] is ${show(x)}, must be ${wanted}`, NOTE);
  });
}

function requireList(field: string, value: unknown, what: string, length?: number): unknown[] {
  const list = ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : value;
  if (Array.isArray(list) && (length === undefined || list.length === length)) return list;
  const found =
    value === undefined ? 'is missing' : Array.isArray(list) ? `has ${list.length} values` : `is ${show(value)}`;
  throw new InputError(`${field} ${found}, must be ${what}`, NOTE);
}

/** Formats a value for an error message; long values are truncated. */
function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
