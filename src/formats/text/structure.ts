import type * as z from 'zod';
import { diagnosticsOf, MAX_ISSUES } from './schemaDiagnostics.ts';
import type { Diagnostic } from './sourceText.ts';

/** Substitute for the key `__proto__`, which the validation library skips. */
const PROTO_SUBSTITUTE = '\u0000__proto__';

/**
 * Limit of the values of a file that is validated: the validation library stores an issue for each invalid value, about
 * 400 bytes.
 */
const MAX_VALUES = 1_000_000;

/**
 * Validates the structure of parsed data, including keys `__proto__`. Returns the diagnostics; empty if the data is
 * valid.
 */
export function structureDiagnostics(schema: z.ZodType, data: unknown): Diagnostic[] {
  if (countValues(data) > MAX_VALUES)
    return [
      { path: [], what: `more than ${MAX_VALUES} values`, note: 'Put points and shapes into files of their own.' },
    ];
  const renamed = hasProtoKey(data) ? withSubstitutes(data, 0) : data;
  const { error } = schema.safeParse(renamed);
  return error === undefined ? [] : diagnosticsOf(error.issues.slice(0, MAX_ISSUES), renamed).map(restored);
}

/**
 * Checks whether any object in parsed data has a key `__proto__`. Iterative, because data may be nested deeper than the
 * call stack.
 */
export function hasProtoKey(data: unknown): boolean {
  const left: unknown[] = [data];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    for (const item of Array.isArray(value) ? value : Object.values(value)) {
      if (typeof item === 'object') left.push(item);
    }
  }
  return false;
}

/** Returns the number of values of parsed data, lists and objects included; stops beyond the limit. */
function countValues(data: unknown): number {
  const left: unknown[] = [data];
  let count = 1;
  while (left.length > 0 && count <= MAX_VALUES) {
    const value = left.pop();
    const items = Array.isArray(value) ? value : Object.values(value ?? {});
    count += items.length;
    if (count <= MAX_VALUES) for (const item of items) if (typeof item === 'object') left.push(item);
  }
  return count;
}

/** Depth to which keys are substituted, more than the depth of any schema. */
const MAX_DEPTH = 64;

/** Returns a copy of the data with keys `__proto__` renamed. */
function withSubstitutes(data: unknown, depth: number): unknown {
  if (typeof data !== 'object' || data === null || depth > MAX_DEPTH) return data;
  if (Array.isArray(data)) return data.map((item) => withSubstitutes(item, depth + 1));
  const entries = Object.entries(data).map(([key, value]) => [
    key === '__proto__' ? PROTO_SUBSTITUTE : key,
    withSubstitutes(value, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** Restores the key `__proto__` in a diagnostic. */
function restored(diagnostic: Diagnostic): Diagnostic {
  const { path, what, note } = diagnostic;
  return {
    ...diagnostic,
    path: path.map((key) => (key === PROTO_SUBSTITUTE ? '__proto__' : key)),
    what: originalText(what),
    ...(note === undefined ? {} : { note: originalText(note) }),
  };
}

const originalText = (text: string): string =>
  text.replaceAll(PROTO_SUBSTITUTE, '__proto__').replaceAll('\\u0000__proto__', '__proto__');
