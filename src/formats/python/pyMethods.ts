import type { Budget } from './budget.ts';
import { formatFields } from './format.ts';
import { sortedItems } from './pyBuiltins.ts';
import { requireInteger } from './pyNumbers.ts';
import { isEqual } from './pyOperators.ts';
import { PythonError } from './pythonError.ts';
import {
  itemsOf,
  type Keywords,
  PyDict,
  PyFunction,
  PyList,
  PySet,
  PyTuple,
  type PyValue,
  typeName,
} from './pyValues.ts';

type Method<T> = (self: T, args: readonly PyValue[], keywords: Keywords, budget: Budget) => PyValue;

/** Returns a method of a value, bound to it; undefined if its type has none of this name. */
export function methodOf(self: PyValue, name: string): PyFunction | undefined {
  const bind = <T extends PyValue>(table: Readonly<Record<string, Method<T>>>, of: T) =>
    Object.hasOwn(table, name)
      ? new PyFunction(name, (args, keywords, budget) => {
          budget.spend(1);
          return table[name](of, args, keywords, budget);
        })
      : undefined;
  if (typeof self === 'string') return bind(stringMethods, self);
  if (self instanceof PyDict) return bind(dictMethods, self);
  if (self instanceof PyList) return bind(listMethods, self);
  if (self instanceof PyTuple) return bind(tupleMethods, self);
  return self instanceof PySet ? bind(setMethods, self) : undefined;
}

function requireText(value: PyValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new PythonError(`must be str, not ${typeName(value ?? null)}`);
}

/** Characters that Python strips and splits at. */
const blanks = /\s+/u;

function stripped(self: string, given: PyValue | undefined, left: boolean, right: boolean): string {
  const set = given === undefined || given === null ? undefined : requireText(given);
  const isStripped = (character: string) => (set === undefined ? blanks.test(character) : set.includes(character));
  let [start, end] = [0, self.length];
  while (left && start < end && isStripped(self[start])) start++;
  while (right && end > start && isStripped(self[end - 1])) end--;
  return self.slice(start, end);
}

function split(self: string, [separator = null, most = -1n]: readonly PyValue[], budget: Budget): PyList {
  budget.spend(self.length);
  const limit = requireInteger(most) < 0n ? Infinity : Number(requireInteger(most));
  const parts: string[] = [];
  let rest = separator === null ? self.trimStart() : self;
  const by = separator === null ? undefined : requireText(separator);
  if (by === '') throw new PythonError('empty separator');
  while (parts.length < limit) {
    const at = by === undefined ? rest.search(blanks) : rest.indexOf(by);
    if (at < 0) break;
    parts.push(rest.slice(0, at));
    rest = by === undefined ? rest.slice(at).trimStart() : rest.slice(at + by.length);
  }
  if (by !== undefined || rest !== '') parts.push(rest);
  return new PyList(parts);
}

/** Splits from the right: reversed, that is a split of the reversed text. */
function splitFromRight(self: string, [separator = null, most = -1n]: readonly PyValue[], budget: Budget): PyList {
  const reversed = (text: string) => text.split('').reverse().join('');
  const by = separator === null ? null : reversed(requireText(separator));
  const parts = split(reversed(self), [by, most], budget).items as readonly string[];
  return new PyList(parts.map(reversed).reverse());
}

function replace(self: string, [old, by, count = -1n]: readonly PyValue[], budget: Budget): string {
  const [from, to] = [requireText(old), requireText(by)];
  const limit = requireInteger(count) < 0n ? Infinity : Number(requireInteger(count));
  const pieces = from === '' ? ['', ...self, ''] : self.split(from);
  budget.spend(pieces.length);
  const replaced = Math.min(limit, pieces.length - 1);
  budget.spendText(self.length + replaced * to.length);
  const head = pieces.slice(0, replaced + 1).join(to);
  return replaced + 1 < pieces.length ? [head, ...pieces.slice(replaced + 1)].join(from) : head;
}

