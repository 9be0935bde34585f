/** A value of a scene file. */
export type YamlValue =
  | string
  | number
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue | undefined };

/** Texts that YAML reads as strings without quotes: names, and numbers with a unit. */
const PLAIN = /^(?:[A-Za-z_][\w-]*(?: [A-Za-z_][\w-]*)*|-?\d+(?:\.\d+)? (?:mm|cm|m|deg|rad))$/;
/** Names that YAML 1.1 or 1.2 reads as other values. */
const NOT_STRINGS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

/**
 * Formats a value in one line, as YAML or as JSON. Keys without value are omitted. Numbers are exact: reading returns
 * the same bits, except that −0 becomes 0.
 */
export function flowText(value: YamlValue, isJson: boolean): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return textOf(value, isJson);
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, isJson)).join(', ')}]`;
  const pairs = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${textOf(key, isJson)}: ${flowText(item, isJson)}`],
  );
  return `{${pairs.join(', ')}}`;
}

function textOf(value: string, isJson: boolean): string {
  return !isJson && PLAIN.test(value) && !NOT_STRINGS.test(value) ? value : JSON.stringify(value);
}

/** Returns a text in which all lines but the first one are indented. */
export const indented = (text: string, columns: number, eol: string): string =>
  text.trimEnd().replaceAll(/\r?\n/g, `${eol}${' '.repeat(columns)}`);
