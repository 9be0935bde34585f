import { type ContentRecord, kinds, recordContent } from './contentRecord.ts';

/**
 * Copy of the content of plain data (as JSON describes it, typed arrays included), to compare the data with later: it
 * may have been changed in place.
 */
export class ContentSnapshot {
  private constructor(private readonly record: ContentRecord) {}

  /**
   * Copies the content. Returns undefined for data whose behaviour its content does not determine: functions, symbols,
   * and objects that are neither plain nor arrays.
   */
  static of(value: unknown): ContentSnapshot | undefined {
    const record = recordContent(value);
    return record && new ContentSnapshot(record);
  }

  /**
   * Returns true if the value has exactly the content of the copy: the same fields in the same order, numbers equal to
   * the last bit (0 is not −0).
   *
   * Visits the data in the order of the record, in a single loop without calls: the second comparison of a process is
   * usually the first that takes time, and a loop is compiled while it runs, but recursive functions are not.
   */
  matches(value: unknown): boolean {
    const { codes, numbers, others, names } = this.record;
    const open: unknown[] = []; // lists and objects whose items are still to be compared
    const fields: unknown[] = [];
    let items: readonly unknown[] = [value];
    let count = 1;
    // positions in the lists of the record
    let code = 0;
    let number = 0;
    let other = 0;
    for (;;) {
      for (let i = 0; i < count; i++) {
        const item = items[i];
        const kind = codes[code++];
        if (kind === kinds.number) {
          const known = numbers[number++];
          if (item === known ? known === 0 && 1 / known !== 1 / item : !Object.is(item, known)) return false;
        } else if (kind === kinds.other) {
          if (item !== others[other++]) return false;
        } else if (kind === kinds.open) {
          open.push(item);
        } else if (kind === kinds.rows) {
          const length = codes[code++];
          const width = codes[code++];
          if (!Array.isArray(item) || item.length !== length) return false;
          for (let r = 0; r < length; r++) {
            const row: unknown = item[r];
            if (!Array.isArray(row) || row.length !== width) return false;
            for (let k = 0; k < width; k++) {
              const known = numbers[number++];
              const x: unknown = row[k];
              if (x === known ? known === 0 && 1 / known !== 1 / x : !Object.is(x, known)) return false;
            }
          }
        } else {
          if (kind === kinds.numbers ? !Array.isArray(item) : (item as object | null)?.constructor !== others[other++])
            return false;
          const length = codes[code++];
          const list = item as ArrayLike<unknown>;
          if (list.length !== length) return false;
          for (let k = 0; k < length; k++) {
            const known = numbers[number++];
            const x = list[k];
            if (x === known ? known === 0 && 1 / known !== 1 / x : !Object.is(x, known)) return false;
          }
        }
      }
      if (open.length === 0) return true;
      const holder = open.pop();
      const own = codes[code++];
      if (own < 0) {
        count = -1 - own;
        if (!Array.isArray(holder) || holder.length !== count) return false;
        items = holder;
        continue;
      }
      if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return false;
      const prototype = Object.getPrototypeOf(holder);
      if (prototype !== Object.prototype && prototype !== null) return false;
      const expected = names[own];
      count = 0;
      for (const name in holder) {
        if (name !== expected[count]) return false;
        fields[count++] = (holder as Record<string, unknown>)[name];
      }
      if (count !== expected.length) return false;
      items = fields;
    }
  }
}
