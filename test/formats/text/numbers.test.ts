import { assert, describe, test } from 'vitest';
import { evaluate } from '../../../src/formats/text/expressions.ts';
import { type Quantity, readQuantity } from '../../../src/formats/text/numbers.ts';

const plain: [string, number, string, number][] = [
  ['1.5', 1.5, 'none', 0],
  ['-1e-3', -0.001, 'none', 0],
  ['+.5', 0.5, 'none', 0],
  ['pi', Math.PI, 'none', 0],
  ['-pi/2', -Math.PI / 2, 'none', 0],
  ['3*pi/4', (3 * Math.PI) / 4, 'none', 0],
  ['2 pi', 2 * Math.PI, 'none', 0],
  ['1/4', 0.25, 'none', 0],
  ['-90 deg', -Math.PI / 2, 'angle', 0],
  ['90°', Math.PI / 2, 'angle', 0],
  ['20 mm', 0.02, 'length', 0],
  ['2cm', 0.02, 'length', 0],
  ['180 deg/s', Math.PI, 'angle', 1],
  ['10 rad/s^2', 10, 'angle', 2],
  ['10 rad/s²', 10, 'angle', 2],
  ['60 rad / s^3', 60, 'angle', 3],
  ['250 mm/s', 0.25, 'length', 1],
];

describe('readQuantity', () => {
  test.each(plain)('%s is %d (%s, per second to the %d)', (text, value, base, perSecond) => {
    const quantity = readQuantity(text) as Quantity;
    assert.closeTo(quantity.value, value, 1e-15);
    assert.deepEqual(quantity.dimension, { base, perSecond });
  });

  test.each(plain.filter(([text]) => !text.includes('2 pi')))(
    '%s means the same to the expression library',
    (text, value, base, perSecond) => {
      const quantity = evaluate(text) as Quantity;
      assert.closeTo(quantity.value, value, 1e-14);
      assert.deepEqual(quantity.dimension, { base, perSecond });
    },
  );

  test.each(['', 'home', 'pick and place', '1.2.3', '12 parsecs', 'NaN', 'Infinity', '1e999', '0x10', '10 deg/m'])(
    '"%s" is not taken for a number',
    (text) => {
      assert.isString(readQuantity(text, evaluate));
    },
  );

  test.each(['sqrt(2) * 30 cm', 'cos(90 deg)', '(1 + 2) / 4', '2^3', '1 m + 5 mm'])(
    '"%s" waits for the expression library',
    (text) => {
      assert.equal(readQuantity(text), 'expression');
      assert.isObject(readQuantity(text, evaluate));
    },
  );
});

describe('evaluate', () => {
  test('evaluates arithmetic with units', () => {
    assert.closeTo((evaluate('sqrt(2) * 30 cm') as Quantity).value, 0.3 * Math.SQRT2, 1e-15);
    assert.closeTo((evaluate('cos(60 deg)') as Quantity).value, 0.5, 1e-15);
    assert.deepEqual((evaluate('1 m + 5 mm') as Quantity).dimension, { base: 'length', perSecond: 0 });
  });

  test.each([
    'f(x) = x',
    'a = 3',
    'createUnit("foo")',
    'import("fs")',
    'evaluate("1")',
    '[1, 2]',
    '"text"',
    'random()',
    '2 kg',
    '1 m + 1 rad',
    '1 / 0',
    'sqrt(-1)',
    'ones(100000)',
    'pi.constructor',
    '1; 2',
    `1${'+1'.repeat(200)}`,
  ])('refuses %s', (text) => {
    assert.isString(evaluate(text));
  });
});
