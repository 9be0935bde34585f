import { type ContentRecord, kinds, recordContent } from './contentRecord.ts';

/**
 * Copy of the content of plain data (as JSON describes it, typed arrays included), to compare the data with later: it
 * may have been changed in place. The comparison walks over the data and reads the record in the same order; it
 * allocates nothing.
 */
export class ContentSnapshot {
  /** Positions in the lists of the record during a comparison. */
  private code = 0;
  private number = 0;
  private other = 0;

  private constructor(private readonly record: ContentRecord) {}

  /**
   * Copies the content. Returns undefined for data whose behaviour its content does not determine: functions, symbols,
   * and objects that are neither plain nor arrays. Of the `edges` of shapes, only the identity of the list is stored.
   */
  static of(value: unknown): ContentSnapshot | undefined {
    const record = recordContent(value);
    return record && new ContentSnapshot(record);
  }

  /**
   * Returns true if the value has exactly the content of the copy: the same fields in the same order, numbers equal to
   * the last bit (0 is not −0).
   */
  matches(value: unknown): boolean {
    this.code = this.number = this.other = 0;
    return this.isSame(value);
  }

  /** Compares a value with the next entry of the record. */
  private isSame(value: unknown): boolean {
    const { codes, numbers, others } = this.record;
    const kind = codes[this.code++];
    switch (kind) {
      case kinds.number:
        return !isOther(value, numbers[this.number++]);
      case kinds.numbers:
        return Array.isArray(value) && this.hasNumbers(value);
      case kinds.rows:
        return this.hasRows(value);
      case kinds.fields:
        return this.hasFields(value);
      case kinds.list:
        return this.hasItems(value);
      case kinds.typedNumbers:
        return (value as object | undefined)?.constructor === others[this.other++] && this.hasNumbers(value as []);
      default:
        return Object.is(others[this.other++], value);
    }
  }

  private hasItems(value: unknown): boolean {
    const length = this.record.codes[this.code++];
    if (!Array.isArray(value) || value.length !== length) return false;
    for (let i = 0; i < length; i++) if (!this.isSame(value[i])) return false;
    return true;
  }

  private hasRows(value: unknown): boolean {
    const { codes, numbers } = this.record;
    const length = codes[this.code++];
    const width = codes[this.code++];
    if (!Array.isArray(value) || value.length !== length) return false;
    let at = this.number;
    for (let i = 0; i < length; i++) {
      const row: unknown = value[i];
      if (!Array.isArray(row) || row.length !== width) return false;
      for (let k = 0; k < width; k++) if (isOther(row[k], numbers[at++])) return false;
    }
    this.number = at;
    return true;
  }

  private hasNumbers(list: ArrayLike<unknown>): boolean {
    const { codes, numbers } = this.record;
    const length = codes[this.code++];
    if (list.length !== length) return false;
    let at = this.number;
    for (let i = 0; i < length; i++) if (isOther(list[i], numbers[at++])) return false;
    this.number = at;
    return true;
  }

  private hasFields(value: unknown): boolean {
    const { codes, names } = this.record;
    const own = names[codes[this.code++]];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    let i = 0;
    for (const name in value) {
      if (name !== own[i] || !this.isSame((value as Record<string, unknown>)[name])) return false;
      i++;
    }
    return i === own.length;
  }
}

/** As `!Object.is(a, b)` of numbers, but not slow: the two are compared for each coordinate of a mesh. */
const isOther = (a: unknown, b: number): boolean =>
  a === b ? b === 0 && 1 / (a as number) !== 1 / b : !Object.is(a, b);
