import { PythonError } from '../../python/pythonError.ts';
import type { ExpansionState } from './expansionState.ts';
import type { XacroElement } from './xacroTree.ts';

/**
 * Throws `PythonError` if an element lacks a required attribute; warns about unknown ones, as the reference does.
 */
export function checkAttributes(
  state: ExpansionState,
  element: XacroElement,
  required: readonly string[],
  optional: readonly string[],
): void {
  const missing = required.find((name) => !element.attributes.has(name));
  if (missing !== undefined) throw new PythonError(`<${element.name}> has no ${missing}`);
  const known = [...required, ...optional];
  const extra = [...element.attributes.keys()].filter((name) => !known.includes(name) && !name.startsWith('xmlns:'));
  if (extra.length > 0) state.warn(`<${element.name}>: unknown attributes: ${extra.join(', ')}`);
}

/** Throws `PythonError` unless the text can be the name of an element or attribute. */
export function requireXmlName(name: string, what: string): void {
  if (!/^[\p{L}_][\p{L}\p{N}_.:-]*$/u.test(name))
    throw new PythonError(`"${name.slice(0, 60)}" cannot be the name of an ${what}`);
}
