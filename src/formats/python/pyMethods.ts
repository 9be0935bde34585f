import { type Budget, PythonError } from './budget.ts';
import { requireInteger } from './pyNumbers.ts';
import { indexOf, isEqual } from './pyOperators.ts';
import {
  type Compute,
  itemsOf,
  type Keywords,
  PyDict,
  PyFunction,
  PyList,
  PyTuple,
  type PyValue,
  typeName,
} from './pyValues.ts';

/** The methods of a type by name: functions whose first argument is the value. */
type Methods = Readonly<Record<string, PyFunction>>;

const methods = <T extends PyValue>(
  table: Readonly<
    Record<string, readonly [number, number, (self: T, args: readonly PyValue[], budget: Budget) => PyValue]>
  >,
): Methods =>
  Object.fromEntries(
    Object.entries(table).map(([name, [least, most, compute]]) => {
      const call: Compute = ([self, ...args], _: Keywords, budget) => compute(self as T, args, budget);
      return [name, new PyFunction(name, [least + 1, most + 1], call)];
    }),
  );

/**
 * Returns a method of a value, bound to it; undefined if its type has none of this name. Throws `PythonError` for a
 * method that is not supported, also if it is a key of the value: in Python, the method comes first.
 */
export function methodOf(self: PyValue, name: string): PyFunction | undefined {
  const type = typeName(self);
  const table = Object.hasOwn(methodsByType, type) ? methodsByType[type] : {};
  if (Object.hasOwn(table, name)) return table[name].bound(self);
  if (self instanceof PyDict && OTHER_METHODS.has(name)) {
    throw new PythonError(`the method "${name}" of dictionaries is not supported`, `Use ['${name}'] to read a key.`);
  }
  return undefined;
}

function requireText(value: PyValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new PythonError(`must be str, not ${typeName(value ?? null)}`);
}

/** Returns the count of a limit: negative ones are none. */
function limitOf(value: PyValue): number {
  const limit = requireInteger(value);
  return limit < 0n ? Infinity : Number(limit);
}

function stripped(self: string, [set = null]: readonly PyValue[], side: 'left' | 'right' | 'both', budget: Budget) {
  const characters = set === null ? undefined : requireText(set);
  budget.spendSearch(self.length, characters?.length ?? 0);
  const isStripped = (character: string) =>
    characters === undefined ? /\s/u.test(character) : characters.includes(character);
  let [start, end] = [0, self.length];
  while (side !== 'right' && start < end && isStripped(self[start])) start++;
  while (side !== 'left' && end > start && isStripped(self[end - 1])) end--;
  return self.slice(start, end);
}

/** Splits at a separator, or at blanks, which are left out at the ends. The last part is the rest behind the limit. */
function split(self: string, [separator = null, most = -1n]: readonly PyValue[], budget: Budget): string[] {
  budget.spend(self.length);
  const limit = limitOf(most);
  if (separator !== null) {
    const by = requireText(separator);
    if (by === '') throw new PythonError('empty separator');
    budget.spendSearch(self.length, by.length);
    const parts = self.split(by);
    return parts.length <= limit + 1 ? parts : [...parts.slice(0, limit), parts.slice(limit).join(by)];
  }
  const words = Array.from(self.matchAll(/\S+/gu), ({ 0: word, index }) => ({ word, index }));
  const parts = words.slice(0, limit).map(({ word }) => word);
  return words.length > limit ? [...parts, self.slice(words[limit].index)] : parts;
}

/** Splits from the right: reversed, that is a split of the reversed text. */
function splitFromRight(self: string, [separator = null, most = -1n]: readonly PyValue[], budget: Budget): string[] {
  const reversed = (text: string) => text.split('').reverse().join('');
  budget.spend(2 * self.length);
  const by = separator === null ? null : reversed(requireText(separator));
  return split(reversed(self), [by, most], budget).map(reversed).reverse();
}