function justified(
  self: string,
  [width = 0n, fill = ' ']: readonly PyValue[],
  side: 'left' | 'right' | 'both',
  budget: Budget,
): string {
  const missing = Math.max(0, Number(requireInteger(width)) - self.length);
  budget.spendText(missing);
  const left = side === 'left' ? 0 : side === 'right' ? missing : Math.floor(missing / 2);
  const character = requireText(fill);
  if ([...character].length !== 1) throw new PythonError('the fill must be one character');
  return character.repeat(left) + self + character.repeat(missing - left);
}

const hasAffix = (affix: PyValue | undefined, test: (text: string) => boolean): boolean =>
  affix instanceof PyTuple ? affix.items.some((one) => test(requireText(one))) : test(requireText(affix));

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();

const stringMethods: Readonly<Record<string, Method<string>>> = {
  lower: (self) => self.toLowerCase(),
  upper: (self) => self.toUpperCase(),
  casefold: (self) => self.toLowerCase(),
  capitalize: (self) => capitalized(self),
  title: (self) => self.replace(/\p{L}+/gu, capitalized),
  swapcase: (self) => [...self].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join(''),
  strip: (self, [set]) => stripped(self, set, true, true),
  lstrip: (self, [set]) => stripped(self, set, true, false),
  rstrip: (self, [set]) => stripped(self, set, false, true),
  removeprefix: (self, [prefix]) =>
    self.startsWith(requireText(prefix)) ? self.slice(requireText(prefix).length) : self,
  removesuffix: (self, [suffix]) =>
    requireText(suffix) !== '' && self.endsWith(requireText(suffix))
      ? self.slice(0, -requireText(suffix).length)
      : self,
  startswith: (self, [prefix]) => hasAffix(prefix, (text) => self.startsWith(text)),
  endswith: (self, [suffix]) => hasAffix(suffix, (text) => self.endsWith(text)),
  split: (self, args, _, budget) => split(self, args, budget),
  rsplit: (self, args, _, budget) => splitFromRight(self, args, budget),
  splitlines: (self) => new PyList(self.replace(/\r?\n$/, '').split(/\r?\n/)),
  join: (self, [items = null], _, budget) => {
    const texts = itemsOf(items, budget).map(requireText);
    budget.spendText(texts.reduce((sum, text) => sum + text.length + self.length, 0));
    return texts.join(self);
  },
  replace: (self, args, _, budget) => replace(self, args, budget),
  find: (self, [part]) => BigInt(self.indexOf(requireText(part))),
  rfind: (self, [part]) => BigInt(self.lastIndexOf(requireText(part))),
  index: (self, [part]) => {
    const at = self.indexOf(requireText(part));
    if (at < 0) throw new PythonError('substring not found');
    return BigInt(at);
  },
  count: (self, [part]) =>
    BigInt(requireText(part) === '' ? self.length + 1 : self.split(requireText(part)).length - 1),
  partition: (self, [by]) => {
    const at = self.indexOf(requireText(by));
    return new PyTuple(
      at < 0 ? [self, '', ''] : [self.slice(0, at), requireText(by), self.slice(at + requireText(by).length)],
    );
  },
  zfill: (self, [width = 0n], _, budget) => {
    const sign = /^[-+]/.exec(self)?.[0] ?? '';
    return (
      sign + justified(self.slice(sign.length), [requireInteger(width) - BigInt(sign.length), '0'], 'right', budget)
    );
  },
  ljust: (self, args, _, budget) => justified(self, args, 'left', budget),
  rjust: (self, args, _, budget) => justified(self, args, 'right', budget),
  center: (self, args, _, budget) => justified(self, args, 'both', budget),
  isdigit: (self) => /^\p{Nd}+$/u.test(self),
  isnumeric: (self) => /^\p{N}+$/u.test(self),
  isalpha: (self) => /^\p{L}+$/u.test(self),
  isalnum: (self) => /^[\p{L}\p{N}]+$/u.test(self),
  isspace: (self) => /^\s+$/u.test(self),
  islower: (self) => self !== self.toUpperCase() && self === self.toLowerCase(),
  isupper: (self) => self !== self.toLowerCase() && self === self.toUpperCase(),
  format: (self, args, keywords, budget) => formatFields(self, args, keywords, budget),
};

