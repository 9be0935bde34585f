const ZERO = 0x30;

/** Most digits of a number that `number` writes: safe integers. */
const MAX_DIGITS = 16;

/** Text in UTF-8 that grows at its end. */
export class ByteText {
  private bytes: Uint8Array;
  private length = 0;

  /** @param size bytes that are allocated at once */
  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  /** Appends bytes `from` to `end` of a list. */
  add(source: Uint8Array, from = 0, end = source.length): void {
    this.reserve(end - from);
    const { bytes } = this;
    let at = this.length;
    for (let i = from; i < end; i++) bytes[at++] = source[i];
    this.length = at;
  }

  /** Appends a nonnegative integer. */
  addInteger(value: number): void {
    this.reserve(MAX_DIGITS);
    const { bytes } = this;
    let end = this.length + 1;
    for (let bound = 10; value >= bound; bound *= 10) end++;
    this.length = end;
    let rest = value;
    do {
      const next = Math.floor(rest / 10);
      bytes[--end] = ZERO + rest - 10 * next;
      rest = next;
    } while (rest > 0);
  }

  /** Appends a string. */
  addString(text: string): void {
    if (text !== '') this.add(encoder.encode(text));
  }

  /** Returns the text. It shares the memory of this object, which must not be used any more. */
  toBytes(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

const encoder = new TextEncoder();