function replace(self: string, [old, by, count = -1n]: readonly PyValue[], budget: Budget): string {
  const [from, to] = [requireText(old), requireText(by)];
  budget.spend(self.length);
  budget.spendSearch(self.length, from.length);
  const pieces = from === '' ? ['', ...self, ''] : self.split(from);
  const replaced = Math.min(limitOf(count), pieces.length - 1);
  budget.spendText(self.length + replaced * to.length);
  const head = pieces.slice(0, replaced + 1).join(to);
  return replaced + 1 < pieces.length ? [head, ...pieces.slice(replaced + 1)].join(from) : head;
}

function zeroFilled(self: string, width: PyValue, budget: Budget): string {
  const missing = Math.max(0, Number(requireInteger(width)) - self.length);
  budget.spendText(self.length + missing);
  const sign = /^[-+]/.exec(self)?.[0] ?? '';
  return sign + '0'.repeat(missing) + self.slice(sign.length);
}

const hasAffix = (affix: PyValue, test: (text: string) => boolean): boolean =>
  affix instanceof PyTuple ? affix.items.some((one) => test(requireText(one))) : test(requireText(affix));

const textMethods = methods<string>({
  lower: [0, 0, (self) => self.toLowerCase()],
  upper: [0, 0, (self) => self.toUpperCase()],
  capitalize: [0, 0, (self) => self.slice(0, 1).toUpperCase() + self.slice(1).toLowerCase()],
  strip: [0, 1, (self, args, budget) => stripped(self, args, 'both', budget)],
  lstrip: [0, 1, (self, args, budget) => stripped(self, args, 'left', budget)],
  rstrip: [0, 1, (self, args, budget) => stripped(self, args, 'right', budget)],
  startswith: [1, 1, (self, [prefix]) => hasAffix(prefix, (text) => self.startsWith(text))],
  endswith: [1, 1, (self, [suffix]) => hasAffix(suffix, (text) => self.endsWith(text))],
  split: [0, 2, (self, args, budget) => new PyList(split(self, args, budget))],
  rsplit: [0, 2, (self, args, budget) => new PyList(splitFromRight(self, args, budget))],
  join: [
    1,
    1,
    (self, [items], budget) => {
      const texts = itemsOf(items, budget).map(requireText);
      budget.spendText(texts.reduce((sum, text) => sum + text.length + self.length, 0));
      return texts.join(self);
    },
  ],
  replace: [2, 3, replace],
  zfill: [1, 1, (self, [width], budget) => zeroFilled(self, width, budget)],
  find: [1, 1, (self, [part], budget) => BigInt(indexOf(self, requireText(part), budget))],
  count: [
    1,
    1,
    (self, [part], budget) => {
      const sought = requireText(part);
      return BigInt(sought === '' ? self.length + 1 : split(self, [sought], budget).length - 1);
    },
  ],
  isdigit: [0, 0, (self) => /^\p{Nd}+$/u.test(self)],
});

const dictMethods = methods<PyDict>({
  keys: [0, 0, (self, _, budget) => new PyList(itemsOf(self, budget))],
  values: [0, 0, (self, _, budget) => new PyList(self.pairs(budget).map(([, value]) => value))],
  items: [0, 0, (self, _, budget) => new PyList(self.pairs(budget).map((pair) => new PyTuple(pair)))],
  get: [
    1,
    2,
    (self, [key, byDefault = null], budget) => {
      const value = self.get(key, budget);
      return value === undefined ? byDefault : value;
    },
  ],
});

const sequenceMethods = methods<PyTuple | PyList>({
  index: [
    1,
    1,
    ({ items }, [item], budget) => {
      const at = items.findIndex((other) => isEqual(other, item, budget));
      if (at < 0) throw new PythonError('the value is not in the list');
      return BigInt(at);
    },
  ],
  count: [1, 1, ({ items }, [item], budget) => BigInt(items.filter((other) => isEqual(other, item, budget)).length)],
});

/** The methods that are supported, by the name of the type. */
export const methodsByType: Readonly<Record<string, Methods>> = {
  str: textMethods,
  dict: dictMethods,
  list: sequenceMethods,
  tuple: sequenceMethods,
};

/** Methods of Python's dictionaries that are not supported. */
const OTHER_METHODS = new Set(['clear', 'copy', 'fromkeys', 'pop', 'popitem', 'setdefault', 'update']);
