import type { Budget } from './budget.ts';
import { quotientAndRemainder } from './mathModule.ts';
import { numberOf, parseFloatText, parseInteger, requireInteger, toFloat, truncate } from './pyNumbers.ts';
import { binary, compare, isLess } from './pyOperators.ts';
import { PythonError } from './pythonError.ts';
import {
  itemsOf,
  type Keywords,
  PyDict,
  PyFunction,
  PyIterator,
  PyList,
  PyRange,
  PySet,
  PyTuple,
  type PyValue,
  truth,
  typeName,
} from './pyValues.ts';
import { fixedText, representationOf, textOf } from './text.ts';

type Call = (args: readonly PyValue[], keywords: Keywords, budget: Budget) => PyValue;

/** Creates a function that takes from `least` to `most` arguments by position, and only the given names. */
function define(
  name: string,
  [least, most]: readonly [number, number],
  call: Call,
  names: readonly string[] = [],
): PyFunction {
  return new PyFunction(name, (args, keywords, budget) => {
    budget.spend(1);
    if (args.length < least || args.length > most) {
      const expected = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
      throw new PythonError(`${name}() takes ${expected} arguments, not ${args.length}`);
    }
    const unknown = [...keywords.keys()].find((key) => !names.includes(key));
    if (unknown !== undefined) throw new PythonError(`${name}() has no argument "${unknown}"`);
    return call(args, keywords, budget);
  });
}

/** Calls a function value. Throws `PythonError` for other values. */
export function callValue(
  callee: PyValue,
  args: readonly PyValue[],
  budget: Budget,
  keywords: Keywords = new Map(),
): PyValue {
  budget.spend(1);
  if (callee instanceof PyFunction) return callee.call(args, keywords, budget);
  throw new PythonError(`'${typeName(callee)}' object is not callable`);
}

/** Returns the items in increasing order of their keys; equal items keep their order. */
export function sortedItems(items: readonly PyValue[], keywords: Keywords, budget: Budget): PyValue[] {
  const key = keywords.get('key') ?? null;
  const keyed = items.map((item) => ({ item, key: key === null ? item : callValue(key, [item], budget) }));
  const descending = truth(keywords.get('reverse') ?? false);
  keyed.sort((a, b) => {
    const [x, y] = descending ? [b, a] : [a, b];
    return isLess(x.key, y.key, budget) ? -1 : isLess(y.key, x.key, budget) ? 1 : 0;
  });
  return keyed.map(({ item }) => item);
}

function extreme(name: string, operator: '<' | '>'): PyFunction {
  return define(
    name,
    [1, Infinity],
    (args, keywords, budget) => {
      const items = args.length === 1 ? itemsOf(args[0], budget) : args;
      const key = keywords.get('key') ?? null;
      const byDefault = keywords.get('default');
      if (items.length === 0 && byDefault !== undefined) return byDefault;
      if (items.length === 0) throw new PythonError(`${name}() of an empty sequence`);
      const keyOf = (item: PyValue) => (key === null ? item : callValue(key, [item], budget));
      let best = items[0];
      for (const item of items.slice(1)) if (compare(operator, keyOf(item), keyOf(best), budget)) best = item;
      return best;
    },
    ['key', 'default'],
  );
}