const dictMethods: Readonly<Record<string, Method<PyDict>>> = {
  keys: (self) => new PyList(self.keys()),
  values: (self) => new PyList(self.values()),
  items: (self) => new PyList(self.keys().map((key) => new PyTuple([key, self.get(key)!]))),
  get: (self, [key = null, byDefault = null]) => self.get(key) ?? byDefault,
  copy: (self) => {
    const copy = new PyDict(self.dotted);
    for (const key of self.keys()) copy.set(key, self.get(key)!);
    return copy;
  },
  update: (self, [source], keywords) => {
    if (source instanceof PyDict) for (const key of source.keys()) self.set(key, source.get(key)!);
    else if (source !== undefined) throw new PythonError('update() needs a dictionary');
    for (const [key, value] of keywords) self.set(key, value);
    return null;
  },
  pop: (self, [key = null, byDefault]) => {
    const value = self.get(key) ?? byDefault;
    if (value === undefined) throw new PythonError('pop(): there is no such key');
    self.delete(key);
    return value;
  },
  setdefault: (self, [key = null, value = null]) => {
    if (self.get(key) === undefined) self.set(key, value);
    return self.get(key)!;
  },
};

function indexIn(items: readonly PyValue[], item: PyValue, budget: Budget): number {
  budget.spend(items.length);
  const at = items.findIndex((other) => isEqual(other, item, budget));
  if (at < 0) throw new PythonError('the value is not in the list');
  return at;
}

const tupleMethods: Readonly<Record<string, Method<PyTuple | PyList>>> = {
  index: ({ items }, [item = null], _, budget) => BigInt(indexIn(items, item, budget)),
  count: ({ items }, [item = null], _, budget) => BigInt(items.filter((other) => isEqual(other, item, budget)).length),
};

const listMethods: Readonly<Record<string, Method<PyList>>> = {
  ...tupleMethods,
  copy: ({ items }, _args, _, budget) => {
    budget.spend(items.length);
    return new PyList([...items]);
  },
  append: ({ items }, [item = null]) => {
    items.push(item);
    return null;
  },
  extend: ({ items }, [more = null], _, budget) => {
    for (const item of [...itemsOf(more, budget)]) items.push(item);
    return null;
  },
  insert: ({ items }, [at = 0n, item = null]) => {
    items.splice(Number(requireInteger(at)), 0, item);
    return null;
  },
  remove: ({ items }, [item = null], _, budget) => {
    items.splice(indexIn(items, item, budget), 1);
    return null;
  },
  pop: ({ items }, [at = -1n]) => {
    const index = Number(requireInteger(at));
    const [popped] = items.splice(index, 1);
    if (popped === undefined || index < -items.length - 1) throw new PythonError('pop index out of range');
    return popped;
  },
  reverse: ({ items }) => {
    items.reverse();
    return null;
  },
  sort: ({ items }, _args, keywords, budget) => {
    items.splice(0, items.length, ...sortedItems(items, keywords, budget));
    return null;
  },
};

const setMethods: Readonly<Record<string, Method<PySet>>> = {
  union: (self, args, _, budget) => new PySet([...self.values(), ...args.flatMap((arg) => itemsOf(arg, budget))]),
  intersection: (self, [other = null], _, budget) => {
    const kept = new PySet(itemsOf(other, budget));
    return new PySet(self.values().filter((item) => kept.has(item)));
  },
  difference: (self, [other = null], _, budget) => {
    const left = new PySet(itemsOf(other, budget));
    return new PySet(self.values().filter((item) => !left.has(item)));
  },
  issubset: (self, [other = null], _, budget) => {
    const all = new PySet(itemsOf(other, budget));
    return self.values().every((item) => all.has(item));
  },
};
