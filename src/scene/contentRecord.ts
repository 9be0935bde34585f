/**
 * Content of plain data, flat. Lists and objects are visited one after the other: first a list of the value alone, then
 * always the one that was found last and not visited yet. The codes are in that order, and the other lists contain what
 * the codes refer to.
 */
export interface ContentRecord {
  /**
   * For each visited list −1 − its length, for each visited object the index of the names of its fields; then for each
   * of its items the kind, followed by lengths. The list of the value alone has no code of its own.
   */
  readonly codes: Int32Array;
  readonly numbers: Float64Array;
  /** Values without items that are not numbers, and constructors of typed arrays. */
  readonly others: readonly unknown[];
  /** Names of fields; objects with the same fields share them. */
  readonly names: readonly (readonly string[])[];
}

/** Kinds of items. */
export const kinds = {
  /** A number. */
  number: 0,
  /** Any other value without items. */
  other: 1,
  /** Object or list that is visited later. */
  open: 2,
  /** List of numbers: its length. */
  numbers: 3,
  /** List of lists of equally many numbers, such as points: its length, their length. */
  rows: 4,
  /** Typed array: its length; its constructor is among the others. */
  typedNumbers: 5,
} as const;

/** Returns the record of a value; undefined if its content does not determine its behaviour. */
export function recordContent(value: unknown): ContentRecord | undefined {
  const recorder = new Recorder();
  return recorder.addAll(value) ? recorder.toRecord() : undefined;
}

/** Data that is nested deeper is not recorded: it may contain itself. */
const MAX_DEPTH = 64;

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

/** Names of fields that begin with the same names. */
class NameNode {
  /** Index of the names that end here; undefined: no object has exactly these. */
  index: number | undefined;
  private readonly next = new Map<string, NameNode>();

  after(name: string): NameNode {
    const known = this.next.get(name);
    if (known !== undefined) return known;
    const node = new NameNode();
    this.next.set(name, node);
    return node;
  }
}

/** Records values; each `add` returns false if the value cannot be recorded. */
class Recorder {
  private readonly codes = new Growing(new Int32Array(INITIAL_LENGTH), (length) => new Int32Array(length));
  private readonly numbers = new Growing(new Float64Array(INITIAL_LENGTH), (length) => new Float64Array(length));
  private readonly others: unknown[] = [];
  private readonly names: string[][] = [];
  private readonly root = new NameNode();
  /** Objects and lists that are to be visited, and how deep each is nested. */
  private readonly open: object[] = [];
  private readonly depths: number[] = [];

  toRecord(): ContentRecord {
    const { others, names } = this;
    return { codes: this.codes.toArray(), numbers: this.numbers.toArray(), others, names };
  }

  addAll(value: unknown): boolean {
    const { open, depths } = this;
    if (!this.add(value, 1)) return false;
    while (open.length > 0) {
      const holder = open.pop()!;
      const depth = depths.pop()! + 1;
      if (depth > MAX_DEPTH || !(Array.isArray(holder) ? this.addItems(holder, depth) : this.addFields(holder, depth)))
        return false;
    }
    return true;
  }

  private add(value: unknown, depth: number): boolean {
    if (typeof value === 'function' || typeof value === 'symbol') return false;
    if (typeof value === 'number') return this.addNumber(value);
    if (typeof value !== 'object' || value === null) return this.addOther(value);
    if (Array.isArray(value)) return this.addList(value, depth);
    if (isNumberArray(value)) return this.addTyped(value);
    const prototype = Object.getPrototypeOf(value);
    return (prototype === Object.prototype || prototype === null) && this.addOpen(value, depth);
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

  private addOpen(value: object, depth: number): boolean {
    this.codes.add(kinds.open);
    this.open.push(value);
    this.depths.push(depth);
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
    if (width === 0) return this.addOpen(list, depth);
    codes.add(kinds.rows);
    codes.add(list.length);
    codes.add(width);
    for (const row of list) for (const value of row as number[]) numbers.add(value);
    return true;
  }

  private addItems(list: readonly unknown[], depth: number): boolean {
    this.codes.add(-1 - list.length);
    for (const item of list) if (!this.add(item, depth)) return false;
    return true;
  }

  private addFields(object: object, depth: number): boolean {
    const names = Object.keys(object);
    if (Reflect.ownKeys(object).length !== names.length) return false; // fields that are not enumerated
    this.codes.add(this.indexOf(names));
    for (const name of names) if (!this.add((object as Record<string, unknown>)[name], depth)) return false;
    return true;
  }

  private indexOf(names: string[]): number {
    let node = this.root;
    for (const name of names) node = node.after(name);
    if (node.index === undefined) {
      node.index = this.names.length;
      this.names.push(names);
    }
    return node.index;
  }
}

/** True for lists of numbers alone, the empty list among them; a hole reads as undefined. */
function isNumberList(list: readonly unknown[]): list is number[] {
  for (const item of list) if (typeof item !== 'number') return false;
  return true;
}

/** Returns the length of the lists of numbers that a list consists of; 0 if it is something else. */
function rowWidth(list: readonly unknown[]): number {
  const width = Array.isArray(list[0]) ? list[0].length : 0;
  if (width === 0) return 0;
  for (const row of list) if (!(Array.isArray(row) && row.length === width && isNumberList(row))) return 0;
  return width;
}

/** Float and integer arrays whose numbers a double holds exactly. */
const isNumberArray = (value: object): value is Float64Array =>
  ArrayBuffer.isView(value) && 'length' in value && typeof (value as Float64Array)[0] !== 'bigint';
