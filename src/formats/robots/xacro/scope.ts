import { PythonError } from '../../python/budget.ts';
import { parseFloatText, parseInteger } from '../../python/pyNumbers.ts';
import { PyNamespace, type PyValue } from '../../python/pyValues.ts';
import type { Place, XacroElement } from './xacroTree.ts';

/** A property: its value, or its text, which is evaluated when the property is first used. */
interface Property {
  value: PyValue;
  /** The text that has not been evaluated yet. */
  text: string | undefined;
  /** True while its text is evaluated. */
  evaluating: boolean;
  readonly place: Place;
}

/** Evaluates the text of a property in its own scope. */
export type EvaluateProperty = (name: string, text: string, scope: Scope, place: Place) => PyValue;

/** Built-in names of expressions: functions and constants. */
export type Globals = Readonly<Record<string, PyValue>>;

/** The properties and blocks of a file, macro call or namespace; those of the parent can be read as well. */
export class Scope {
  private readonly properties = new Map<string, Property>();
  private readonly blocks = new Map<string, XacroElement>();
  private readonly namespaces = new Map<string, ScopeNamespace>();
  readonly globals: Globals;
  /** Number of scopes from the outermost one to this one. */
  readonly depth: number;

  constructor(
    readonly parent: Scope | undefined,
    globals: Globals,
    private readonly evaluate: EvaluateProperty,
    readonly isNamespace = false,
  ) {
    this.globals = globals;
    this.depth = parent === undefined ? 1 : parent.depth + 1;
  }

  /** Returns a scope inside this one. */
  inner(isNamespace = false): Scope {
    return new Scope(this, this.globals, this.evaluate, isNamespace);
  }

  /** Returns the outermost scope. */
  top(): Scope {
    return this.parent?.top() ?? this;
  }

  /** Returns true if the name is a property of this scope or a scope around it, or a global name. */
  has(name: string): boolean {
    return this.owner(name) !== undefined || Object.hasOwn(this.globals, name);
  }

  /** Returns the value of a name; evaluates the text of a property that is used for the first time. */
  get(name: string): PyValue | undefined {
    const owner = this.owner(name);
    if (owner !== undefined) return owner.resolve(name);
    return Object.hasOwn(this.globals, name) ? this.globals[name] : undefined;
  }

  /** Returns all names that can be used, innermost first. */
  names(): string[] {
    return [...this.properties.keys(), ...(this.parent?.names() ?? Object.keys(this.globals))];
  }

  /** Defines a property. @param isLazy true: its text is evaluated when the property is first used */
  set(name: string, value: PyValue, isLazy: boolean, place: Place): void {
    const literal = literalOf(value);
    const text = isLazy && typeof literal === 'string' ? literal : undefined;
    this.properties.set(name, { value: literal, text, evaluating: false, place });
  }

  /** Removes a property from this scope and all scopes around it. */
  remove(name: string): void {
    this.properties.delete(name);
    this.parent?.remove(name);
  }

  /** Defines a block. @param name with its prefix: `*name` is an element, `**name` the content of one */
  setBlock(name: string, block: XacroElement): void {
    this.blocks.set(name, block);
  }

  /** Returns a block by its name with prefix; undefined if there is none. */
  block(name: string): XacroElement | undefined {
    return this.blocks.get(name) ?? this.parent?.block(name);
  }

  /** Defines the namespace of an included file. */
  setNamespace(name: string, scope: Scope, place: Place): void {
    const namespace = new ScopeNamespace(name, scope);
    this.namespaces.set(name, namespace);
    this.set(name, namespace, false, place);
  }

  /** Returns the scope of a namespace; undefined if there is none. */
  namespace(name: string): Scope | undefined {
    return this.namespaces.get(name)?.scope ?? this.parent?.namespace(name);
  }

  private owner(name: string): Scope | undefined {
    return this.properties.has(name) ? this : this.parent?.owner(name);
  }

  private resolve(name: string): PyValue {
    const property = this.properties.get(name)!;
    if (property.text === undefined) return property.value;
    if (property.evaluating) {
      throw new PythonError(
        `the definition of the property "${name}" needs the property itself`,
        'Define it from other properties, or state lazy_eval="false".',
      );
    }
    property.evaluating = true;
    property.value = literalOf(this.evaluate(name, property.text, this, property.place));
    property.text = undefined;
    property.evaluating = false;
    return property.value;
  }
}

/** Attributes of the object that the reference represents a namespace by: they hide properties of the same names. */
const HIDDEN = new Set(
  (
    'clear copy depth fromkeys get items keys parent pop popitem recursive root setdefault top unevaluated update ' +
    'values'
  ).split(' '),
);

/** A namespace as a value of expressions: `NAME.PROPERTY`. */
class ScopeNamespace extends PyNamespace {
  constructor(
    name: string,
    readonly scope: Scope,
  ) {
    super(
      name,
      (property) => {
        if (!HIDDEN.has(property)) return scope.get(property);
        throw new PythonError(
          `"${property}" of a namespace is not its property, but an attribute of its Python object`,
        );
      },
      () => scope.names(),
    );
  }
}

/**
 * Converts text that is a number or a boolean; removes single quotes around other text, which keep a number text.
 * Numbers with underscores stay text, as in the reference.
 */
function literalOf(value: PyValue): PyValue {
  if (typeof value !== 'string') return value;
  if (value.length >= 2 && value.startsWith("'") && value.endsWith("'")) return value.slice(1, -1);
  if (value.includes('_') || value.length > MAX_LITERAL) return value;
  if (value === 'true' || value === 'True') return true;
  if (value === 'false' || value === 'False') return false;
  return parseInteger(value) ?? parseFloatText(value) ?? value;
}

/** Characters. Longer texts are no numbers. */
const MAX_LITERAL = 400;
