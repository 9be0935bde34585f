import { pow } from '../../core/math/trigonometry.ts';
import { PythonError } from './budget.ts';
import { type PyValue, typeName } from './pyValues.ts';

/** Bits: above those of the largest float. Larger integers are refused, so arithmetic takes constant time. */
const MAX_BITS = 1100;

const LARGEST = 1n << BigInt(MAX_BITS);

/** Digits of the largest integer in base 2, the longest text that may state an integer. */
const MAX_DIGITS = MAX_BITS;

/** Returns the value as a number (a boolean counts as 0 or 1), undefined if it is none. */
export function numberOf(value: PyValue): bigint | number | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined;
}

/** Returns the value as an integer. Throws `PythonError` if it is none. */
export function requireInteger(value: PyValue): bigint {
  const number = numberOf(value);
  if (typeof number === 'bigint') return number;
  throw new PythonError(`'${typeName(value)}' object cannot be interpreted as an integer`);
}

/** Returns the value as a float. Throws `PythonError` if it is no number or too large. */
export function requireFloat(value: PyValue): number {
  const number = numberOf(value);
  if (number === undefined) throw new PythonError(`must be real number, not ${typeName(value)}`);
  return toFloat(number);
}

/** Converts a number to a float. Throws `PythonError` if it is too large. */
export function toFloat(number: bigint | number): number {
  if (typeof number === 'number') return number;
  const float = Number(number);
  if (!Number.isFinite(float)) throw new PythonError('int too large to convert to float');
  return float;
}

/** Returns the integer that a string states in a base; undefined if it states none. */
export function parseInteger(text: string, base = 10): bigint | undefined {
  const [, sign, body] = /^([-+]?)([\da-z_]+)$/i.exec(text.trim()) ?? [];
  if (body === undefined || /^_|_$|__/.test(body)) return undefined;
  const prefixed = PREFIXES.find(
    ([prefix, of]) => (base === of || base === 0) && body.toLowerCase().startsWith(prefix),
  );
  const digits = (prefixed ? body.slice(2) : body).replaceAll('_', '').toLowerCase();
  const actual = BigInt(prefixed?.[1] ?? (base === 0 ? 10 : base));
  if (digits === '' || (actual === 10n && !/^\d+$/.test(digits))) return undefined;
  if (digits.length > MAX_DIGITS) throw tooLarge();
  let value = 0n;
  for (const digit of digits) {
    const worth = BigInt(Number.parseInt(digit, 36));
    if (worth >= actual) return undefined;
    value = value * actual + worth;
  }
  return requireSize(sign === '-' ? -value : value);
}

const PREFIXES: readonly (readonly [string, number])[] = [
  ['0x', 16],
  ['0o', 8],
  ['0b', 2],
];

/** Returns the float that a string states; undefined if it states none. */
export function parseFloatText(text: string): number | undefined {
  const [, sign, body] = /^([-+]?)(.*)$/s.exec(text.trim())!;
  const factor = sign === '-' ? -1 : 1;
  if (/^(inf|infinity)$/i.test(body)) return factor * Infinity;
  if (/^nan$/i.test(body)) return Number.NaN;
  if (!/^(\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(e[-+]?\d(?:_?\d)*)?$/i.test(body)) return undefined;
  return factor * Number(body.replaceAll('_', ''));
}

/** Computes x ** y. Throws `PythonError` for results that are too large or complex. */
export function power(x: bigint | number, y: bigint | number): bigint | number {
  if (typeof x === 'bigint' && typeof y === 'bigint' && y >= 0n) {
    const bits = (x < 0n ? -x : x).toString(2).length - 1;
    if (BigInt(bits) * y > BigInt(MAX_BITS)) throw tooLarge();
    return requireSize(x ** y);
  }
  return floatPower(toFloat(x), toFloat(y));
}

/** Computes x ** y of floats. */
function floatPower(x: number, y: number): number {
  if (x === 0 && y < 0) throw new PythonError('0.0 cannot be raised to a negative power');
  if (x < 0 && Number.isFinite(y) && !Number.isInteger(y)) {
    throw new PythonError('a negative number to a power that is not an integer is complex, which is not supported');
  }
  const value = pow(x, y);
  if (!Number.isFinite(value) && Number.isFinite(x) && Number.isFinite(y)) {
    throw new PythonError('the result of ** is too large');
  }
  return value;
}

/** Returns an integer that is small enough. Throws `PythonError` for others. */
export function requireSize(value: bigint): bigint {
  if (value < LARGEST && value > -LARGEST) return value;
  throw tooLarge();
}

const tooLarge = () => new PythonError(`an integer of more than ${MAX_BITS} bits is too large`);

/** Computes the quotient rounded down, and the remainder with the sign of the divisor. */
export function floorDivide(x: bigint | number, y: bigint | number): readonly [bigint | number, bigint | number] {
  if (Number(y) === 0)
    throw new PythonError(
      typeof x === 'bigint' && typeof y === 'bigint'
        ? 'integer division or modulo by zero'
        : 'float floor division by zero',
    );
  if (typeof x === 'bigint' && typeof y === 'bigint') {
    const remainder = ((x % y) + y) % y;
    return [(x - remainder) / y, remainder];
  }
  const [a, b] = [toFloat(x), toFloat(y)];
  let remainder = a % b;
  let quotient = (a - remainder) / b;
  if (remainder !== 0) {
    if (b < 0 !== remainder < 0) {
      remainder += b;
      quotient -= 1;
    }
  } else remainder = b < 0 ? -0 : 0;
  if (quotient === 0) return [a / b < 0 || Object.is(a / b, -0) ? -0 : 0, remainder];
  const down = Math.floor(quotient);
  return [quotient - down > 0.5 ? down + 1 : down, remainder];
}

/** Computes x / y. */
export function divide(x: bigint | number, y: bigint | number): number {
  if (Number(y) === 0) throw new PythonError('division by zero');
  return toFloat(x) / toFloat(y);
}

/** Truncates a float to an integer. Throws `PythonError` for infinite values and NaN. */
export function truncate(value: number): bigint {
  if (Number.isFinite(value)) return BigInt(Math.trunc(value));
  throw new PythonError(`cannot convert float ${Number.isNaN(value) ? 'NaN' : 'infinity'} to integer`);
}
