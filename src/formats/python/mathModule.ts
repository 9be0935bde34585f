import { exp, log } from '../../math/exponential.ts';
import { acos, asin, atan2, cos, PI, sin, TWO_PI } from '../../math/trigonometry.ts';
import {
  bitsOf,
  floorDivide,
  numberOf,
  power,
  requireFloat,
  requireInteger,
  requireSize,
  toFloat,
  truncate,
} from './pyNumbers.ts';
import { isEqual } from './pyOperators.ts';
import { PythonError } from './pythonError.ts';
import { itemsOf, PyFunction, PyTuple, type PyValue } from './pyValues.ts';

const domain = () => new PythonError('math domain error: the function has no value there');
const range = () => new PythonError('math range error: the result is too large');

/** Wraps a function of floats: NaN for other arguments than NaN is a domain error, an infinite result a range error. */
function ofFloats(name: string, count: number, compute: (...args: number[]) => number): PyFunction {
  return new PyFunction(name, (args, keywords) => {
    if (args.length !== count || keywords.size > 0)
      throw new PythonError(`${name}() takes ${count} arguments, not ${args.length}`);
    const numbers = args.map(requireFloat);
    const value = compute(...numbers);
    if (Number.isNaN(value) && !numbers.some(Number.isNaN)) throw domain();
    if (!Number.isFinite(value) && !Number.isNaN(value) && numbers.every(Number.isFinite)) throw range();
    return value;
  });
}

/** Largest angle of sin, cos and tan, rad: beyond it the reduction to one turn loses digits. */
const LARGEST_ANGLE = 1e5;

function reducible(x: number): number {
  if (Math.abs(x) > LARGEST_ANGLE && Number.isFinite(x)) {
    throw new PythonError(`an angle of ${x} rad is too large, at most ${LARGEST_ANGLE} rad is allowed`);
  }
  return Number.isFinite(x) ? x : Number.NaN;
}

const within = (x: number, compute: (x: number) => number) => (x >= -1 && x <= 1 ? compute(x) : Number.NaN);
const positive = (x: number, compute: (x: number) => number) => (x > 0 ? compute(x) : Number.NaN);
const atan = (x: number) => atan2(x, 1);
/** Logarithm of 1 + x: the second factor corrects the rounding of the sum. */
const log1p = (x: number) => {
  const sum = 1 + x;
  return sum === 1 ? x : (log(sum) * x) / (sum - 1);
};
/** eˣ − 1: by the series near 0, where the difference would lose its digits. */
const expm1 = (x: number) => {
  if (Math.abs(x) > 0.3) return exp(x) - 1;
  let sum = 0;
  for (let n = 18; n >= 1; n--) sum = (x / n) * (1 + sum);
  return sum;
};
const sinh = (x: number) => {
  const growth = expm1(Math.abs(x));
  return (Math.sign(x) * (growth + growth / (growth + 1))) / 2;
};
const tanh = (x: number) => (Math.abs(x) > 20 ? Math.sign(x) : expm1(2 * x) / (expm1(2 * x) + 2));
const asinh = (x: number) => Math.sign(x) * log1p(Math.abs(x) + (x * x) / (1 + Math.sqrt(1 + x * x)));
/** Distance from the origin, scaled against overflow. */
const norm = (values: readonly number[]) => {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  return largest * Math.sqrt(values.reduce((sum, value) => sum + (value / largest) * (value / largest), 0));
};
const cbrt = (x: number) => {
  if (x === 0 || !Number.isFinite(x)) return x;
  const root = exp(log(Math.abs(x)) / 3);
  return Math.sign(x) * (root - (root * root * root - Math.abs(x)) / (3 * root * root)); // one step of Newton
};

