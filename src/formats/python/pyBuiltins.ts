import { type Budget, PythonError } from './budget.ts';
import { unsupported } from './mathModule.ts';
import { numberOf, parseFloatText, parseInteger, requireInteger, requireSize, toFloat, truncate } from './pyNumbers.ts';
import { binary, compare, isLess } from './pyOperators.ts';
import {
  type Compute,
  itemsOf,
  type Keywords,
  PyDict,
  PyFunction,
  PyIterator,
  PyList,
  PyRange,
  PyTuple,
  type PyValue,
  truth,
  typeName,
} from './pyValues.ts';
import { fixedText, representationOf, textOf } from './text.ts';

const define = (
  name: string,
  arity: readonly [number, number],
  call: Compute,
  names: readonly string[] | 'any' = [],
): PyFunction => new PyFunction(name, arity, call, names);

/** Returns the items in increasing order; equal items keep their order. */
function sortedItems(items: readonly PyValue[], keywords: Keywords, budget: Budget): PyList {
  const descending = truth(keywords.get('reverse') ?? false);
  const compared = (a: PyValue, b: PyValue) => (isLess(a, b, budget) ? -1 : isLess(b, a, budget) ? 1 : 0);
  return new PyList(items.toSorted((a, b) => (descending ? compared(b, a) : compared(a, b))));
}

function extreme(name: string, operator: '<' | '>'): PyFunction {
  return define(name, [1, Infinity], (args, _, budget) => {
    const items = args.length === 1 ? itemsOf(args[0], budget) : args;
    if (items.length === 0) throw new PythonError(`${name}() of an empty sequence`);
    return items.reduce((best, item) => (compare(operator, item, best, budget) ? item : best));
  });
}

/** Creates a dictionary from pairs, another dictionary, and names. */
function dictionary([source]: readonly PyValue[], keywords: Keywords, budget: Budget): PyDict {
  const result = new PyDict();
  if (source instanceof PyDict) for (const [key, value] of source.pairs(budget)) result.set(key, value, budget);
  else if (source !== undefined) {
    for (const pair of itemsOf(source, budget)) {
      const [key, value, ...rest] = itemsOf(pair, budget);
      if (value === undefined || rest.length > 0) throw new PythonError('dict() needs pairs of key and value');
      result.set(key, value, budget);
    }
  }
  for (const [key, value] of keywords) result.set(key, value, budget);
  return result;
}

function integer([value = 0n, base]: readonly PyValue[]): bigint {
  const number = numberOf(value);
  if (number !== undefined && base === undefined) return typeof number === 'bigint' ? number : truncate(number);
  const radix = base === undefined ? 10 : Number(requireInteger(base));
  if (radix !== 0 && (radix < 2 || radix > 36)) throw new PythonError('int() base must be >= 2 and <= 36, or 0');
  const parsed = typeof value === 'string' ? parseInteger(value, radix) : undefined;
  if (parsed !== undefined) return parsed;
  if (typeof value !== 'string')
    throw new PythonError(`int() argument must be a string or a number, not '${typeName(value)}'`);
  throw new PythonError(`"${value.slice(0, 40)}" is no integer`);
}

function float([value = 0]: readonly PyValue[]): number {
  const number = numberOf(value);
  if (number !== undefined) return toFloat(number);
  if (typeof value !== 'string')
    throw new PythonError(`float() argument must be a string or a number, not '${typeName(value)}'`);
  const parsed = parseFloatText(value);
  if (parsed === undefined) throw new PythonError(`"${value.slice(0, 40)}" is no number`);
  return parsed;
}

/** Steps of rounding, which computes with exact fractions. */
const ROUNDING_STEPS = 20;

/** Rounds half to even: to an integer, or to a number of decimals. */
function round([value, decimals]: readonly PyValue[], _: Keywords, budget: Budget): bigint | number {
  budget.spend(ROUNDING_STEPS);
  const number = numberOf(value);
  if (number === undefined) throw new PythonError(`type ${typeName(value)} doesn't define round()`);
  if (decimals === undefined || decimals === null) {
    if (typeof number === 'bigint') return number;
    return Number.isFinite(number) ? BigInt(fixedText(number, 0)) : truncate(number);
  }
  const digits = Math.max(-400, Math.min(400, Number(requireInteger(decimals))));
  if (typeof number === 'number') return Number.isFinite(number) ? Number(fixedText(number, digits)) : number;
  if (digits >= 0) return number;
  const unit = 10n ** BigInt(-digits);
  const rest = ((number % unit) + unit) % unit;
  const down = number - rest;
  return requireSize(2n * rest > unit || (2n * rest === unit && (down / unit) % 2n !== 0n) ? down + unit : down);
}

/** Returns the number of code points. */
function characterCount(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >> 10 !== LOW_SURROGATE) count++;
  return count;
}

