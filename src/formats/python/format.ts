import type { Budget } from './budget.ts';
import { numberOf, requireFloat, requireInteger, truncate } from './pyNumbers.ts';
import { PythonError } from './pythonError.ts';
import { PyDict, PyList, PyRange, PyTuple, type PyValue, typeName } from './pyValues.ts';
import { exponentOf, fixedText, integerText, representationOf, textOf } from './text.ts';

/** Largest width and number of decimals of a formatted value. */
const MAX_WIDTH = 300;

/** Returns `template % values`: `%d`, `%.2f`, `%s`, `%(key)s` … */
export function formatPercent(template: string, values: PyValue, budget: Budget): string {
  const list = values instanceof PyTuple ? values.items : [values];
  let used = 0;
  const next = () => {
    if (used >= list.length) throw new PythonError('not enough arguments for format string');
    return list[used++];
  };
  const field = /%(?:\((.*?)\))?([-+ #0]*)(\*|\d+)?(?:\.(\d+))?[hlL]?(.?)/gs;
  const text = template.replace(field, (_, key: string | undefined, flags, width, precision, type: string) => {
    budget.spend(1);
    if (type === '%') return '%';
    const stated = width === '*' ? String(requireInteger(next())) : width;
    const value = key === undefined ? next() : keyed(values, key);
    const isLeft = flags.includes('-') || stated?.startsWith('-');
    const spec: Spec = {
      align: isLeft ? '<' : '>',
      fill: ' ',
      sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
      zero: flags.includes('0') && !isLeft,
      width: sized(stated?.replace('-', '')),
      precision: precision === undefined ? undefined : sized(precision),
      type,
    };
    if (type === 's' || type === 'r' || type === 'a') {
      const plain = type === 's' ? textOf(value, budget) : representationOf(value, budget);
      return padded(plain.slice(0, spec.precision ?? plain.length), '', spec);
    }
    if (type === 'c')
      return padded(
        typeof value === 'string' ? value : String.fromCodePoint(Number(requireInteger(value) % 0x110000n)),
        '',
        spec,
      );
    return formatNumber(value, spec);
  });
  budget.spendText(text.length);
  if (used < list.length && !(values instanceof PyDict || values instanceof PyList || values instanceof PyRange)) {
    throw new PythonError('not all arguments converted during string formatting');
  }
  return text;
}

function keyed(values: PyValue, key: string): PyValue {
  const value = values instanceof PyDict ? values.get(key) : undefined;
  if (value === undefined) throw new PythonError(`the format has no value for the key '${key}'`);
  return value;
}

/** Returns `template.format(...)`: fields by position and name, with format specifications. */
export function formatFields(
  template: string,
  args: readonly PyValue[],
  keywords: ReadonlyMap<string, PyValue>,
  budget: Budget,
): string {
  let next = 0;
  const text = template.replace(
    /\{\{|\}\}|\{([^{}:!]*)(?:!([rs]))?(?::([^{}]*))?\}|[{}]/g,
    (all, name, conversion, spec) => {
      if (all === '{{' || all === '}}') return all[0];
      if (name === undefined) throw new PythonError(`single '${all}' encountered in format string`);
      const key = String(name);
      const value = key === '' ? args[next++] : /^\d+$/.test(key) ? args[Number(key)] : keywords.get(key);
      if (value === undefined) throw new PythonError(`the format has no value for {${key}}`);
      return formatValue(conversion === 'r' ? representationOf(value, budget) : value, spec ?? '', budget);
    },
  );
  budget.spendText(text.length);
  return text;
}

function formatValue(value: PyValue, text: string, budget: Budget): string {
  budget.spend(1);
  if (text === '') return textOf(value, budget);
  const match = /^(?:(.)?([<>^=]))?([-+ ]?)(0?)(\d*)(?:\.(\d+))?([a-zA-Z%]?)$/su.exec(text);
  if (match === null) throw new PythonError(`invalid format specifier "${text.slice(0, 40)}"`);
  const [, fill = ' ', align, sign, zero, width, precision, type] = match;
  const isNumber = numberOf(value) !== undefined;
  if (!isNumber && typeof value !== 'string') {
    throw new PythonError(`a ${typeName(value)} cannot have the format "${text.slice(0, 40)}"`);
  }
  if (!isNumber && (type !== '' || sign !== '') && type !== 's') {
    throw new PythonError(`a text cannot have the format "${text.slice(0, 40)}"`);
  }
  const spec: Spec = {
    align: align ?? (isNumber ? '>' : '<'),
    fill,
    sign: sign === '-' ? '' : sign,
    zero: zero !== '' && align === undefined,
    width: sized(width || undefined),
    precision: precision === undefined ? undefined : sized(precision),
    type: type || (isNumber && precision !== undefined ? 'g' : ''),
  };
  if (isNumber && spec.type !== '' && spec.type !== 's') return formatNumber(value, spec);
  const plain = textOf(typeof value === 'boolean' ? numberOf(value)! : value, budget);
  if (isNumber) return padded(plain.replace('-', ''), plain.startsWith('-') ? '-' : spec.sign, spec);
  return padded(plain.slice(0, spec.precision ?? plain.length), '', spec);
}

interface Spec {
  readonly align: string;
  readonly fill: string;
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
      return integerText(typeof number === 'bigint' ? number : truncate(number));
    case 'x':
      return requireInteger(value).toString(16);
    case 'X':
      return requireInteger(value).toString(16).toUpperCase();
    case 'o':
      return requireInteger(value).toString(8);
    case 'b':
      return requireInteger(value).toString(2);
  }
  const float = requireFloat(value);
  if (!/^[eEfFgG%]$/.test(type)) throw new PythonError(`unsupported format character '${type}'`);
  if (!Number.isFinite(float)) return Number.isNaN(float) ? 'nan' : float > 0 ? 'inf' : '-inf';
  if (type === '%') return `${fixedText(100 * float, precision)}%`;
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

function padded(digits: string, sign: string, { align, fill, zero, width }: Spec): string {
  const missing = Math.max(0, width - digits.length - sign.length);
  if (zero || align === '=') return sign + (zero ? '0' : fill).repeat(missing) + digits;
  if (align === '<') return sign + digits + fill.repeat(missing);
  if (align === '>') return fill.repeat(missing) + sign + digits;
  const left = Math.floor(missing / 2);
  return fill.repeat(left) + sign + digits + fill.repeat(missing - left);
}