const functions: Readonly<Record<string, readonly [number, (...args: number[]) => number]>> = {
  sin: [1, (x) => sin(reducible(x))],
  cos: [1, (x) => cos(reducible(x))],
  tan: [1, (x) => sin(reducible(x)) / cos(reducible(x))],
  asin: [1, (x) => within(x, asin)],
  acos: [1, (x) => within(x, acos)],
  atan: [1, atan],
  atan2: [2, atan2],
  sinh: [1, sinh],
  cosh: [1, (x) => (exp(Math.abs(x)) + exp(-Math.abs(x))) / 2],
  tanh: [1, tanh],
  asinh: [1, asinh],
  acosh: [1, (x) => (x >= 1 ? log1p(x - 1 + Math.sqrt((x - 1) * (x + 1))) : Number.NaN)],
  atanh: [1, (x) => (x > -1 && x < 1 ? log1p((2 * x) / (1 - x)) / 2 : Number.NaN)],
  sqrt: [1, Math.sqrt],
  cbrt: [1, cbrt],
  exp: [1, exp],
  exp2: [1, (x) => exp(x * Math.LN2)],
  expm1: [1, expm1],
  log10: [1, (x) => positive(x, decimalLogarithm)],
  log2: [1, (x) => positive(x, binaryLogarithm)],
  log1p: [1, (x) => (x > -1 ? log1p(x) : Number.NaN)],
  fabs: [1, Math.abs],
  degrees: [1, (x) => x * (180 / PI)],
  radians: [1, (x) => x * (PI / 180)],
  copysign: [2, (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x))],
  fmod: [2, (x, y) => x % y],
  remainder: [
    2,
    (x, y) => {
      const rest = x % y;
      const [size, other] = [Math.abs(rest), Math.abs(y) - Math.abs(rest)];
      const isOdd = Math.abs(((x - rest) / y) % 2) === 1;
      return size > other || (size === other && isOdd) ? rest - Math.sign(rest) * Math.abs(y) : rest;
    },
  ],
};

/** Exact for powers of ten that are exact floats. */
function decimalLogarithm(x: number): number {
  const nearest = Math.floor(log(x) / Math.LN10 + 0.5);
  return x === Number(`1e${nearest}`) ? nearest : log(x) / Math.LN10;
}

/** Exact for powers of two. */
function binaryLogarithm(x: number): number {
  const nearest = Math.floor(log(x) / Math.LN2 + 0.5);
  return x === 2 ** nearest ? nearest : log(x) / Math.LN2;
}

function rounded(name: string, round: (x: number) => number): PyFunction {
  return new PyFunction(name, ([value, ...rest]) => {
    if (value === undefined || rest.length > 0) throw new PythonError(`${name}() takes 1 argument`);
    const number = numberOf(value);
    return typeof number === 'bigint' ? number : truncate(round(requireFloat(value)));
  });
}

const predicate = (name: string, test: (x: number) => boolean) =>
  new PyFunction(name, ([value = null]) => test(requireFloat(value)));

/** Largest argument of factorial, comb and perm. */
const MAX_FACTORIAL = 1000n;

function smallInteger(value: PyValue | undefined, name: string): bigint {
  const integer = requireInteger(value ?? null);
  if (integer < 0n) throw new PythonError(`${name}() needs non-negative integers`);
  if (integer > MAX_FACTORIAL)
    throw new PythonError(`${name}() of ${integer > 10n ** 9n ? 'a number above 1e9' : integer} is too large`);
  return integer;
}

