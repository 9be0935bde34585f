import { assert, describe, test } from 'vitest';
import { Budget, PythonError } from '../../../src/formats/python/budget.ts';
import { evaluate } from '../../../src/formats/python/evaluate.ts';
import { parseExpression } from '../../../src/formats/python/pyParser.ts';
import type { PyValue } from '../../../src/formats/python/pyValues.ts';
import { textOf } from '../../../src/formats/python/text.ts';
import { ExpansionState } from '../../../src/formats/robots/xacro/expansionState.ts';
import { createGlobals } from '../../../src/formats/robots/xacro/xacroGlobals.ts';

const symbols = createGlobals({
  state: new ExpansionState('t.xacro'),
  loadYaml: () => null,
  resolve: (address) => address,
  arg: (name) => name,
});
const available = {
  depth: 1,
  get: (name: string) => (Object.hasOwn(symbols, name) ? symbols[name] : undefined),
  names: () => Object.keys(symbols),
};
const evaluated = (source: string, steps = 100_000): PyValue =>
  evaluate(parseExpression(source), available, new Budget(steps));
const shown = (source: string): string => textOf(evaluated(source), new Budget(100_000));
const refusal = (source: string, steps?: number): string => {
  try {
    return `accepted: ${String(evaluated(source, steps))}`;
  } catch (error) {
    assert.instanceOf(error, PythonError, source);
    return (error as PythonError).message;
  }
};

/** Expressions with what CPython 3.11 prints, in the namespace of ROS xacro. */
const printedByPython: readonly (readonly [string, string])[] = [
  ['7 // 2, -7 // 2, 7 // -2, -7 % 4, 7 % -4', '(3, -4, -4, 1, -1)'],
  ['-7.5 // 2, -7.5 % 2, 7.5 % -2', '(-4.0, 0.5, -0.5)'],
  ['-0.0 // 5, 5e-324 // 1e308, -5e-324 // -1e308, 0.0 // -5', '(-0.0, 0.0, 0.0, -0.0)'],
  ['2 ** 3, 2 ** -1, 2.0 ** 3, (-8) ** 3, 9 ** 0.5', '(8, 0.5, 8.0, -512, 3.0)'],
  ['-2 ** 2, 2 ** 3 ** 2', '(-4, 512)'],
  [
    '1 / 3, 6 / 3, 1e16, 1e15, 1e-5, 0.0001, -0.0',
    '(0.3333333333333333, 2.0, 1e+16, 1000000000000000.0, 1e-05, 0.0001, -0.0)',
  ],
  ['10 ** 20, 0x1F, 0b101, 1_000', '(100000000000000000000, 31, 5, 1000)'],
  ['round(2.5), round(3.5), round(2.675, 2), round(1234, -2)', '(2, 4, 2.67, 1200)'],
  ['int("12") + int(-2.7) + int(True), float(" 1e3 ")', '(11, 1000.0)'],
  ['1 < 2 < 3, 1 < 3 < 2, 1 == 1.0 == True, None is None', '(True, False, True, True)'],
  ['0 or "x", 1 and [], not "", True & False, True ^ True', "('x', [], True, False, False)"],
  ['"a" if 0 else "b" if 0 else "c"', 'c'],
  ['[x * y for x in range(3) for y in [1, 10] if x != 1]', '[0, 0, 2, 20]'],
  ['python.sorted([(v, k) for k, v in dict(python.zip("ab", [2, 1])).items()], reverse=True)', "[(2, 'a'), (1, 'b')]"],
  ['[1, 2, 3, 4][1:3], "abcdef"[::-2], (1, 2, 3)[-2:], [1, 2][5:]', "([2, 3], 'fdb', (2, 3), [])"],
  ['dict(a=1, b=[2])', "{'a': 1, 'b': [2]}"],
  ['"%d %5.2f|%-4s|%05d %s %r" % (3.9, 3.14159, "a", 42, [1], "q")', "3  3.14|a   |00042 [1] 'q'"],
  ['"%e %g %g %x" % (12345.678, 1e-7, 100000.0, 255)', '1.234568e+04 1e-07 100000 ff'],
  ['"a_b".split("_"), "-".join(["x", "y"]), " s ".strip(), "Ab".lower()', "(['a', 'b'], 'x-y', 's', 'ab')"],
  ["'it' \"'s\", 'tab\\t', r'\\d'", "(\"it's\", 'tab\\t', '\\\\d')"],
  ['max([1, 3, 2]), min(2, 1.5), max("ab", "b"), bool("x"), bool([])', "(3, 1.5, 'b', True, False)"],
  [
    'dict(a=None).get("a", 1), dict(a=1).get("b", 2), len("a😀b"), python.any(v > 1 for v in [1, 2])'.replace(
      '\\U0001F600',
      '😀',
    ),
    '(None, 2, 3, True)',
  ],
  [
    '"007".zfill(5), "-7".zfill(3), "a-b-c".split("-", 1), " a  b c ".split(None, 1)',
    "('00007', '-07', ['a', 'b-c'], ['a', 'b c '])",
  ],
  ['python.sum([0.1] * 3), math.hypot(3, 4), floor(-2.5), ceil(2.1)', '(0.30000000000000004, 5.0, -3, 3)'],
  ['list(map(float, ["1", "2"])), python.list(python.reversed([1, 2]))', '([1.0, 2.0], [2, 1])'],
  ['1 in [1.0], "bc" in "abc", "a" not in dict(a=1)', '(True, True, False)'],
  ['[1, [2]] == [1.0, [2]], (1, 2) < (1, 3), "a" < "b"', '(True, True, True)'],
  ['str(1.0) + str(2) + str(None)', '1.02None'],
  ['xacro.tokenize("a, b;c"), xacro.dotify(dict(a=dict(b=3))).a.b', "(['a', 'b', 'c'], 3)"],
];

