import type { Choices } from './choices.ts';
import { inIntegers } from './operators.ts';
import { effectiveNames } from './scriptNames.ts';
import type { Definition, Script } from './syntax.ts';
import { ScriptProblem } from './tokens.ts';
import {
  createList,
  isInteger,
  isSurelyInteger,
  type ListValue,
  MAX_DEPTH,
  type Value,
  withUnknownType,
} from './values.ts';

/** The variables of one execution of a function. */
export interface Frame {
  readonly definition: Definition | undefined;
  /** True if the variables of the frame are the global ones. */
  readonly isFirstLevel: boolean;
  readonly values: Map<string, Variable>;
  /** True if no variable is visible, as in the default of a parameter. */
  readonly isConstant?: boolean;
}

interface Variable {
  value: Value;
  /** Type of the first assigned value. */
  readonly type: string;
  /** True if that value is of integers for every controller. */
  readonly isCertain: boolean;
}

/** Types of variables of integers, and of the values whose fractions they may keep or not. */
const CUT: ReadonlyMap<string, string> = new Map([
  ['integer', 'float'],
  ['list of integers', 'list'],
]);

const NOTE_GLOBAL = 'Declare it with local or global where it is assigned, or choose another name.';

/**
 * Stores the variables by the scoping rules of the script manual: variables of the first level are global; any other is
 * global if a global variable has its name, else local. The manual does not specify when this is decided, nor whether a
 * nested function shares the variables of the enclosing one; programs that depend on either are rejected.
 */
export class Variables {
  /** Number of assignments to global variables so far. */
  effects = 0;
  private readonly globals = new Map<string, Variable>();
  /** Names that are global at any time during execution. */
  private readonly globalNames: ReadonlySet<string>;

  /** Names of global variables whose value is unknown, since a parameter of the same name may shadow or change them. */
  private readonly unclear = new Set<string>();
  private effective: ReadonlySet<string> | undefined;
  /** Number of active calls that have a parameter of the name. */
  private readonly shadowing = new Map<string, number>();

  /** @param choices of this execution, if the program may have several */
  constructor(
    private readonly script: Script,
    program: Definition | undefined,
    private readonly choices: Choices | undefined,
  ) {
    this.globalNames = new Set([...script.globals, ...(program?.variables ?? [])]);
  }

  read(frame: Frame, name: string, line: number): Value {
    const { variable } = this.find(frame, name, line);
    if (variable === undefined) throw new ScriptProblem(line, `${name} has no value`, 'Assign it first.');
    return variable.value;
  }

  assign(frame: Frame, scope: 'free' | 'global' | 'local', name: string, given: Value, line: number): void {
    const place = this.placeOf(frame, scope, name, line);
    const before = place.get(name);
    const kept = this.fitted(name, before, given, line);
    const isFirst = before === undefined || typeOf(kept) === CUT.get(before.type);
    const type = isFirst ? typeOf(kept) : before.type;
    const isCertain = isFirst ? isSurelyInteger(kept) : before.isCertain;
    const value = isCertain ? kept : withUnknownType(kept);
    if (value.kind === 'list') value.owners++;
    if (before?.value.kind === 'list') before.value.owners--;
    place.set(name, { value, type, isCertain });
    if (place === this.globals) {
      this.changeGlobal(name, line);
      this.unclear.delete(name);
    } else this.noteParameter(frame, name);
  }

  /** Declares a parameter with its value. @param standard its default, whose type it may have */
  declare(frame: Frame, name: string, given: Value, standard: Value | undefined, line: number): void {
    const type = standard && typeOf(standard);
    const cut = type && CUT.get(type);
    const isCut = cut === typeOf(given) || (cut && given.kind === 'number of a computed rotation vector');
    const before = type && isCut ? { type, isCertain: false } : undefined;
    const value = withUnknownType(this.fitted(name, before, given, line));
    if (value.kind === 'list') value.owners++;
    frame.values.set(name, { value, type: typeOf(value), isCertain: false });
    this.shadowing.set(name, (this.shadowing.get(name) ?? 0) + 1);
    if (!isSame(this.globals.get(name)?.value, value)) this.noteParameter(frame, name);
  }

