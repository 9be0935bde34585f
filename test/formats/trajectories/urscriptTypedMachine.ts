/**
 * Typed semantics of URScript that no manual excludes, for the attack on the readings of programs. Shares no code with
 * the reader.
 */
import type { Below } from './urscriptPrograms.ts';

/** A number of a controller with its type, or a list or pose of values. */
export type Value = { readonly v: number; readonly isInt: boolean } | Value[];
export type Num = Exclude<Value, Value[]>;
type Rounding = (x: number) => number;

const even: Rounding = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
const away: Rounding = (x) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);
const ROUNDINGS: readonly (Rounding | undefined)[] = [undefined, Math.floor, Math.trunc, Math.round, even, away];

/** Returns typed semantics that no manual excludes. */
export function randomSemantics(below: Below) {
  const isTrue = () => below(2) === 0;
  const cut = ROUNDINGS[below(6)];
  return {
    /** Of integers: the quotient, and whether one without remainder is an integer beside fractions. */
    quotient: ROUNDINGS[below(6)],
    isExactInt: isTrue(),
    /** Of variables with a type: what happens to fractions in one of integers, and in one of lists of integers. */
    number: cut,
    list: isTrue() ? cut : undefined,
    /** Whether parameters have the type of their default. */
    hasTypedParameters: isTrue(),
    /** Whether an integer remains one in a variable of floats, in a list with floats, and in a pose. */
    staysInt: isTrue(),
    staysIntInList: isTrue(),
    staysIntInPose: isTrue(),
    areListsShared: isTrue(),
    isSingle: isTrue(),
  };
}

/** The end of a program by an error of the controller. */
export class Halted extends Error {}

/** Executes a program by one semantics. */
export class Machine {
  readonly moves: string[] = [];
  readonly values = new Map<string, Value>();
  private readonly isOfInts = new Map<string, boolean>();

  constructor(
    readonly by: ReturnType<typeof randomSemantics>,
    readonly below: Below,
  ) {}

  number(v: number, isInt: boolean): Num {
    return { v: this.by.isSingle && !isInt ? Math.fround(v) : v, isInt };
  }

  read(name: string): Value {
    return this.values.get(name)!;
  }

  assign(name: string, given: Value): void {
    const hasTypes = (isList(given) ? this.by.list : this.by.number) !== undefined;
    const ints = hasTypes ? (this.isOfInts.get(name) ?? areInts(given)) : areInts(given);
    this.isOfInts.set(name, ints);
    this.values.set(name, this.converted(given, ints, isList(given)));
  }

  assignElement(name: string, index: number, given: Value): void {
    (this.read(name) as Value[])[index] = this.converted(given, this.isOfInts.get(name)!, true);
  }

  /** Returns the value of a parameter with a default. */
  parameter(given: Value, isInt: boolean): Value {
    return this.by.hasTypedParameters ? this.converted(given, isInt, isList(given)) : given;
  }

  list(items: Value[], staysInt: boolean): Value {
    const isMixed = items.some((one) => !areInts(one));
    return isMixed && !staysInt ? items.map((one) => this.asFloats(one)) : items;
  }

  asFloats(one: Value): Value {
    return isList(one) ? one.map((item) => this.asFloats(item)) : this.number(one.v, false);
  }

  at(list: Value, index: Num): Value {
    const found = (list as Value[])[index.v];
    if (found === undefined) throw new Halted();
    return found;
  }

  binary(op: string, a: Num, b: Num): Num {
    const isInt = a.isInt && b.isInt;
    if (op === '+') return this.number(a.v + b.v, isInt);
    if (op === '-') return this.number(a.v - b.v, isInt);
    if (op === '*') return this.number(a.v * b.v, isInt);
    if (b.v === 0) throw new Halted();
    if (op === '%') return this.number(a.v % b.v, isInt);
    const { quotient, isExactInt } = this.by;
    const v = a.v / b.v;
    if (!isInt) return this.number(v, false);
    if (quotient !== undefined) return this.number(quotient(v), true);
    return this.number(v, isExactInt && Number.isInteger(v));
  }

  private converted(given: Value, ints: boolean, inList: boolean): Value {
    if (isList(given)) {
      const items = given.map((one) => this.converted(one, ints, inList));
      return this.by.areListsShared && items.every((one, i) => one === given[i]) ? given : items;
    }
    const cut = inList ? this.by.list : this.by.number;
    if (ints && !given.isInt) return cut === undefined ? given : this.number(cut(given.v), true);
    return !ints && given.isInt && !this.by.staysInt ? this.number(given.v, false) : given;
  }
}

const isList = (value: Value): value is Value[] => Array.isArray(value);
const areInts = (value: Value): boolean => (isList(value) ? value.every(areInts) : value.isInt);