describe('expressions', () => {
  test.each(printedByPython)('%s', (source, expected) => {
    assert.equal(shown(source), expected);
  });

  test.each([
    ['1 +', /^syntax error: the expression ends too early$/],
    ['a = 1', /^syntax error/],
    ['f"{1}"', /prefix f/],
    ['lenght', /"lenght" is not defined/],
    ['__import__("os")', /__import__ starts with two underscores/],
    ['"".__class__', /__class__ starts with two underscores/],
    ['"".constructor', /no attribute "constructor"/],
    ['dict(a=1).__proto__', /__proto__/],
    ['dict(a=1)["__proto__"]', /there is no key '__proto__'/],
    ['constructor', /not defined/],
    ['len.call', /no attribute/],
    ['math.constructor', /no "constructor"/],
    ['abs(1)', /"abs" is not defined/],
    ['open("x")', /not defined/],
    ['1 / 0', /division by zero/],
    ['1 // 0', /by zero/],
    ['sqrt(-1)', /math domain error/],
    ['sin(1e9)', /too large/],
    ['"a" + 1', /unsupported operand/],
    ['[][0]', /no.* at index 0|none at index 0/],
    ['dict(a=1)["b"]', /there is no key 'b'/],
    ['xacro.fatal("stop", 1)', /xacro\.fatal: stop 1/],
    ['xacro.fatal("x" * 100000)', /^xacro\.fatal: x{1987}…$/],
    ['list(map(lambda x: x, [1]))', /lambda is not supported/],
    ['{1, 2}', /braces are not supported/],
    ['gamma(1)', /gamma\(\) is not supported/],
    ['python.set([1])', /set\(\) is not supported/],
    ['"{}".format(1)', /no attribute "format"/],
    ['[1].append(2)', /no attribute "append"/],
    ['xacro.dotify(dict(copy=1)).copy', /the method "copy" of dictionaries is not supported/],
    ['dict([((1, 2), 3)])', /a tuple as a key is not supported/],
    ['2 ** 1101', /more than 1100 bits/],
    ['int("9" * 1200)', /more than 1100 bits/],
    [`${'('.repeat(100)}1${')'.repeat(100)}`, /nested more than 60 deep/],
    [`1${'+1'.repeat(20_000)}`, /longer than 20000 characters/],
  ])('%s is refused', (source, message) => {
    assert.match(refusal(source), message);
  });

  test.each([
    '9 ** 9 ** 9',
    '"ab" * 10 ** 10',
    '[0] * 10 ** 10',
    'list(range(10 ** 12))',
    '1 << 10 ** 9',
    '[v for v in range(10 ** 9)]',
    '"%300000000d" % 1',
    '"x".zfill(10 ** 10)',
    '"a".replace("", "b" * 1000).replace("b", "b" * 10000)',
    '"%(" * 10 ** 5 % dict(a=1)',
    '"9" * 400 < int("9" * 400)',
  ])('%s is refused before it takes memory or time', (source) => {
    try {
      const value = evaluated(source, 1e6);
      assert.fail(`accepted: ${String(value).slice(0, 20)}`);
    } catch (error) {
      assert.isTrue(error instanceof PythonError || error instanceof RangeError, String(error)); // RangeError: see TextEvaluator
    }
  });

  test('the budget counts steps, not time: the same expression ends at the same step', () => {
    const source = '[v * v for v in range(100)]';
    assert.match(refusal(source, 300), /needs more than 300 steps/);
    assert.equal(refusal(source, 300), refusal(source, 300));
  });
});
