import { nearestName } from '../../../errors.ts';
import { PythonError } from '../../python/budget.ts';
import type { Scope } from './scope.ts';
import type { XacroElement } from './xacroTree.ts';

/** A parameter of a macro. */
export interface MacroParameter {
  /** Name; that of a block begins with * (an element) or ** (the content of an element). */
  readonly name: string;
  /** Text of its default; undefined if it has none. */
  readonly value: string | undefined;
  /** True if a property of the caller with its name is the default (`^`). */
  readonly forwards: boolean;
}

/** A macro. */
export interface Macro {
  readonly name: string;
  readonly body: XacroElement;
  readonly parameters: readonly MacroParameter[];
}

/** The macros of a file, macro call or namespace; those of the parent can be called as well. */
export class MacroScope {
  private readonly macros = new Map<string, Macro>();
  private readonly namespaces = new Map<string, MacroScope>();

  constructor(private readonly parent?: MacroScope) {}

  set(macro: Macro): void {
    this.macros.set(macro.name, macro);
  }

  get(name: string): Macro | undefined {
    return this.macros.get(name) ?? this.parent?.get(name);
  }

  setNamespace(name: string, macros: MacroScope): void {
    this.namespaces.set(name, macros);
  }

  namespace(name: string): MacroScope | undefined {
    return this.namespaces.get(name) ?? this.parent?.namespace(name);
  }

  names(): string[] {
    const own = [...this.macros.keys()];
    const nested = [...this.namespaces].flatMap(([name, inner]) => inner.names().map((macro) => `${name}.${macro}`));
    return [...own, ...nested, ...(this.parent?.names() ?? [])];
  }
}

/** A macro with the scopes that its body sees: those of its namespace, or else of the caller. */
export interface ResolvedMacro {
  readonly macro: Macro;
  readonly macros: MacroScope;
  readonly scope: Scope;
}

/** Finds a macro by name or NAMESPACE.name. Throws `PythonError` if there is none. */
export function resolveMacro(fullName: string, macros: MacroScope, scope: Scope): ResolvedMacro {
  const direct = macros.get(fullName);
  if (direct !== undefined) return { macro: direct, macros, scope };
  const path = fullName.split('.');
  const name = path.pop()!;
  let inner: MacroScope | undefined = path.length === 0 ? undefined : macros;
  let properties: Scope | undefined = scope;
  for (const namespace of path) {
    inner = inner?.namespace(namespace);
    properties = properties?.namespace(namespace);
  }
  const macro = inner?.get(name);
  if (macro !== undefined) return { macro, macros: inner!, scope: properties! };
  const known = macros.names();
  const near = known.find((other) => other.endsWith(`.${fullName}`)) ?? nearestName(fullName, known);
  throw new PythonError(
    `there is no macro "${fullName}"`,
    near === undefined ? 'Is the file that defines it included?' : `Did you mean "${near}"?`,
  );
}

/**
 * Reads the parameters of a macro: `name`, `name:=default`, `name:=^` (the property of the caller), `name:=^|default`,
 * `*block`, `**blocks`; `=` means the same as `:=`. Throws `PythonError` for a default whose quote is not closed.
 */
export function parseParameters(text: string): MacroParameter[] {
  const parameters: MacroParameter[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [start, name, forward] = /^([^\s:=]+?)\s*:?=\s*(\^\|?)?/.exec(rest) ?? [];
    if (start === undefined) {
      const [word] = /^\S+/.exec(rest)!;
      parameters.push({ name: word, value: undefined, forwards: false });
      rest = rest.slice(word.length).trim();
      continue;
    }
    const value = defaultAt(rest.slice(start.length));
    parameters.push({ name, value: value === '' ? undefined : value, forwards: forward !== undefined });
    rest = rest.slice(start.length + value.length).trim();
  }
  return parameters;
}

/** Returns the default at the start of a text: an expression, or words and quoted texts without blanks between them. */
function defaultAt(text: string): string {
  const close = text.startsWith('${') ? '}' : text.startsWith('$(') ? ')' : undefined;
  if (close !== undefined) {
    for (let end = text.indexOf(close); end >= 0; end = text.indexOf(close, end + 1)) {
      if (end + 1 === text.length || /\s/.test(text[end + 1])) return text.slice(0, end + 1);
    }
  }
  let end = 0;
  while (end < text.length && !/\s/.test(text[end])) {
    const quote = text[end] === "'" || text[end] === '"' ? text.indexOf(text[end], end + 1) : end;
    if (quote < 0) throw new PythonError(`params: the quote in ${text.slice(0, 40)} is not closed`);
    end = quote + 1;
  }
  return text.slice(0, end);
}
