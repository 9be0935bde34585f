import { type Budget, PythonError } from './budget.ts';
import { numberOf, requireFloat, requireInteger, truncate } from './pyNumbers.ts';
import { PyDict, PyList, PyRange, PyTuple, type PyValue, typeName } from './pyValues.ts';
import { exponentOf, fixedText, representationOf, textOf } from './text.ts';

/** Largest width and number of decimals of a formatted value. */
const MAX_WIDTH = 300;

/** Steps that a field counts as, besides its text. */
const FIELD_STEPS = 20;

/** Returns `template % values`: `%d`, `%.2f`, `%s`, `%(key)s` … */
export function formatPercent(template: string, values: PyValue, budget: Budget): string {
  const list = values instanceof PyTuple ? values.items : [values];
  let used = 0;
  const next = () => {
    if (used >= list.length) throw new PythonError('not enough arguments for format string');
    return list[used++];
  };
  const field = /%(?:\(([^()%]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\d+))?[hlL]?(.?)/gs;
  const text = template.replace(field, (_, key: string | undefined, flags, width, precision, type: string) => {
    budget.spend(FIELD_STEPS);
    if (type === '%') return '%';
    const stated = width === '*' ? String(requireInteger(next())) : width;
    const value = key === undefined ? next() : keyed(values, key, budget);
    const isLeft = flags.includes('-') || stated?.startsWith('-') === true;
    const spec: Spec = {
      isLeft,
      sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
      zero: flags.includes('0') && !isLeft,
      width: sized(stated?.replace('-', '')),
      precision: precision === undefined ? undefined : sized(precision),
      type,
    };
    if (type === 's' || type === 'r') {
      const plain = type === 's' ? textOf(value, budget) : representationOf(value, budget);
      return padded(plain.slice(0, spec.precision ?? plain.length), '', spec);
    }
    return formatNumber(value, spec);
  });
  budget.spendText(text.length);
  if (used < list.length && !(values instanceof PyDict || values instanceof PyList || values instanceof PyRange)) {
    throw new PythonError('not all arguments converted during string formatting');
  }
  return text;
}

function keyed(values: PyValue, key: string, budget: Budget): PyValue {
  const value = values instanceof PyDict ? values.get(key, budget) : undefined;
  if (value === undefined) throw new PythonError(`the format has no value for the key '${key}'`);
  return value;
}

interface Spec {
  readonly isLeft: boolean;
  readonly sign: string;
  /** True if zeros fill the width between sign and digits. */
  readonly zero: boolean;
  readonly width: number;
  readonly precision: number | undefined;
  readonly type: string;
}

function sized(text: string | undefined): number {
  const size = Number(text ?? 0);
  if (size <= MAX_WIDTH) return size;
  throw new PythonError(`a width or precision of ${text} is too large, at most ${MAX_WIDTH} is allowed`);
}

function formatNumber(value: PyValue, spec: Spec): string {
  const { type, precision = 6 } = spec;
  if (numberOf(value) === undefined) throw new PythonError(`%${type} needs a number, not ${typeName(value)}`);
  const digits = digitsOf(value, type, precision);
  const negative = digits.startsWith('-');
  return padded(negative ? digits.slice(1) : digits, negative ? '-' : spec.sign, spec);
}

function digitsOf(value: PyValue, type: string, precision: number): string {
  const number = numberOf(value)!;
  switch (type) {
    case 'd':
    case 'i':
    case 'u':
      return String(typeof number === 'bigint' ? number : truncate(number));
    case 'x':
      return requireInteger(value).toString(16);
    case 'X':
      return requireInteger(value).toString(16).toUpperCase();
    case 'o':
      return requireInteger(value).toString(8);
  }
  const float = requireFloat(value);
  if (!/^[eEfFgG]$/.test(type)) throw new PythonError(`unsupported format character '${type}'`);
  if (!Number.isFinite(float)) return Number.isNaN(float) ? 'nan' : float > 0 ? 'inf' : '-inf';
  if (type === 'f' || type === 'F') return fixedText(float, precision);
  const text = type === 'e' || type === 'E' ? scientific(float, precision) : general(float, precision || 1);
  return type === 'E' || type === 'G' ? text.toUpperCase() : text;
}

function scientific(value: number, precision: number): string {
  const [digits, exponent] = value.toExponential(Math.min(precision, 100)).split('e');
  return `${Object.is(value, -0) ? '-' : ''}${digits}e${exponentOf(Number(exponent))}`;
}

function general(value: number, precision: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const exponent = Number(value.toExponential(Math.min(precision - 1, 100)).split('e')[1]);
  const withoutZeros = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (exponent >= -4 && exponent < precision) return withoutZeros(fixedText(value, precision - 1 - exponent));
  const [digits, power] = scientific(value, precision - 1).split('e');
  return `${withoutZeros(digits)}e${power}`;
}

function padded(digits: string, sign: string, { isLeft, zero, width }: Spec): string {
  const missing = Math.max(0, width - digits.length - sign.length);
  if (zero) return sign + '0'.repeat(missing) + digits;
  return isLeft ? sign + digits + ' '.repeat(missing) : ' '.repeat(missing) + sign + digits;
}
