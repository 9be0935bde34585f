/** Powers of ten that doubles represent exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));
/** Largest number of significant digits that are read: two groups, each below 2^30. */
const MAX_DIGITS = 18;
const GROUP = 9;
/** Integers up to here, and only up to here, are all exact. */
const MAX_EXACT = 2 ** 53;
/** Veltkamp's constant: splits a double into two halves of 26 bits. */
const SPLIT = 2 ** 27 + 1;
/** Factors around 1: bounds on the relative error of the correction of a quotient, which is below 2^-51. */
const UP = 1 + 2 ** -48;
const DOWN = 1 - 2 ** -48;

/** No exponent: magnitudes of exponents are below 1000. */
const INVALID = 1000;

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;

/**
 * Reads the numbers of JSON from bytes, to the same double as `Number(text)`: the nearest one. Numbers that need more
 * than twice double precision (more than 18 digits, large exponents, ties) are left to the caller. Doubles are passed
 * in typed arrays only: as arguments or results of calls that are not inlined they would be allocated.
 */
export class DecimalReader {
  private at = 0;
  /** Significant digits in two groups: m = high · 10^lowDigits + low. */
  private digits = 0;
  private high = 0;
  private low = 0;

  /**
   * Reads the number that begins at `from` into `out[index]`. Returns the position after it, or −1 if there is no
   * number or it is left to the caller. The bytes must end with one that is no digit, such as a newline.
   */
  read(bytes: Uint8Array, from: number, out: Float64Array, index: number): number {
    const isNegative = bytes[from] === MINUS;
    const first = isNegative ? from + 1 : from;
    this.at = first;
    this.digits = this.high = this.low = 0;
    this.readDigits(bytes);
    const length = this.at - first;
    if (length === 0 || (length > 1 && bytes[first] === ZERO)) return -1;
    let decimals = 0;
    if (bytes[this.at] === POINT) {
      const point = ++this.at;
      this.readDigits(bytes);
      decimals = this.at - point;
      if (decimals === 0) return -1;
    }
    if ((bytes[this.at] | 0x20) === 0x65) {
      const exponent = this.readExponent(bytes);
      if (exponent === INVALID) return -1;
      decimals -= exponent;
    }
    if (this.digits > MAX_DIGITS || !this.writeScaled(decimals, out, index)) return -1;
    if (isNegative) out[index] = -out[index];
    return this.at;
  }

  /** Appends the digits at the current position to the groups. Zeros before the first other digit do not count. */
  private readDigits(bytes: Uint8Array): void {
    let { at, digits, high, low } = this;
    for (; ; at++) {
      const digit = bytes[at] - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      if (digits < GROUP) high = (10 * high + digit) | 0;
      else if (digits < MAX_DIGITS) low = (10 * low + digit) | 0;
      if (digits > 0 || digit > 0) digits++;
    }
    this.at = at;
    this.digits = digits;
    this.high = high;
    this.low = low;
  }

  /** Reads `e`, a sign and one to three digits; INVALID for anything else. */
  private readExponent(bytes: Uint8Array): number {
    let at = this.at + 1;
    const isNegative = bytes[at] === MINUS;
    if (isNegative || bytes[at] === PLUS) at++;
    const first = at;
    let exponent = 0;
    for (; bytes[at] >= ZERO && bytes[at] <= ZERO + 9; at++) exponent = (10 * exponent + bytes[at] - ZERO) | 0;
    const length = at - first;
    this.at = at;
    if (length === 0 || length > 3) return INVALID;
    return isNegative ? -exponent : exponent;
  }

  /** Writes the double nearest to m / 10^decimals; returns false if that is not decided here. */
  private writeScaled(decimals: number, out: Float64Array, index: number): boolean {
    const { high, low, digits } = this;
    const power = digits > GROUP ? POWERS[digits - GROUP] : 1;
    const m = high * power + low;
    if (decimals < -22 || decimals > 22) {
      out[index] = 0;
      return m === 0;
    }
    // Both operands exact: one rounding [Clinger90 §4].
    if (m < MAX_EXACT) {
      out[index] = decimals < 0 ? m * POWERS[-decimals] : m / POWERS[decimals];
      return true;
    }
    if (decimals < 0) return false;
    // m = upper + rest exactly: the halves of `high` have 15 bits, so that their products with `power` are exact.
    const bottom = high & 0x7fff;
    const a = (high - bottom) * power;
    const b = bottom * power;
    const sum = a + b;
    const tail = b - (sum - a) + low;
    const upper = sum + tail;
    const rest = tail - (upper - sum);
    out[index] = upper;
    if (decimals === 0) return true;
    // The remainder of a quotient is exact [Dekker71], so a correction by it errs by little; both bounds on the
    // corrected quotient must round to one double.
    const divisor = POWERS[decimals];
    const quotient = upper / divisor;
    const c = SPLIT * quotient;
    const qHigh = c - (c - quotient);
    const qLow = quotient - qHigh;
    const d = SPLIT * divisor;
    const dHigh = d - (d - divisor);
    const dLow = divisor - dHigh;
    const product = quotient * divisor;
    const error = qHigh * dHigh - product + qHigh * dLow + qLow * dHigh + qLow * dLow;
    const correction = (upper - product - error + rest) / divisor;
    const above = quotient + correction * UP;
    out[index] = above;
    return above === quotient + correction * DOWN;
  }
}
