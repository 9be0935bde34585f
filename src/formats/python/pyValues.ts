import type { Budget } from './budget.ts';
import { PythonError } from './pythonError.ts';

/** A value of Python. Integers are `bigint`, floats are `number`, None is `null`; the other types are classes. */
export type PyValue =
  | bigint
  | number
  | boolean
  | string
  | null
  | PyList
  | PyTuple
  | PyDict
  | PySet
  | PyRange
  | PyIterator
  | PyFunction
  | PyNamespace;

/** A list. */
export class PyList {
  constructor(readonly items: PyValue[]) {}
}

/** A tuple. */
export class PyTuple {
  constructor(readonly items: readonly PyValue[]) {}
}

/** A dictionary, in the order of insertion. */
export class PyDict {
  private readonly entries = new Map<string, readonly [PyValue, PyValue]>();

  /** @param dotted true if its keys can also be read as attributes, as those of YAML files */
  constructor(readonly dotted = false) {}

  get size(): number {
    return this.entries.size;
  }

  /** Returns the value of a key, undefined if it is absent. */
  get(key: PyValue): PyValue | undefined {
    return this.entries.get(hashKey(key))?.[1];
  }

  set(key: PyValue, value: PyValue): void {
    const hash = hashKey(key);
    this.entries.set(hash, [this.entries.get(hash)?.[0] ?? key, value]);
  }

  delete(key: PyValue): boolean {
    return this.entries.delete(hashKey(key));
  }

  keys(): PyValue[] {
    return [...this.entries.values()].map(([key]) => key);
  }

  values(): PyValue[] {
    return [...this.entries.values()].map(([, value]) => value);
  }
}

/** A set, in the order of insertion: unlike that of Python, its order is the same in every run. */
export class PySet {
  private readonly entries = new Map<string, PyValue>();

  constructor(items: Iterable<PyValue> = []) {
    for (const item of items) this.add(item);
  }

  get size(): number {
    return this.entries.size;
  }

  add(item: PyValue): void {
    const hash = hashKey(item);
    if (!this.entries.has(hash)) this.entries.set(hash, item);
  }

  has(item: PyValue): boolean {
    return this.entries.has(hashKey(item));
  }

  values(): PyValue[] {
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

/** Result of map, zip, filter, enumerate, reversed and generators: its items can be read once. */
export class PyIterator {
  private at = 0;

  constructor(private readonly items: readonly PyValue[]) {}

  /** Returns the items that are left and marks them as read. */
  take(): readonly PyValue[] {
    const rest = this.items.slice(this.at);
    this.at = this.items.length;
    return rest;
  }
}

/** Arguments by name. */
export type Keywords = ReadonlyMap<string, PyValue>;

/** A function, method or type that can be called. */
export class PyFunction {
  constructor(
    readonly name: string,
    readonly call: (args: readonly PyValue[], keywords: Keywords, budget: Budget) => PyValue,
  ) {}
}

/** Names that are read with a dot: a module, or the properties of an included file. */
export class PyNamespace {
  constructor(
    readonly name: string,
    readonly get: (name: string) => PyValue | undefined,
    readonly names: () => readonly string[],
  ) {}
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
  if (value instanceof PySet) return 'set';
  if (value instanceof PyRange) return 'range';
  if (value instanceof PyIterator) return 'iterator';
  return value instanceof PyFunction ? 'function' : 'namespace';
}

/** Returns the truth value: zero, None and empty collections are false. */
export function truth(value: PyValue): boolean {
  if (value instanceof PyList || value instanceof PyTuple) return value.items.length > 0;
  if (value instanceof PyDict || value instanceof PySet) return value.size > 0;
  if (value instanceof PyRange) return value.length > 0;
  return typeof value === 'number' ? value !== 0 : Boolean(value); // NaN is true in Python
}

/** Returns the items of a collection or string. Throws `PythonError` for other values. */
export function itemsOf(value: PyValue, budget: Budget): readonly PyValue[] {
  const items = iterate(value, budget);
  budget.spend(items.length);
  return items;
}

function iterate(value: PyValue, budget: Budget): readonly PyValue[] {
  if (value instanceof PyList || value instanceof PyTuple) return value.items;
  if (value instanceof PyDict) return value.keys();
  if (value instanceof PySet) return value.values();
  if (value instanceof PyIterator) return value.take();
  if (typeof value === 'string') {
    budget.spend(value.length);
    return [...value];
  }
  if (!(value instanceof PyRange)) throw new PythonError(`'${typeName(value)}' object is not iterable`);
  budget.spend(value.length);
  return Array.from({ length: value.length }, (_, i) => value.at(i));
}

/** Returns a key that is equal for equal values: 1, 1.0 and True are equal. Throws for lists, sets and dictionaries. */
function hashKey(value: PyValue): string {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'number') return Number.isInteger(value) ? `n${BigInt(value)}` : `n${value}`;
  if (typeof value === 'bigint') return `n${value}`;
  if (typeof value === 'boolean') return value ? 'n1' : 'n0';
  if (value === null) return 'None';
  if (value instanceof PyTuple) return `t${value.items.map((item) => JSON.stringify(hashKey(item))).join()}`;
  throw new PythonError(`unhashable type: '${typeName(value)}'`);
}