  /** Returns what a variable of a type becomes that is assigned a value. */
  private fitted(
    name: string,
    before: Pick<Variable, 'type' | 'isCertain'> | undefined,
    given: Value,
    line: number,
  ): Value {
    if (before === undefined) return given;
    const isCut = CUT.get(before.type) === typeOf(given);
    if (isCut && this.choices) return inIntegers(given, before.isCertain, line, this.choices);
    requireType(name, before.type, given, line);
    return given;
  }

  /** Ends the execution of a function: removes its variables from the owners of their lists. */
  release(frame: Frame): void {
    for (const { value } of frame.values.values()) if (value.kind === 'list') value.owners--;
    for (const { name } of frame.definition!.parameters) this.shadowing.set(name, this.shadowing.get(name)! - 1);
  }

  assignElement(frame: Frame, name: string, list: ListValue, at: number, value: Value, line: number): void {
    const { variable, isGlobal } = this.find(frame, name, line);
    const isFlat = value.kind === 'number' && list.items.every(({ kind }) => kind === 'number');
    if (!isFlat) throw new ScriptProblem(line, `an element of ${name} is assigned a ${value.kind}`, 'Assign numbers.');
    if (list.owners > 1)
      throw new ScriptProblem(
        line,
        `${name} is changed, and was assigned to another variable`,
        'Whether lists are copied depends on the controller: write the list out for each.',
      );
    const items = [...list.items];
    items[at] = value;
    const changed: ListValue = { ...createList(items), owners: 1 };
    requireType(name, variable!.type, changed, line);
    variable!.value = changed;
    if (isGlobal) this.changeGlobal(name, line);
    else this.noteParameter(frame, name);
  }

  /** Writes the values of the global variables, and of those of functions, that moves or conditions may depend on. */
  stateText(frames: readonly Frame[]): string | undefined {
    this.effective ??= effectiveNames(this.script);
    const state = new StateText(this.effective);
    state.add(this.globals);
    for (const { values } of frames) state.add(values);
    state.addText([...this.unclear].sort().join());
    return state.text;
  }

  private changeGlobal(name: string, line: number): void {
    this.effects++;
    if ((this.shadowing.get(name) ?? 0) > 0) throw unclearParameter(name, line);
  }

  /** Marks the global variable as unclear if a parameter of its name has, or is assigned, another value. */
  private noteParameter({ definition }: Frame, name: string): void {
    if (!this.globalNames.has(name) || definition!.locals.has(name)) return;
    if (definition!.parameters.some((parameter) => parameter.name === name)) this.unclear.add(name);
  }

  private globalOf(name: string, line: number): Variable | undefined {
    if (!this.unclear.has(name)) return this.globals.get(name);
    throw unclearParameter(name, line);
  }

  private placeOf(frame: Frame, scope: 'free' | 'global' | 'local', name: string, line: number) {
    if (frame.isFirstLevel) return this.globals;
    if (scope === 'local') return frame.values;
    if (scope === 'global') {
      if (!frame.values.has(name) && !frame.definition!.locals.has(name)) return this.globals;
      throw new ScriptProblem(line, `${name} is local and global`, 'Choose another name.');
    }
    return this.find(frame, name, line).isGlobal ? this.globals : frame.values;
  }

