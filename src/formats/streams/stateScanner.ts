import { MAX_JOINT_VALUE } from '../../core/math/magnitudes.ts';
import { DecimalReader } from './decimalReader.ts';
import type { ReaderPlace } from './states.ts';

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const DELETE = 0x7f;
const [LETTER_D, LETTER_I, LETTER_Q] = [0x64, 0x69, 0x71];

/** Digits of an integer id that JSON prints as they are. */
const MAX_ID_DIGITS = 15;

/**
 * Reads states from bytes without creating strings, for lines of the common forms: `[…]`, `{"q": […], "id": integer or
 * plain string}` and CSV with numbers in all columns but that of the id. All other lines, including invalid ones, are
 * left to `StateReader`, which returns the same values for all lines.
 */
export class StateScanner {
  /** First byte of the id in the line that was read last, and the byte after it; −1: none. */
  idFrom = -1;
  idEnd = -1;
  /** True if the id is the text of a CSV column: JSON puts it in quotes. */
  isIdQuoted = false;
  private readonly numbers = new DecimalReader();
  private readonly fields: Float64Array;

  /**
   * @param place format of the list
   * @param dof values of a state
   */
  constructor(
    private readonly place: ReaderPlace,
    private readonly dof: number,
  ) {
    this.fields = new Float64Array(place.width);
  }

  /**
   * Reads the line that begins at `from` into q. Returns the position of its newline, or −1 if the line is left to
   * `StateReader`; q is then undefined. The bytes must end with a newline.
   */
  read(bytes: Uint8Array, from: number, q: Float64Array): number {
    this.idFrom = this.idEnd = -1;
    const first = skipBlanks(bytes, from);
    const end = this.place.form === 'csv' ? this.readCsv(bytes, first, q) : this.readJson(bytes, first, q);
    if (end < 0) return -1;
    for (let i = 0; i < this.dof; i++) if (!(Math.abs(q[i]) <= MAX_JOINT_VALUE)) return -1;
    const newline = skipBlanks(bytes, end);
    return bytes[newline] === NEWLINE ? newline : -1;
  }

  private readJson(bytes: Uint8Array, at: number, q: Float64Array): number {
    this.isIdQuoted = false;
    if (bytes[at] === OPEN_LIST) return this.readList(bytes, at, q);
    return bytes[at] === OPEN_OBJECT ? this.readObject(bytes, at, q) : -1;
  }

  /** Reads `[…]` of as many numbers as the state has; returns the position after it, or −1. */
  private readList(bytes: Uint8Array, open: number, q: Float64Array): number {
    const { numbers, dof } = this;
    let at = open;
    for (let i = 0; i < dof; i++) {
      if (bytes[at] !== (i === 0 ? OPEN_LIST : COMMA)) return -1;
      at = numbers.read(bytes, skipBlanks(bytes, at + 1), q, i);
      if (at < 0) return -1;
      at = skipBlanks(bytes, at);
    }
    return bytes[at] === CLOSE_LIST ? at + 1 : -1;
  }

  /** Reads an object with the keys q and, if given, id, each once; returns the position after it, or −1. */
  private readObject(bytes: Uint8Array, open: number, q: Float64Array): number {
    let at = open;
    let hasState = false;
    do {
      at = skipBlanks(bytes, at + 1);
      if (bytes[at] !== QUOTE) return -1;
      const isState = bytes[at + 1] === LETTER_Q && bytes[at + 2] === QUOTE;
      const isId = bytes[at + 1] === LETTER_I && bytes[at + 2] === LETTER_D && bytes[at + 3] === QUOTE;
      if (isState ? hasState : !isId || this.idFrom >= 0) return -1;
      at = skipBlanks(bytes, at + (isState ? 3 : 4));
      if (bytes[at] !== COLON) return -1;
      at = skipBlanks(bytes, at + 1);
      at = isState ? this.readList(bytes, at, q) : this.readId(bytes, at);
      if (at < 0) return -1;
      hasState ||= isState;
      at = skipBlanks(bytes, at);
    } while (bytes[at] === COMMA);
    return hasState && bytes[at] === CLOSE_OBJECT ? at + 1 : -1;
  }

  /** Reads an integer or a plain string, whose JSON text is the given one; returns the position after it, or −1. */
  private readId(bytes: Uint8Array, from: number): number {
    const end = bytes[from] === QUOTE ? endOfString(bytes, from) : endOfInteger(bytes, from);
    this.idFrom = from;
    this.idEnd = end;
    return end;
  }

  private readCsv(bytes: Uint8Array, from: number, q: Float64Array): number {
    const { numbers, fields, dof } = this;
    const { columns, idColumn, timeColumn, width } = this.place;
    if (timeColumn >= 0 || bytes[from] === HASH) return -1; // a comment
    let at = from - 1;
    for (let column = 0; column < width; column++) {
      if (column > 0 && bytes[at] !== COMMA) return -1;
      at = skipBlanks(bytes, at + 1);
      if (column === idColumn) {
        at = this.readIdField(bytes, at);
      } else {
        at = numbers.read(bytes, at, fields, column);
      }
      if (at < 0) return -1;
      at = skipBlanks(bytes, at);
    }
    for (let i = 0; i < dof; i++) q[i] = fields[columns[i]];
    return at;
  }

  /** Reads a field of plain characters without blanks at its ends; returns the position after it, or −1. */
  private readIdField(bytes: Uint8Array, from: number): number {
    let end = from;
    while (isPlain(bytes[end]) && bytes[end] !== COMMA) end++;
    let last = end;
    while (last > from && bytes[last - 1] === SPACE) last--;
    this.isIdQuoted = true;
    this.idFrom = from;
    this.idEnd = last;
    return end;
  }
}

/** Position of the first byte at or after `at` that is no blank within a line. */
function skipBlanks(bytes: Uint8Array, at: number): number {
  let next = at;
  while (bytes[next] === SPACE || bytes[next] === TAB || bytes[next] === RETURN) next++;
  return next;
}

/** True for ASCII characters that JSON prints as they are. */
const isPlain = (byte: number): boolean => byte >= SPACE && byte < DELETE && byte !== QUOTE && byte !== BACKSLASH;

/** Returns the position after a string of plain characters that begins at `from`, or −1. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (isPlain(bytes[at])) at++;
  return bytes[at] === QUOTE ? at + 1 : -1;
}

/** Returns the position after an integer that JSON prints as it is, or −1. */
function endOfInteger(bytes: Uint8Array, from: number): number {
  const isNegative = bytes[from] === MINUS;
  const first = isNegative ? from + 1 : from;
  let at = first;
  while (bytes[at] >= ZERO && bytes[at] <= NINE) at++;
  const length = at - first;
  if (length === 0 || length > MAX_ID_DIGITS) return -1;
  return bytes[first] === ZERO && (isNegative || length > 1) ? -1 : at;
}
