import { acos, asin, atan2, cos, exp, log, PI, sin, TWO_PI } from '../../core/math/trigonometry.ts';
import { PythonError } from './budget.ts';
import { numberOf, power, requireFloat, toFloat, truncate } from './pyNumbers.ts';
import { PyFunction, type PyValue } from './pyValues.ts';

/** Wraps a function of floats: NaN for other arguments than NaN is a domain error, an infinite result a range error. */
function ofFloats(name: string, count: number, compute: (...args: number[]) => number): PyFunction {
  return new PyFunction(name, [count, count], (args) => {
    const numbers = args.map(requireFloat);
    const value = compute(...numbers);
    if (Number.isNaN(value) && !numbers.some(Number.isNaN)) throw domain();
    if (!Number.isFinite(value) && !Number.isNaN(value) && numbers.every(Number.isFinite)) {
      throw new PythonError('math range error: the result is too large');
    }
    return value;
  });
}

const domain = () => new PythonError('math domain error: the function has no value there');

/** Largest angle of sin, cos and tan, rad: beyond it the reduction to one turn loses digits. */
const LARGEST_ANGLE = 1e5;

function reducible(x: number): number {
  if (Math.abs(x) > LARGEST_ANGLE && Number.isFinite(x)) {
    throw new PythonError(`an angle of ${x} rad is too large, at most ${LARGEST_ANGLE} rad is allowed`);
  }
  return Number.isFinite(x) ? x : Number.NaN;
}

const within = (x: number, compute: (x: number) => number) => (x >= -1 && x <= 1 ? compute(x) : Number.NaN);

/** Distance from the origin, scaled against overflow. */
const norm = (values: readonly number[]) => {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  return largest * Math.sqrt(values.reduce((sum, value) => sum + (value / largest) * (value / largest), 0));
};

const functions: Readonly<Record<string, readonly [number, (...args: number[]) => number]>> = {
  sin: [1, (x) => sin(reducible(x))],
  cos: [1, (x) => cos(reducible(x))],
  tan: [1, (x) => sin(reducible(x)) / cos(reducible(x))],
  asin: [1, (x) => within(x, asin)],
  acos: [1, (x) => within(x, acos)],
  atan: [1, (x) => atan2(x, 1)],
  atan2: [2, atan2],
  sqrt: [1, Math.sqrt],
  exp: [1, exp],
  log10: [1, (x) => (x > 0 ? decimalLogarithm(x) : Number.NaN)],
  fabs: [1, Math.abs],
  degrees: [1, (x) => x * (180 / PI)],
  radians: [1, (x) => x * (PI / 180)],
  copysign: [2, (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x))],
  fmod: [2, (x, y) => x % y],
};

/** Exact for powers of ten that are exact floats. */
function decimalLogarithm(x: number): number {
  const nearest = Math.floor(log(x) / Math.LN10 + 0.5);
  return x === Number(`1e${nearest}`) ? nearest : log(x) / Math.LN10;
}

function rounded(name: string, round: (x: number) => number): PyFunction {
  return new PyFunction(name, [1, 1], ([value]) => {
    const number = numberOf(value);
    return typeof number === 'bigint' ? number : truncate(round(requireFloat(value)));
  });
}

const others: readonly PyFunction[] = [
  rounded('floor', Math.floor),
  rounded('ceil', Math.ceil),
  rounded('trunc', Math.trunc),
  new PyFunction('isnan', [1, 1], ([x]) => Number.isNaN(requireFloat(x))),
  new PyFunction('pow', [2, 2], ([x, y]) => toFloat(power(requireFloat(x), requireFloat(y)))),
  new PyFunction('hypot', [0, Infinity], (args) => norm(args.map(requireFloat))),
  new PyFunction('log', [1, 2], ([x, base]) => {
    const [value, divisor] = [logarithm(x), base === undefined ? 1 : logarithm(base)];
    if (divisor === 0) throw new PythonError('division by zero');
    return value / divisor;
  }),
];

function logarithm(value: PyValue): number {
  const float = requireFloat(value);
  if (!(float > 0 || Number.isNaN(float))) throw domain();
  return log(float);
}

/** Returns functions that exist in Python, so that a property may not take their names for free, and refuses calls. */
export function unsupported(names: string): PyFunction[] {
  return names.split(' ').map(
    (name) =>
      new PyFunction(
        name,
        [0, Infinity],
        () => {
          throw new PythonError(`${name}() is not supported`);
        },
        'any',
      ),
  );
}

/** The module math: the functions that robot descriptions use; the others of Python are refused. */
export const mathModule: Readonly<Record<string, PyValue>> = {
  pi: PI,
  tau: TWO_PI,
  e: Math.E,
  inf: Infinity,
  nan: Number.NaN,
  ...Object.fromEntries(
    Object.entries(functions).map(([name, [count, compute]]) => [name, ofFloats(name, count, compute)]),
  ),
  ...Object.fromEntries(
    [
      ...others,
      ...unsupported(
        'acosh asinh atanh cbrt comb cosh dist erf erfc exp2 expm1 factorial frexp fsum gamma gcd isclose isfinite ' +
          'isinf isqrt lcm ldexp lgamma log1p log2 modf nextafter perm prod remainder sinh tanh ulp',
      ),
    ].map((entry) => [entry.name, entry]),
  ),
};
