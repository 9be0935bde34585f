/** Content of plain data, flat: codes in the order of a walk over the data, and what they refer to in that order. */
export interface ContentRecord {
  /** For each value its kind, followed by lengths or, for fields, the index of their names. */
  readonly codes: Int32Array;
  readonly numbers: Float64Array;
  /** Values that are compared by identity. */
  readonly others: readonly unknown[];
  /** Names of fields; objects with the same fields share them. */
  readonly names: readonly (readonly string[])[];
}

/** Kinds of values. */
export const kinds = {
  /** A number. */
  number: 0,
  /** List of numbers: its length. */
  numbers: 1,
  /** List of lists of equally many numbers, such as points and edges: its length, their length. */
  rows: 2,
  /** Object: index of the names of its fields. */
  fields: 3,
  /** Any other list: its length. */
  list: 4,
  /** Typed array: its length; its constructor is among the others. */
  typedNumbers: 5,
  /** Any other value, and lists that are compared by identity. */
  other: 6,
} as const;

/** Returns the record of a value; undefined if its content does not determine its behaviour. */
export function recordContent(value: unknown): ContentRecord | undefined {
  const recorder = new Recorder();
  return recorder.add(value, MAX_DEPTH) ? recorder.toRecord() : undefined;
}

/** Data that is nested deeper is not recorded: it may contain itself. */
const MAX_DEPTH = 64;

/**
 * Field of a shape that only affects the speed of its support function: a shape that was made of a list keeps what it
 * read. These lists are two thirds of the numbers of a robot.
 */
const REFERENCED = 'edges';

/** Numbers that grow at the end. */
class Growing<Numbers extends Int32Array | Float64Array> {
  private length = 0;

  constructor(
    private values: Numbers,
    private readonly create: (length: number) => Numbers,
  ) {}

  add(value: number): void {
    if (this.length === this.values.length) {
      const larger = this.create(2 * this.length);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  toArray(): Numbers {
    return this.values.slice(0, this.length) as Numbers;
  }
}

const INITIAL_LENGTH = 256;

/** Records values; each `add` returns false if the value, or one within it, cannot be recorded. */
class Recorder {
  private readonly codes = new Growing(new Int32Array(INITIAL_LENGTH), (length) => new Int32Array(length));
  private readonly numbers = new Growing(new Float64Array(INITIAL_LENGTH), (length) => new Float64Array(length));
  private readonly others: unknown[] = [];
  private readonly names: string[][] = [];
  private readonly indexOfNames = new Map<string, number>();

  toRecord(): ContentRecord {
    const { others, names } = this;
    return { codes: this.codes.toArray(), numbers: this.numbers.toArray(), others, names };
  }

  add(value: unknown, depth: number): boolean {
    if (typeof value === 'function' || typeof value === 'symbol' || depth === 0) return false;
    if (typeof value === 'number') return this.addNumber(value);
    if (typeof value !== 'object' || value === null) return this.addOther(value);
    if (Array.isArray(value)) return this.addList(value, depth);
    if (isNumberArray(value)) return this.addTyped(value);
    const prototype = Object.getPrototypeOf(value);
    return (prototype === Object.prototype || prototype === null) && this.addFields(value, depth);
  }

  private addNumber(value: number): boolean {
    this.codes.add(kinds.number);
    this.numbers.add(value);
    return true;
  }

  private addOther(value: unknown): boolean {
    this.codes.add(kinds.other);
    this.others.push(value);
    return true;
  }

  private addTyped(value: ArrayLike<number>): boolean {
    this.codes.add(kinds.typedNumbers);
    this.codes.add(value.length);
    this.others.push(value.constructor);
    for (let i = 0; i < value.length; i++) this.numbers.add(value[i]);
    return true;
  }

  private addList(list: readonly unknown[], depth: number): boolean {
    const { codes, numbers } = this;
    if (isNumberList(list)) {
      codes.add(kinds.numbers);
      codes.add(list.length);
      for (const value of list) numbers.add(value);
      return true;
    }
    const width = rowWidth(list);
    codes.add(width > 0 ? kinds.rows : kinds.list);
    codes.add(list.length);
    if (width === 0) return everyItem(list, (item) => this.add(item, depth - 1));
    codes.add(width);
    for (const row of list) for (const value of row as number[]) numbers.add(value);
    return true;
  }

  private addFields(object: object, depth: number): boolean {
    const names = Object.keys(object);
    if (Reflect.ownKeys(object).length !== names.length) return false; // fields that are not enumerated
    this.codes.add(kinds.fields);
    this.codes.add(this.indexOf(names));
    const hasReference = isShapeOfPoints(object);
    return names.every((name) => {
      const field = (object as Record<string, unknown>)[name];
      return hasReference && name === REFERENCED ? this.addReference(field) : this.add(field, depth - 1);
    });
  }

  private addReference(value: unknown): boolean {
    return typeof value === 'number' ? this.addNumber(value) : this.addOther(value);
  }

  private indexOf(names: string[]): number {
    const key = JSON.stringify(names);
    const known = this.indexOfNames.get(key);
    if (known !== undefined) return known;
    this.names.push(names);
    this.indexOfNames.set(key, this.names.length - 1);
    return this.names.length - 1;
  }
}

/** Returns false for objects whose keys are names of joints or groups, one of which may be called `edges`. */
const isShapeOfPoints = (object: { readonly type?: unknown; readonly points?: unknown }): boolean =>
  typeof object.type === 'string' && Array.isArray(object.points);

const isNumberList = (list: readonly unknown[]): list is number[] =>
  everyItem(list, (item) => typeof item === 'number');

/** As `list.every`, with the holes of a list, which are compared as undefined. */
function everyItem(list: readonly unknown[], test: (item: unknown) => boolean): boolean {
  for (const item of list) if (!test(item)) return false;
  return true;
}

/** Returns the length of the lists of numbers that a list consists of; 0 if it is something else. */
function rowWidth(list: readonly unknown[]): number {
  const width = Array.isArray(list[0]) ? list[0].length : 0;
  return everyItem(list, (row) => Array.isArray(row) && row.length === width && isNumberList(row)) ? width : 0;
}

/** Float and integer arrays whose numbers a double holds exactly. */
const isNumberArray = (value: object): value is Float64Array =>
  ArrayBuffer.isView(value) && 'length' in value && typeof (value as Float64Array)[0] !== 'bigint';
