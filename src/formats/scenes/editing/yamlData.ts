import type { CST, YAMLMap, YAMLSeq } from 'yaml';
import { readQuantity } from '../../text/numbers.ts';
import type { Path } from '../../text/sourceText.ts';
import type { YamlValue } from './yamlFlow.ts';

/** Data of a YAML document, or undefined where there is none. */
export type YamlData = YamlValue | undefined;

/** A sequence of a document, in brackets or of one line per item. */
export type Sequence = YAMLSeq & { readonly srcToken: CST.BlockSequence | CST.FlowCollection };

/** True if a mapping or sequence is written in braces or brackets. */
export const isFlow = (node: unknown): boolean => (node as YAMLMap | undefined)?.srcToken?.type === 'flow-collection';

/** True if a text is a JSON object. */
export function isJson(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(data: YamlData, path: Path): YamlData {
  let value: YamlData = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, YamlValue>)[key];
  }
  return value;
}

/** Returns the data with another value at a path. */
export function replaceAt(data: YamlValue, path: Path, value: YamlValue): YamlValue {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = (known: YamlData) => (rest.length === 0 ? value : replaceAt(known ?? {}, rest, value));
  if (Array.isArray(data)) return data.map((item, i) => (i === key ? inner(item) : item));
  const record = data as { readonly [key: string]: YamlValue };
  return { ...record, [key]: inner(record[key]) };
}

/** True if a number is written as a quantity with a unit, such as `20 mm`. */
export function isWritten(known: YamlData, value: YamlValue): boolean {
  if (typeof known !== 'string' || typeof value !== 'number') return false;
  const quantity = readQuantity(known, undefined);
  return typeof quantity !== 'string' && quantity.value === value;
}

/** True if two values are equal; the order of keys and the sign of 0 do not matter. */
export function isSame(a: YamlData, b: YamlData): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b] as Record<string, YamlValue>[];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  );
}