/** Creates a dictionary from pairs, another dictionary, and names. */
function dictionary([source]: readonly PyValue[], keywords: Keywords, budget: Budget): PyDict {
  const result = new PyDict();
  if (source instanceof PyDict) for (const key of source.keys()) result.set(key, source.get(key)!);
  else if (source !== undefined) {
    for (const pair of itemsOf(source, budget)) {
      const [key, value, ...rest] = itemsOf(pair, budget);
      if (value === undefined || rest.length > 0) throw new PythonError('dict() needs pairs of key and value');
      result.set(key, value);
    }
  }
  for (const [key, value] of keywords) result.set(key, value);
  budget.spend(result.size);
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

/** Rounds half to even: to an integer, or to a number of decimals. */
function round([value, decimals]: readonly PyValue[]): bigint | number {
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
  return 2n * rest > unit || (2n * rest === unit && (down / unit) % 2n !== 0n) ? down + unit : down;
}

function lengthOf(value: PyValue): bigint {
  if (typeof value === 'string') return BigInt([...value].length);
  if (value instanceof PyList || value instanceof PyTuple) return BigInt(value.items.length);
  if (value instanceof PyDict || value instanceof PySet) return BigInt(value.size);
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
  const length = lists.length === 0 ? 0 : Math.min(...lists.map((items) => items.length));
  return Array.from({ length }, (_, i) => new PyTuple(lists.map((items) => items[i])));
}

const isType = (value: PyValue, type: PyValue): boolean => {
  if (type instanceof PyTuple) return type.items.some((one) => isType(value, one));
  if (!(type instanceof PyFunction)) throw new PythonError('isinstance() needs a type, or a tuple of types');
  return typeName(value) === type.name || (type.name === 'int' && typeof value === 'boolean');
};

const text = define('str', [0, 1], ([value = ''], _, budget) => textOf(value, budget));
const list = define(
  'list',
  [0, 1],
  ([items], _, budget) => new PyList(items === undefined ? [] : [...itemsOf(items, budget)]),
);

/** Functions that expressions may call without a prefix, as in the reference. */
export const commonBuiltins: readonly PyFunction[] = [
  list,
  new PyFunction('dict', dictionary),
  define('map', [2, Infinity], ([call, ...sources], _, budget) => {
    const rows = zipped(sources, budget);
    return new PyIterator(rows.map(({ items }) => callValue(call, items, budget)));
  }),
  define('len', [1, 1], ([value]) => lengthOf(value)),
  text,
  define('float', [0, 1], float),
  define('int', [0, 2], integer),
  extreme('min', '<'),
  extreme('max', '>'),
  define('round', [1, 2], round),
];

/** Functions that the reference also offers without a prefix, with a deprecation warning. */
export const deprecatedBuiltins: readonly PyFunction[] = [
  define(
    'sorted',
    [1, 1],
    ([items], keywords, budget) => new PyList(sortedItems(itemsOf(items, budget), keywords, budget)),
    ['key', 'reverse'],
  ),
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
  define('divmod', [2, 2], ([a, b]) => quotientAndRemainder(a, b)),
  define(
    'enumerate',
    [1, 2],
    ([items, start = 0n], keywords, budget) => {
      const first = requireInteger(keywords.get('start') ?? start);
      return new PyIterator(itemsOf(items, budget).map((item, i) => new PyTuple([first + BigInt(i), item])));
    },
    ['start'],
  ),
  define(
    'filter',
    [2, 2],
    ([test, items], _, budget) =>
      new PyIterator(
        itemsOf(items, budget).filter((item) => truth(test === null ? item : callValue(test, [item], budget))),
      ),
  ),
  define('isinstance', [2, 2], ([value, type]) => isType(value, type)),
  define('ord', [1, 1], ([value]) => {
    if (typeof value === 'string' && [...value].length === 1) return BigInt(value.codePointAt(0)!);
    throw new PythonError('ord() expects one character');
  }),
  define('repr', [1, 1], ([value], _, budget) => representationOf(value, budget)),
  define('reversed', [1, 1], ([items], _, budget) => new PyIterator(itemsOf(items, budget).toReversed())),
  define('set', [0, 1], ([items], _, budget) => new PySet(items === undefined ? [] : itemsOf(items, budget))),
  define('frozenset', [0, 1], ([items], _, budget) => new PySet(items === undefined ? [] : itemsOf(items, budget))),
  define(
    'sum',
    [1, 2],
    ([items, start = 0n], keywords, budget) =>
      itemsOf(items, budget).reduce((total, item) => binary('+', total, item, budget), keywords.get('start') ?? start),
    ['start'],
  ),
  define('tuple', [0, 1], ([items], _, budget) => new PyTuple(items === undefined ? [] : itemsOf(items, budget))),
  define('zip', [0, Infinity], (sources, _, budget) => new PyIterator(zipped(sources, budget))),
];
