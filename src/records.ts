/**
 * The value that a record has under a name of somebody else's choice; undefined if it has none. A plain index would also find what every
 * object inherits: `constructor`, `toString`, `__proto__`.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
