import { expect, test } from 'vitest';
import { derived } from '../../../src/core/math/derived.ts';

const counted = () => {
  const calls: object[] = [];
  const sizeOf = derived((one: { readonly size: number }) => {
    calls.push(one);
    return { size: one.size };
  });
  return { calls, sizeOf };
};

test('data is computed once for each object, frozen or not, and for each function', () => {
  for (const object of [{ size: 1 }, Object.freeze({ size: 1 })]) {
    const { calls, sizeOf } = counted();
    expect(sizeOf(object)).toBe(sizeOf(object));
    expect(calls).toEqual([object]);
    expect(counted().sizeOf(object)).not.toBe(sizeOf(object));
  }
});

test('copies and objects that inherit from another one have data of their own', () => {
  const { sizeOf } = counted();
  const object = { size: 1 };
  sizeOf(object);
  const others = [{ ...object }, Object.assign({}, object), structuredClone(object), Object.create(object)];
  for (const [i, other] of others.entries()) {
    other.size = 2 + i;
    expect(sizeOf(other)).toEqual({ size: 2 + i });
  }
});

test('an object is enumerated, compared and written as before', () => {
  const object = { size: 1 };
  counted().sizeOf(object);
  expect(object).toEqual({ size: 1 });
  expect(Object.keys(object)).toEqual(['size']);
  expect(JSON.stringify(object)).toBe('{"size":1}');
});
