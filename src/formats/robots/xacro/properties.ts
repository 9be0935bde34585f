import { PythonError } from '../../python/budget.ts';
import { isIdentifier } from '../../python/pyTokens.ts';
import type { ExpansionState } from './expansionState.ts';
import type { Scope } from './scope.ts';
import type { TextEvaluator } from './textEvaluator.ts';
import type { XacroElement } from './xacroTree.ts';

/**
 * Defines or removes the property of a `<xacro:property>`: a value, or a block if it has none. A value is evaluated on
 * first use unless `lazy_eval` is false or its scope is not the local one.
 */
export function defineProperty(element: XacroElement, scope: Scope, state: ExpansionState, texts: TextEvaluator): void {
  const read = (name: string) => element.attributes.get(name);
  checkAttributes(state, element, ['name'], ['value', 'default', 'remove', 'scope', 'lazy_eval']);
  const name = texts.text(read('name')!, scope);
  if (!isIdentifier(name))
    throw new PythonError(`"${name}" cannot be the name of a property: it is no Python identifier`);
  if (name.startsWith('__')) throw new PythonError(`the property ${name} starts with two underscores`);
  const removes = texts.boolean(read('remove') ?? 'false', scope);
  const byDefault = read('default');
  if ([read('value'), byDefault, removes || undefined].filter((given) => given !== undefined).length > 1) {
    throw new PythonError(`property "${name}": value, default and remove exclude each other`);
  }
  if (removes && scope.has(name)) {
    scope.remove(name);
    return; // a missing one becomes an empty block, as in the reference
  }
  if (byDefault !== undefined && scope.has(name)) return;
  if (Object.hasOwn(scope.globals, name)) state.warn(`property "${name}" replaces a name of xacro`);

  const target = targetScope(read('scope'), scope, name, state);
  const text = read('value') ?? byDefault;
  if (text === undefined) {
    target.setBlock(`**${name}`, element);
    return;
  }
  const isLocal = !['global', 'parent'].includes(read('scope') ?? '');
  const isLazy = isLocal && texts.boolean(read('lazy_eval') ?? 'true', scope);
  target.set(name, isLazy ? text : texts.value(text, scope), isLazy, element.place);
}

/** Returns the scope that a property is defined in. */
function targetScope(given: string | undefined, scope: Scope, name: string, state: ExpansionState): Scope {
  if (given === 'global') return scope.top();
  if (given !== 'parent') {
    if (given !== undefined) state.warn(`property "${name}": the scope "${given}" is not known: parent or global`);
    return scope;
  }
  let target = scope.parent;
  while (target?.isNamespace && !scope.isNamespace) target = target.parent;
  if (target !== undefined) return target;
  throw new PythonError(`property "${name}": there is no scope around the global one`);
}

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