/** The upper bits of the second unit of a surrogate pair. */
const LOW_SURROGATE = 0x37;

function lengthOf(value: PyValue): bigint {
  if (typeof value === 'string') return BigInt(characterCount(value));
  if (value instanceof PyList || value instanceof PyTuple) return BigInt(value.items.length);
  if (value instanceof PyDict) return BigInt(value.size);
  if (value instanceof PyRange) return BigInt(value.length);
  throw new PythonError(`object of type '${typeName(value)}' has no len()`);
}

function rangeOf(args: readonly PyValue[]): PyRange {
  const [first, second, step = 1n] = args.map(requireInteger);
  return second === undefined ? new PyRange(0n, first, 1n) : new PyRange(first, second, step);
}

/** Returns the shortest of several lists of items, by index: each entry holds one item of each. */
function zipped(sources: readonly PyValue[], budget: Budget): PyTuple[] {
  const lists = sources.map((source) => itemsOf(source, budget));
  const length = lists.length === 0 ? 0 : lists.reduce((least, items) => Math.min(least, items.length), Infinity);
  budget.spend(length);
  return Array.from({ length }, (_, i) => new PyTuple(lists.map((items) => items[i])));
}

const isType = (value: PyValue, type: PyValue): boolean => {
  if (type instanceof PyTuple) return type.items.some((one) => isType(value, one));
  if (!(type instanceof PyFunction)) throw new PythonError('isinstance() needs a type, or a tuple of types');
  return typeName(value) === type.name || (type.name === 'int' && typeof value === 'boolean');
};

/** Functions that expressions may call without a prefix, as in the reference. */
export const commonBuiltins: readonly PyFunction[] = [
  define('list', [0, 1], ([items], _, budget) => new PyList(items === undefined ? [] : itemsOf(items, budget))),
  define('dict', [0, 1], dictionary, 'any'),
  define('map', [2, Infinity], ([call, ...sources], _, budget) => {
    if (!(call instanceof PyFunction)) throw new PythonError('the first argument of map() must be a function');
    return new PyIterator(zipped(sources, budget).map(({ items }) => call.call(items, new Map(), budget)));
  }),
  define('len', [1, 1], ([value]) => lengthOf(value)),
  define('str', [0, 1], ([value = ''], _, budget) => textOf(value, budget)),
  define('float', [0, 1], float),
  define('int', [0, 2], integer),
  define('bool', [0, 1], ([value = false]) => truth(value)),
  extreme('min', '<'),
  extreme('max', '>'),
  define('round', [1, 2], round),
];

/** Functions that the reference also offers without a prefix, with a deprecation warning. */
export const deprecatedBuiltins: readonly PyFunction[] = [
  define('sorted', [1, 1], ([items], keywords, budget) => sortedItems(itemsOf(items, budget), keywords, budget), [
    'reverse',
  ]),
  define('range', [1, 3], rangeOf),
];

/** Functions of the namespace `python` only. */
export const moreBuiltins: readonly PyFunction[] = [
  define('abs', [1, 1], ([value]) => {
    const number = numberOf(value);
    if (number === undefined) throw new PythonError(`bad operand type for abs(): '${typeName(value)}'`);
    return typeof number === 'bigint' ? (number < 0n ? -number : number) : Math.abs(number);
  }),
  define('all', [1, 1], ([items], _, budget) => itemsOf(items, budget).every(truth)),
  define('any', [1, 1], ([items], _, budget) => itemsOf(items, budget).some(truth)),
  define(
    'enumerate',
    [1, 2],
    ([items, start = 0n], keywords, budget) => {
      const first = requireInteger(keywords.get('start') ?? start);
      const listed = itemsOf(items, budget);
      budget.spend(listed.length);
      return new PyIterator(listed.map((item, i) => new PyTuple([first + BigInt(i), item])));
    },
    ['start'],
  ),
  define('isinstance', [2, 2], ([value, type]) => isType(value, type)),
  define('repr', [1, 1], ([value], _, budget) => representationOf(value, budget)),
  define('reversed', [1, 1], ([items], _, budget) => new PyIterator(itemsOf(items, budget).toReversed())),
  define(
    'sum',
    [1, 2],
    ([items, start = 0n], keywords, budget) =>
      itemsOf(items, budget).reduce((total, item) => binary('+', total, item, budget), keywords.get('start') ?? start),
    ['start'],
  ),
  define('tuple', [0, 1], ([items], _, budget) => new PyTuple(items === undefined ? [] : itemsOf(items, budget))),
  define('zip', [0, Infinity], (sources, _, budget) => new PyIterator(zipped(sources, budget))),
  ...unsupported('complex divmod filter frozenset hash issubclass ord set slice type vars'),
];
