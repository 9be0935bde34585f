import { InputError } from '../errors.ts';
import type { FieldKind } from './shape.ts';

/**
 * Lengths outside these are refused: the solvers multiply up to six of them, which must neither overflow nor vanish. Absolute,
 * metres; a body of real life is far from both.
 */
const SHORTEST = 1e-30;
const LONGEST = 1e30;
const NOTE = `Lengths are in metres, from ${SHORTEST} to ${LONGEST}.`;

/** Throws an InputError that names the field, and the value, unless it is what the kind asks for. */
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
      if ((value as number[]).every((x) => x === 0)) {
        throw new InputError(`${field} is [0, 0, 0]`, 'A direction needs a component that is not zero.');
      }
      return;
    case 'points':
      requirePoints(field, requireList(field, value, 'a list of points [x, y, z]'));
  }
}

function requirePoints(field: string, points: readonly unknown[]): void {
  if (points.length === 0) throw new InputError(`${field} is empty`, 'Give at least one point [x, y, z].');
  for (let i = 0; i < points.length; i++) if (!isPoint(points[i])) requirePoint(`${field}[${i}]`, points[i]);
}

/** Whether that is all right: asked of thousands, whose names are not worth writing out. */
function isPoint(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    isCoordinate(value[0]) &&
    isCoordinate(value[1]) &&
    isCoordinate(value[2])
  );
}

const isCoordinate = (x: unknown): boolean => typeof x === 'number' && Math.abs(x) <= LONGEST;

/** Throws an InputError unless the value is one length, greater than zero or (if `zero`) zero. */
export function requireLength(field: string, value: unknown, zero: boolean): void {
  if (typeof value === 'number' && zero && value === 0) return;
  if (typeof value === 'number' && value >= SHORTEST && value <= LONGEST) return;
  const missing = value === undefined ? 'is missing' : `is ${show(value)}`;
  throw new InputError(`${field} ${missing}, must be a length ${zero ? 'of 0 or more' : 'greater than 0'}`, NOTE);
}

/** Throws an InputError unless the value is [x, y, z] of finite numbers. */
export function requirePoint(field: string, value: unknown): void {
  requireList(field, value, 'three numbers', 3).forEach((x, i) => {
    if (isCoordinate(x)) return;
    throw new InputError(`${field}[${i}] is ${show(x)}, must be a finite number`, NOTE);
  });
}

function requireList(field: string, value: unknown, what: string, length?: number): unknown[] {
  const list = ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : value;
  if (Array.isArray(list) && (length === undefined || list.length === length)) return list;
  const found =
    value === undefined ? 'is missing' : Array.isArray(list) ? `has ${list.length} values` : `is ${show(value)}`;
  throw new InputError(`${field} ${found}, must be ${what}`, NOTE);
}

/** A value as a person wrote it, cut where it gets long. */
function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
