import { assert, describe, test } from 'vitest';
import { Budget, PythonError } from '../../../src/formats/python/budget.ts';
import { mathModule } from '../../../src/formats/python/mathModule.ts';
import { commonBuiltins, deprecatedBuiltins, moreBuiltins } from '../../../src/formats/python/pyBuiltins.ts';
import { methodsByType } from '../../../src/formats/python/pyMethods.ts';
import { binary, compare } from '../../../src/formats/python/pyOperators.ts';
import {
  PyDict,
  PyFunction,
  PyList,
  PyRange,
  PyTuple,
  type PyValue,
  typeName,
} from '../../../src/formats/python/pyValues.ts';
import { textOf } from '../../../src/formats/python/text.ts';
import { ExpansionState } from '../../../src/formats/robots/xacro/expansionState.ts';
import { createGlobals } from '../../../src/formats/robots/xacro/xacroGlobals.ts';

const SIZE = 500;
const free = () => new Budget(1e9);

const dict = new PyDict();
for (let i = 0; i < SIZE; i++) dict.set(BigInt(i), 'x', free());

const text = 'ab '.repeat(10 * SIZE);
const pairs = new PyList(Array.from({ length: SIZE }, (_, i) => new PyTuple([`k${i}`, 1n])));

/** Large values of each type. */
const operands: readonly PyValue[] = [
  text,
  '7'.repeat(300),
  pairs,
  new PyList([text, text]),
  new PyTuple(Array(SIZE).fill('b')),
  dict,
  new PyRange(0n, BigInt(SIZE), 1n),
];

/** Arguments after the first one. */
const others: readonly (readonly PyValue[])[] = [
  [],
  ['a'],
  [1n],
  [text],
  [pairs],
  [dict],
  ['a', 1n],
  ['a', text],
  [text, text],
];

/** Steps to read a value or to write it down: characters and items at all depths. */
function sizeOf(value: PyValue): number {
  if (typeof value === 'string') return value.length / 16;
  const inside = (items: readonly PyValue[]) =>
    items.length + items.reduce((sum: number, item) => sum + tupleSize(item), 0);
  if (value instanceof PyList || value instanceof PyTuple) return inside(value.items);
  return value instanceof PyDict ? value.size : 0;
}

const tupleSize = (value: PyValue) => (value instanceof PyTuple ? 1 : 0);

const globals = createGlobals({
  state: new ExpansionState('t.xacro'),
  loadYaml: () => null,
  resolve: (address) => address,
  arg: (name) => name,
});
const xacro = [
  'dotify',
  'tokenize',
  'message',
  'warning',
  'error',
  'fatal',
  'arg',
  'abs_filename',
  'load_yaml',
  'print_location',
];
const namespace = globals.xacro as unknown as { get: (name: string) => PyFunction; names: () => string[] };
const functions: readonly (readonly [string, PyFunction])[] = [
  ...[...commonBuiltins, ...deprecatedBuiltins, ...moreBuiltins].map((each) => [each.name, each] as const),
  ...Object.entries(mathModule).flatMap(([name, value]) =>
    value instanceof PyFunction ? [[`math.${name}`, value] as const] : [],
  ),
  ...Object.entries(methodsByType).flatMap(([type, table]) =>
    Object.entries(table).map(([name, method]) => [`${type}.${name}`, method] as const),
  ),
  ...xacro.map((name) => [`xacro.${name}`, namespace.get(name)] as const),
];

test('the table of functions of xacro is complete', () => {
  assert.sameMembers(namespace.names(), xacro);
});

describe('a call counts at least the size of its arguments and of its result', () => {
  test.each(functions)('%s', (name, called) => {
    const [type] = name.split('.');
    const isMethod = Object.hasOwn(methodsByType, type) && name.includes('.');
    for (const first of operands.filter((operand) => !isMethod || typeName(operand) === type)) {
      for (const rest of others) {
        const args = [first, ...rest];
        const budget = free();
        let result: PyValue = null;
        try {
          result = called.call(args, new Map(), budget);
        } catch (error) {
          assert.instanceOf(error, PythonError);
        }
        assert.isAtLeast(
          budget.used,
          args.reduce((sum: number, arg) => sum + sizeOf(arg) / 2, 0),
        );
        assert.isAtLeast(budget.used, sizeOf(result));
      }
    }
  });
});

test('a result that is larger than the arguments is refused before it is made', () => {
  const huge = BigInt(1e9);
  const made: (() => PyValue)[] = [
    () => binary('*', 'ab', huge, new Budget(1e6)),
    () => binary('*', new PyList([1n]), huge, new Budget(1e6)),
    () => methodsByType.str.zfill.call(['1', huge], new Map(), new Budget(1e6)),
    () => methodsByType.str.replace.call(['a'.repeat(1e5), 'a', 'b'.repeat(1e5)], new Map(), new Budget(1e6)),
    () => methodsByType.str.join.call(['a'.repeat(1e6), new PyList(Array(1000).fill(''))], new Map(), new Budget(1e6)),
    () => binary('%', '%299d'.repeat(1e5), new PyTuple(Array(1e5).fill(1n)), new Budget(1e6)),
    () => commonBuiltins[0].call([new PyRange(0n, huge, 1n)], new Map(), new Budget(1e6)),
  ];
  for (const make of made) assert.throws(make, /too large/);
});

test('searches count the pairs of characters that they may compare', () => {
  const [long, sought] = ['a'.repeat(1e5), `${'a'.repeat(5e4)}b`];
  for (const search of [
    (budget: Budget) => compare('in', sought, long, budget),
    (budget: Budget) => methodsByType.str.find.call([long, sought], new Map(), budget),
    (budget: Budget) => methodsByType.str.count.call([long, sought], new Map(), budget),
    (budget: Budget) => methodsByType.str.split.call([long, sought], new Map(), budget),
  ]) {
    const budget = free();
    search(budget);
    assert.isAtLeast(budget.used, 5e6);
  }
});

test('comparisons count what they read, and values that are shared are counted each time', () => {
  const long = 'a'.repeat(1e5);
  for (const [operator, a, b] of [
    ['==', long, `${long.slice(1)}b`],
    ['<', long, `${long}b`],
    ['==', new PyList([long]), new PyList([long])],
    ['in', long, new PyList([`${long.slice(1)}b`])],
    ['in', long, dict],
  ] as const) {
    const budget = free();
    compare(operator, a, b, budget);
    assert.isAtLeast(budget.used, 6000, operator);
  }
  let shared: PyValue = 0n;
  for (let i = 0; i < 60; i++) shared = new PyList([shared, shared]);
  assert.throws(() => textOf(shared, new Budget(1e6)), /too large/);
  assert.throws(() => compare('==', shared, new PyList([...(shared as PyList).items]), new Budget(1e6)), /too large/);
  assert.throws(() => namespace.get('dotify').call([shared], new Map(), new Budget(1e6)), /too large/);
});
