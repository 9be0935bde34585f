import { type Budget, PythonError } from './budget.ts';
import { PyDict, PyFunction, PyIterator, PyList, PyNamespace, PyRange, PyTuple, type PyValue } from './pyValues.ts';

/** Returns `str(value)`. */
export function textOf(value: PyValue, budget: Budget): string {
  return typeof value === 'string' ? value : representationOf(value, budget);
}

/** Returns `repr(value)`. Throws `PythonError` for collections nested too deep. */
export function representationOf(value: PyValue, budget: Budget, depth = 0): string {
  budget.spend(1);
  if (depth > MAX_NESTING) throw new PythonError(`a collection is nested more than ${MAX_NESTING} deep`);
  const all = (items: readonly PyValue[]) => {
    const texts = items.map((item) => representationOf(item, budget, depth + 1));
    budget.spendText(texts.reduce((sum, { length }) => sum + length + 2, 0));
    return texts;
  };
  if (typeof value === 'string') {
    budget.spendText(2 * value.length);
    return quoted(value);
  }
  if (typeof value === 'number') return floatText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (value instanceof PyList) return `[${all(value.items).join(', ')}]`;
  if (value instanceof PyTuple) return `(${all(value.items).join(', ')}${value.items.length === 1 ? ',' : ''})`;
  if (value instanceof PyDict) {
    const pairs = value.pairs(budget);
    const values = all(pairs.map(([, item]) => item));
    return `{${all(pairs.map(([key]) => key))
      .map((key, i) => `${key}: ${values[i]}`)
      .join(', ')}}`;
  }
  if (value instanceof PyRange) {
    return `range(${value.start}, ${value.stop}${value.step === 1n ? '' : `, ${value.step}`})`;
  }
  if (value instanceof PyIterator) return '<iterator>';
  return value instanceof PyFunction || value instanceof PyNamespace ? `<${value.name}>` : String(value);
}

const MAX_NESTING = 100;

/** Returns the shortest text that reads back as the same float, in the form of Python: `1.0`, `1e-05`, `inf`. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [, sign, digits, exponentText] = /^(-?)([\d.]+)e([-+]\d+)$/.exec(value.toExponential())!;
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) return `${sign}${digits}e${exponentOf(exponent)}`;
  const bare = digits.replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${bare}`;
  const whole = bare.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${bare.slice(exponent + 1) || '0'}`;
}

/** Returns an exponent with its sign and at least two digits. */
export function exponentOf(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/**
 * Returns a float with a fixed number of decimals, correctly rounded from its exact binary value, ties to even as in
 * Python.
 * @param digits number of decimals, 0 to 400; negative: rounds to tens, hundreds …
 */
export function fixedText(value: number, digits: number): string {
  const { mantissa, exponent } = parts(value);
  // value = mantissa · 2^exponent; the result is the integer nearest to value · 10^digits
  let numerator = mantissa < 0n ? -mantissa : mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (digits >= 0) numerator *= 10n ** BigInt(digits);
  else denominator *= 10n ** BigInt(-digits);
  let quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) quotient++;
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (digits <= 0) return `${sign}${quotient * 10n ** BigInt(-digits)}`;
  const text = quotient.toString().padStart(digits + 1, '0');
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Splits a finite float into integers: value = mantissa · 2^exponent. */
function parts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: value < 0 ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 };
}

/** Returns a string as Python prints it in collections: in single quotes unless it contains some. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `${quote}${inner}${quote}`;
}