  private find(frame: Frame, name: string, line: number): { variable: Variable | undefined; isGlobal: boolean } {
    const { definition, values } = frame;
    if (frame.isConstant) throw new ScriptProblem(line, `${name} in the default of a parameter`, 'Write its value.');
    if (frame.isFirstLevel) return { variable: this.globalOf(name, line), isGlobal: true };
    if (values.has(name)) return { variable: values.get(name), isGlobal: false };
    if (definition!.locals.has(name))
      throw new ScriptProblem(
        line,
        `${name} before it is declared local`,
        'Declare it at the beginning of the function.',
      );
    if (this.globals.has(name)) return { variable: this.globalOf(name, line), isGlobal: true };
    if (this.globalNames.has(name))
      throw new ScriptProblem(line, `${name} before it is assigned as a global variable`, NOTE_GLOBAL);
    for (let outer = definition!.parent; outer !== undefined; outer = outer.parent)
      if (outer.variables.has(name))
        throw new ScriptProblem(line, `${name} is also a variable of ${outer.name} around this function`, NOTE_GLOBAL);
    return { variable: undefined, isGlobal: false };
  }
}

const unclearParameter = (name: string, line: number) =>
  new ScriptProblem(
    line,
    `${name} is global, and a parameter of a function that was called`,
    'Whether the parameter is the global variable depends on the controller: choose another name.',
  );

/** Checks whether a and b are the same list, or equal values of the same kind. */
function isSame(a: Value | undefined, b: Value): boolean {
  if (a === b || a?.kind !== b.kind || a.kind === 'list') return a === b;
  if (a.kind === 'text' && b.kind === 'text') return a.value === b.value;
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Returns the type of a value. A variable keeps the type of its first assignment, because it is unknown whether a float
 * that is assigned to an integer variable is rounded.
 */
function typeOf(value: Value): string {
  if (value.kind === 'number') return isInteger(value) ? 'integer' : 'float';
  if (value.kind === 'message') return 'text';
  if (value.kind !== 'list') return value.kind;
  return value.isOfIntegers ? 'list of integers' : 'list';
}

function requireType(name: string, type: string, value: Value, line: number): void {
  const given = typeOf(value);
  if (type === given || (type === 'float' && given === 'integer') || (type === 'list' && given === 'list of integers'))
    return;
  const note = type.includes('integer')
    ? 'Whether it is rounded depends on the controller: write 0.0 for 0 first.'
    : '';
  throw new ScriptProblem(line, `${name} is a ${type} and is assigned a ${given}`, note);
}

/**
 * Writes values, so that the texts of two states are equal only if programs continue from both in the same way: numbers
 * with all digits and their error bounds, lists with the variables that share them.
 */
class StateText {
  /** Numbers of lists and computed poses, of which it matters whether two are the same. */
  private readonly shared = new Map<Value, number>();
  private readonly parts: string[] = [];
  private isTooDeep = false;

  /** @param names of the variables that are written */
  constructor(private readonly names: ReadonlySet<string>) {}

  /** Adds variables by name. */
  add(variables: Iterable<readonly [string, Variable]>): void {
    for (const [name, { value, type, isCertain }] of variables) {
      if (!this.names.has(name)) continue;
      this.parts.push(`${name}:${type}${isCertain ? '!' : ''}=`);
      this.addValue(value);
    }
    this.parts.push('|');
  }

  /** Adds another part of a state. */
  addText(text: string): void {
    this.parts.push(text, '|');
  }

  /** Undefined if lists are nested too deep to be written. */
  get text(): string | undefined {
    return this.isTooDeep ? undefined : this.parts.join('');
  }

  private addValue(value: Value, depth = 0): void {
    this.isTooDeep ||= depth > MAX_DEPTH;
    if (this.isTooDeep) return;
    if (value.kind === 'number of a computed rotation vector') {
      this.parts.push(`${value.index} of `);
      this.addValue(value.pose);
      return;
    }
    if (value.kind !== 'list' && !(value.kind === 'pose' && value.isComputed)) {
      this.parts.push(JSON.stringify(value), ';');
      return;
    }
    const known = this.shared.get(value);
    this.parts.push(known === undefined ? `[${value.kind === 'list' ? value.owners : 'p'} ` : `#${known};`);
    if (known !== undefined) return;
    this.shared.set(value, this.shared.size);
    for (const item of value.items) this.addValue(item, depth + 1);
    this.parts.push(']');
  }
}
