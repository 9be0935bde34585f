/**
 * Copy of the content of plain data (as JSON describes it, typed arrays included), to compare the data with later: it
 * may have been changed in place. Lists of numbers and of points are stored in typed arrays.
 */
export class ContentSnapshot {
  private constructor(private readonly content: Content) {}

  /**
   * Copies the content. Returns undefined for data whose behaviour its content does not determine: functions, symbols,
   * and objects that are neither plain nor arrays. Of the `edges` of shapes, only the identity of the list is stored.
   */
  static of(value: unknown): ContentSnapshot | undefined {
    const content = copyOf(value, MAX_DEPTH);
    return content === OPAQUE ? undefined : new ContentSnapshot(content);
  }

  /**
   * Returns true if the value has exactly the content of the copy: the same fields in the same order, numbers equal to
   * the last bit (0 is not −0).
   */
  matches(value: unknown): boolean {
    return isSame(this.content, value);
  }
}

/** Data that is nested deeper is not copied: it may contain itself. */
const MAX_DEPTH = 64;

/** Marks what cannot be copied. */
const OPAQUE = Symbol('opaque');

/** List of numbers; `type` is the constructor of a typed array. */
class Numbers {
  constructor(
    readonly values: Float64Array,
    readonly type: unknown,
  ) {}
}

/** List of lists of equally many numbers, such as points and edges. */
class Rows {
  constructor(
    readonly values: Float64Array,
    readonly width: number,
  ) {}
}

/** Any other list. */
class List {
  constructor(readonly items: readonly Content[]) {}
}

/** A list that is compared by identity. */
class Reference {
  constructor(readonly value: unknown) {}
}

/**
 * Field of a shape that only affects the speed of its support function: a shape that was made of a list keeps what it
 * read. These lists are two thirds of the numbers of a robot.
 */
const REFERENCED = 'edges';

/** Object: its fields in order. */
class Fields {
  constructor(
    readonly names: readonly string[],
    readonly values: readonly Content[],
  ) {}
}

type Primitive = number | string | boolean | bigint | null | undefined;
type Content = Primitive | Numbers | Rows | List | Fields | Reference;

function copyOf(value: unknown, depth: number): Content | typeof OPAQUE {
  if (typeof value === 'function' || typeof value === 'symbol' || depth === 0) return OPAQUE;
  if (typeof value !== 'object' || value === null) return value as Primitive;
  if (Array.isArray(value)) return copyOfList(value, depth);
  if (isNumberArray(value)) return new Numbers(new Float64Array(value), value.constructor);
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? copyOfFields(value, depth) : OPAQUE;
}

function copyOfList(list: readonly unknown[], depth: number): Content | typeof OPAQUE {
  if (list.every((item) => typeof item === 'number')) return new Numbers(new Float64Array(list as number[]), Array);
  const rows = rowsOf(list);
  if (rows !== undefined) return rows;
  const items: Content[] = [];
  for (const item of list) {
    const copy = copyOf(item, depth - 1);
    if (copy === OPAQUE) return OPAQUE;
    items.push(copy);
  }
  return new List(items);
}

function copyOfFields(object: object, depth: number): Content | typeof OPAQUE {
  const entries = Object.entries(object);
  if (Reflect.ownKeys(object).length !== entries.length) return OPAQUE; // fields that are not enumerated
  const hasReference = isShapeOfPoints(object);
  const values: Content[] = [];
  for (const [name, field] of entries) {
    const copy = hasReference && name === REFERENCED ? new Reference(field) : copyOf(field, depth - 1);
    if (copy === OPAQUE) return OPAQUE;
    values.push(copy);
  }
  return new Fields(
    entries.map(([name]) => name),
    values,
  );
}

/** Returns false for objects whose keys are names of joints or groups, one of which may be called `edges`. */
const isShapeOfPoints = (object: { readonly type?: unknown; readonly points?: unknown }): boolean =>
  typeof object.type === 'string' && Array.isArray(object.points);

/** Returns the numbers of a list of lists of equally many numbers; undefined if it is something else. */
function rowsOf(list: readonly unknown[]): Rows | undefined {
  const width = Array.isArray(list[0]) ? list[0].length : 0;
  const values = new Float64Array(width * list.length);
  let count = 0;
  for (const row of list) {
    if (width === 0 || !Array.isArray(row) || row.length !== width) return undefined;
    for (let k = 0; k < width; k++) {
      if (typeof row[k] !== 'number') return undefined;
      values[count++] = row[k];
    }
  }
  return new Rows(values, width);
}

/** Float and integer arrays whose numbers a double holds exactly. */
const isNumberArray = (value: object): value is Float64Array =>
  ArrayBuffer.isView(value) && 'length' in value && typeof (value as Float64Array)[0] !== 'bigint';

function isSame(copy: Content, value: unknown): boolean {
  if (copy instanceof Rows) return hasRows(copy, value);
  if (copy instanceof Fields) return hasFields(copy, value);
  if (copy instanceof Reference) return copy.value === value;
  if (copy instanceof Numbers) return hasNumbers(copy, value);
  if (copy instanceof List) {
    const { items } = copy;
    return Array.isArray(value) && value.length === items.length && items.every((item, i) => isSame(item, value[i]));
  }
  return Object.is(copy, value);
}

function hasRows({ values, width }: Rows, value: unknown): boolean {
  if (!Array.isArray(value) || width * value.length !== values.length) return false;
  let at = 0;
  for (let i = 0; i < value.length; i++) {
    const row: unknown = value[i];
    if (!Array.isArray(row) || row.length !== width) return false;
    for (let k = 0; k < width; k++) if (isOther(row[k], values[at++])) return false;
  }
  return true;
}

/** As `!Object.is(a, b)` of numbers, but not slow: the two are compared for each coordinate of a mesh. */
const isOther = (a: unknown, b: number): boolean =>
  a === b ? b === 0 && 1 / (a as number) !== 1 / b : !Object.is(a, b);

function hasNumbers({ values, type }: Numbers, value: unknown): boolean {
  if (type === Array ? !Array.isArray(value) : (value as object | undefined)?.constructor !== type) return false;
  const list = value as ArrayLike<unknown>;
  if (list.length !== values.length) return false;
  for (let i = 0; i < values.length; i++) if (isOther(list[i], values[i])) return false;
  return true;
}

function hasFields({ names, values }: Fields, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  let i = 0;
  for (const name in value) {
    if (name !== names[i] || !isSame(values[i], (value as Record<string, unknown>)[name])) return false;
    i++;
  }
  return i === names.length;
}