function product(from: bigint, to: bigint): bigint {
  let value = 1n;
  for (let factor = from; factor <= to; factor++) value *= factor;
  return value;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

const others: readonly PyFunction[] = [
  rounded('floor', Math.floor),
  rounded('ceil', Math.ceil),
  rounded('trunc', Math.trunc),
  predicate('isnan', Number.isNaN),
  predicate('isfinite', Number.isFinite),
  predicate('isinf', (x) => !Number.isFinite(x) && !Number.isNaN(x)),
  new PyFunction('pow', ([x = null, y = null]) => toFloat(power(requireFloat(x), requireFloat(y)))),
  new PyFunction('hypot', (args) => norm(args.map(requireFloat))),
  new PyFunction('dist', ([p = null, q = null], _, budget) => {
    const [a, b] = [itemsOf(p, budget).map(requireFloat), itemsOf(q, budget).map(requireFloat)];
    if (a.length !== b.length) throw new PythonError('both points must have the same number of dimensions');
    return norm(a.map((value, i) => value - b[i]));
  }),
  new PyFunction('log', ([x = null, base]) => {
    const [value, divisor] = [logarithm(x), base === undefined ? 1 : logarithm(base)];
    if (divisor === 0) throw new PythonError('division by zero');
    return value / divisor;
  }),
  new PyFunction('fsum', ([items = null], _, budget) => exactSum(itemsOf(items, budget).map(requireFloat))),
  new PyFunction('prod', ([items = null], _, budget) =>
    itemsOf(items, budget).reduce<bigint | number>((value, item) => multiplied(value, item), 1n),
  ),
  new PyFunction('factorial', ([n]) => product(1n, smallInteger(n, 'factorial'))),
  new PyFunction('comb', ([n, k]) => {
    const [all, some] = [smallInteger(n, 'comb'), smallInteger(k, 'comb')];
    return some > all ? 0n : product(all - some + 1n, all) / product(1n, some);
  }),
  new PyFunction('perm', ([n, k]) => {
    const [all, some] = [smallInteger(n, 'perm'), smallInteger(k ?? n, 'perm')];
    return some > all ? 0n : product(all - some + 1n, all);
  }),
  new PyFunction('gcd', (args) => args.map(requireInteger).reduce(gcd, 0n)),
  new PyFunction('lcm', (args) =>
    args.map(requireInteger).reduce((a, b) => {
      if (a === 0n || b === 0n) return 0n;
      requireSize(bitsOf(a) + bitsOf(b));
      return (a / gcd(a, b)) * (b < 0n ? -b : b);
    }, 1n),
  ),
  new PyFunction('isqrt', ([n = null]) => {
    const integer = requireInteger(n);
    if (integer < 0n) throw new PythonError('isqrt() argument must be nonnegative');
    let root = BigInt(Math.floor(Math.sqrt(Number(integer))));
    for (let i = 0; i < 100 && root > 0n; i++) {
      const better = (root + integer / root) / 2n;
      if (better === root) break;
      root = better;
    }
    while (root * root > integer) root--;
    while ((root + 1n) * (root + 1n) <= integer) root++;
    return root;
  }),
  new PyFunction('modf', ([x = null]) => {
    const value = requireFloat(x);
    return new PyTuple([value - Math.trunc(value), Math.trunc(value)]);
  }),
  new PyFunction('frexp', ([x = null]) => {
    let value = requireFloat(x);
    if (value === 0 || !Number.isFinite(value)) return new PyTuple([value, 0n]);
    let exponent = 0n;
    for (; Math.abs(value) >= 1; exponent++) value /= 2;
    for (; Math.abs(value) < 0.5; exponent--) value *= 2;
    return new PyTuple([value, exponent]);
  }),
  new PyFunction('ldexp', ([x = null, k = null]) => {
    const steps = Number(requireInteger(k));
    let value = requireFloat(x);
    for (let i = 0; i < Math.min(Math.abs(steps), 2200); i++) value *= steps > 0 ? 2 : 0.5;
    if (!Number.isFinite(value)) throw range();
    return value;
  }),
  new PyFunction('isclose', ([a = null, b = null], keywords, budget) => {
    const [x, y] = [requireFloat(a), requireFloat(b)];
    const relative = requireFloat(keywords.get('rel_tol') ?? 1e-9);
    const absolute = requireFloat(keywords.get('abs_tol') ?? 0);
    if (isEqual(x, y, budget)) return true;
    const gap = Math.abs(x - y);
    return Number.isFinite(gap) && gap <= Math.max(relative * Math.max(Math.abs(x), Math.abs(y)), absolute);
  }),
];

/** The module math: all of Python's functions but erf, gamma, nextafter, ulp and their variants. */
export const mathModule: Readonly<Record<string, PyValue>> = {
  pi: PI,
  tau: TWO_PI,
  e: Math.E,
  inf: Infinity,
  nan: Number.NaN,
  ...Object.fromEntries(
    Object.entries(functions).map(([name, [count, compute]]) => [name, ofFloats(name, count, compute)]),
  ),
  ...Object.fromEntries(others.map((entry) => [entry.name, entry])),
};

function logarithm(value: PyValue): number {
  const float = requireFloat(value);
  if (!(float > 0 || Number.isNaN(float))) throw domain();
  return log(float);
}

function multiplied(value: bigint | number, item: PyValue): bigint | number {
  const factor = numberOf(item);
  if (factor === undefined) throw new PythonError('prod() needs numbers');
  if (typeof value === 'bigint' && typeof factor === 'bigint') {
    requireSize(bitsOf(value) + bitsOf(factor));
    return value * factor;
  }
  return toFloat(value) * toFloat(factor);
}

/** Computes a sum that is rounded once (Shewchuk 1997: exact partial sums). */
function exactSum(values: readonly number[]): number {
  let partials: number[] = [];
  for (const value of values) {
    let x = value;
    const kept: number[] = [];
    for (const partial of partials) {
      const [large, small] = Math.abs(x) < Math.abs(partial) ? [partial, x] : [x, partial];
      const sum = large + small;
      const error = small - (sum - large);
      if (error !== 0) kept.push(error);
      x = sum;
    }
    partials = [...kept, x];
  }
  return partials.reduceRight((sum, partial) => sum + partial, 0);
}

/** Returns quotient and remainder of a floor division. */
export function quotientAndRemainder(a: PyValue, b: PyValue): PyTuple {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined || y === undefined) throw new PythonError('divmod() needs numbers');
  return new PyTuple(floorDivide(x, y));
}
