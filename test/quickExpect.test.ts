import { describe, expect, test } from 'vitest';
import { expect as quickExpect, vitestExpect } from './quickExpect.ts';

const values = [0, -0, 1, 1.004, Number.NaN, Infinity, -Infinity, 2n, '', 'a', null, undefined, true, { a: 1 }];
const lists = [
  [],
  [1],
  [-0],
  [0],
  [1, 2],
  [undefined],
  new Array(1),
  /a/.exec('a'),
  ['a'],
  Object.assign([1], { a: 1 }),
];
const all = [...values, ...lists, expect.any(Number)];
const matchers = ['toBe', 'toEqual', 'toBeCloseTo', 'toBeUndefined', 'toBeDefined', 'toHaveLength', 'toMatchObject'];
const bounds = ['toBeLessThan', 'toBeLessThanOrEqual', 'toBeGreaterThan', 'toBeGreaterThanOrEqual'];

type Matchers = Record<string, (expected: unknown) => void> & { readonly not: Matchers };

/** The message of the failure, or undefined if the assertion holds. */
function failure(assert: () => void): string | undefined {
  try {
    assert();
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

test('the tests import the assertions that decide plain values themselves', () => {
  expect(quickExpect).toBe(expect);
  expect(vitestExpect === expect).toBe(false);
});

describe('an assertion holds if it holds in vitest, and fails with the same message', () => {
  test.each([...matchers, ...bounds])('%s', (matcher) => {
    const different: unknown[] = [];
    let held = 0;
    for (const value of all)
      for (const expected of all)
        for (const isNegated of [false, true]) {
          const [quick, slow] = [quickExpect, vitestExpect].map((one) =>
            failure(() => {
              const assertion = one(value, 'label') as unknown as Matchers;
              (isNegated ? assertion.not : assertion)[matcher](expected);
            }),
          );
          if (slow === undefined) held++;
          if (quick !== slow) different.push({ value, expected, isNegated, quick, slow });
        }
    expect(different).toEqual([]);
    expect(held).toBeGreaterThan(20);
  });
});

test('what is thrown and what a promise holds is left to vitest', async () => {
  const thrower = () => {
    throw new Error('cause');
  };
  expect(failure(() => expect(thrower).toThrow('cause'))).toBe(undefined);
  expect(failure(() => expect(thrower).toThrow('other'))).toMatch(/other/);
  expect(failure(() => expect(() => {}).toThrow())).toMatch(/to throw/);
  await expect(Promise.resolve(1)).resolves.toBe(1);
  await expect(expect(Promise.resolve(1)).resolves.toBe(2)).rejects.toThrow('to be 2');
  expect(failure(() => expect('a').to.equal('b'))).toMatch(/to equal 'b'/);
});
