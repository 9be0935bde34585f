import { type Budget, PythonError } from './budget.ts';

/**
 * A value of Python. Integers are `bigint`, floats are `number`, None is `null`; the other types are classes. Values
 * never change: nothing that expressions may call changes a collection.
 */
export type PyValue =
  | bigint
  | number
  | boolean
  | string
  | null
  | PyList
  | PyTuple
  | PyDict
  | PyRange
  | PyIterator
  | PyFunction
  | PyNamespace;

/** A list. */
export class PyList {
  constructor(readonly items: readonly PyValue[]) {}
}

/** A tuple. */
export class PyTuple {
  constructor(readonly items: readonly PyValue[]) {}
}

/** Steps that an entry of a dictionary counts as. */
const ENTRY_STEPS = 4;

/** A dictionary, in the order of insertion. */
export class PyDict {
  private readonly entries = new Map<unknown, readonly [PyValue, PyValue]>();

  /** @param dotted true if its keys can also be read as attributes, as those of YAML files */
  constructor(readonly dotted = false) {}

  get size(): number {
    return this.entries.size;
  }

  /** Returns the value of a key, undefined if it is absent. */
  get(key: PyValue, budget: Budget): PyValue | undefined {
    return this.entries.get(hashKey(key, budget))?.[1];
  }

  /** Sets the value of a key while the dictionary is made. */
  set(key: PyValue, value: PyValue, budget: Budget): void {
    budget.spend(ENTRY_STEPS);
    const hash = hashKey(key, budget);
    this.entries.set(hash, [this.entries.get(hash)?.[0] ?? key, value]);
  }

  /** Returns keys and values. */
  pairs(budget: Budget): (readonly [PyValue, PyValue])[] {
    budget.spend(this.size);
    return [...this.entries.values()];
  }
}

/** The integers from start to stop (exclusive) by step. */
export class PyRange {
  readonly length: number;

  constructor(
    readonly start: bigint,
    readonly stop: bigint,
    readonly step: bigint,
  ) {
    if (step === 0n) throw new PythonError('range() arg 3 must not be zero');
    const span = step > 0n ? stop - start : start - stop;
    const size = step > 0n ? step : -step;
    this.length = span <= 0n ? 0 : Number((span + size - 1n) / size);
  }

  at(index: number): bigint {
    return this.start + BigInt(index) * this.step;
  }
}

/** Result of map, zip, enumerate, reversed and generators: its items can be read once. */
export class PyIterator {
  constructor(private items: readonly PyValue[]) {}

  /** Returns the items that are left and marks them as read. */
  take(): readonly PyValue[] {
    const rest = this.items;
    this.items = [];
    return rest;
  }
}

/** Arguments by name. */
export type Keywords = ReadonlyMap<string, PyValue>;

/** What a function computes. */
export type Compute = (args: readonly PyValue[], keywords: Keywords, budget: Budget) => PyValue;

/** A function, method or type that can be called. */
export class PyFunction {
  /**
   * @param arity least and largest number of arguments by position
   * @param names the arguments that may be passed by name; `any`: all
   */
  constructor(
    readonly name: string,
    private readonly arity: readonly [number, number],
    private readonly compute: Compute,
    private readonly names: readonly string[] | 'any' = [],
  ) {}

  /**
   * Calls the function. All arguments and results pass here, and are counted by their size. A function whose work or
   * result is larger than its arguments counts the difference itself, before the work.
   */
  call(args: readonly PyValue[], keywords: Keywords, budget: Budget): PyValue {
    budget.spend(1 + sizeOf(args) + sizeOf([...keywords.values()]));
    const [least, most] = this.arity;
    if (args.length < least || args.length > most) {
      const expected = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
      throw new PythonError(`${this.name}() takes ${expected} arguments, not ${args.length}`);
    }
    const { names } = this;
    const unknown = names === 'any' ? undefined : [...keywords.keys()].find((key) => !names.includes(key));
    if (unknown !== undefined) throw new PythonError(`${this.name}() has no argument "${unknown}"`);
    const result = this.compute(args, keywords, budget);
    budget.spend(sizeOf([result]));
    return result;
  }

  /** Returns the method of a value: the function with the value as its first argument. */
  bound(self: PyValue): PyFunction {
    const [least, most] = this.arity;
    const compute: Compute = (args, keywords, budget) => this.call([self, ...args], keywords, budget);
    return new PyFunction(this.name, [least - 1, most - 1], compute, this.names);
  }
}

/** Names that are read with a dot: a module, or the properties of an included file. */
export class PyNamespace {
  constructor(
    readonly name: string,
    readonly get: (name: string) => PyValue | undefined,
    readonly names: () => readonly string[],
  ) {}
}

/** Returns the steps to read or make values once, without the values inside them. */
export function sizeOf(values: readonly PyValue[]): number {
  let size = 0;
  for (const value of values) {
    if (typeof value === 'string') size += value.length / 16;
    else if (value instanceof PyList || value instanceof PyTuple) size += value.items.length;
    else if (value instanceof PyDict) size += value.size;
  }
  return size;
}

/** Returns the name of a value's type, as Python's messages do. */
export function typeName(value: PyValue): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  if (value instanceof PyList) return 'list';
  if (value instanceof PyTuple) return 'tuple';
  if (value instanceof PyDict) return 'dict';
  if (value instanceof PyRange) return 'range';
  if (value instanceof PyIterator) return 'iterator';
  return value instanceof PyFunction ? 'function' : 'namespace';
}

/** Returns the truth value: zero, None and empty collections are false. */
export function truth(value: PyValue): boolean {
  if (value instanceof PyList || value instanceof PyTuple) return value.items.length > 0;
  if (value instanceof PyDict) return value.size > 0;
  if (value instanceof PyRange) return value.length > 0;
  return typeof value === 'number' ? value !== 0 : Boolean(value); // NaN is true in Python
}

/** Returns the items of a collection or text, counted before they are made. Throws `PythonError` for other values. */
export function itemsOf(value: PyValue, budget: Budget): readonly PyValue[] {
  if (value instanceof PyDict) return value.pairs(budget).map(([key]) => key);
  if (typeof value === 'string') {
    budget.spend(value.length);
    return [...value];
  }
  if (value instanceof PyRange) {
    budget.spend(value.length);
    return Array.from({ length: value.length }, (_, i) => value.at(i));
  }
  const items =
    value instanceof PyIterator
      ? value.take()
      : value instanceof PyList || value instanceof PyTuple
        ? value.items
        : undefined;
  if (items === undefined) throw new PythonError(`'${typeName(value)}' object is not iterable`);
  budget.spend(items.length);
  return items;
}

/**
 * Returns a key of a `Map` that is the same for equal values: 1, 1.0 and True are. Throws `PythonError` for
 * collections: tuples, which Python allows, are not supported.
 */
function hashKey(value: PyValue, budget: Budget): unknown {
  budget.spend(sizeOf([value]));
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value === null || typeof value === 'bigint' || typeof value === 'string') return value;
  const isTuple = value instanceof PyTuple;
  throw new PythonError(isTuple ? 'a tuple as a key is not supported' : `unhashable type: '${typeName(value)}'`);
}
