import type * as z from 'zod';
import { complaintsOf } from './schemaDiagnostics.ts';
import type { Complaint } from './sourceText.ts';

/** Validation passes over keys called `__proto__`; under this name it does not. */
const STAND_IN = '\u0000__proto__';

/** What is wrong with the structure of parsed data, keys called `__proto__` included; empty if nothing is. */
export function structureComplaints(schema: z.ZodType, data: unknown): Complaint[] {
  const renamed = hasProtoKey(data) ? withStandIns(data, 0) : data;
  const { error } = schema.safeParse(renamed);
  return error === undefined ? [] : complaintsOf(error.issues, renamed).map(restored);
}

/** True if an object within parsed data has a key `__proto__`. Data may be nested deeper than the call stack. */
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

/** Deeper than any schema reaches. */
const DEEPEST = 64;

/** A copy of the data with keys `__proto__` renamed. */
function withStandIns(data: unknown, depth: number): unknown {
  if (typeof data !== 'object' || data === null || depth > DEEPEST) return data;
  if (Array.isArray(data)) return data.map((item) => withStandIns(item, depth + 1));
  const entries = Object.entries(data).map(([key, value]) => [
    key === '__proto__' ? STAND_IN : key,
    withStandIns(value, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

function restored(complaint: Complaint): Complaint {
  const { path, what, note } = complaint;
  return {
    ...complaint,
    path: path.map((key) => (key === STAND_IN ? '__proto__' : key)),
    what: originalText(what),
    ...(note === undefined ? {} : { note: originalText(note) }),
  };
}

const originalText = (text: string): string =>
  text.replaceAll(STAND_IN, '__proto__').replaceAll('\\u0000__proto__', '__proto__');
