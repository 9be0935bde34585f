import { expect, test } from 'vitest';
import { RecentMap } from '../../../src/core/math/recentMap.ts';

test('the value that was not used for longest is dropped, and no other one', () => {
  const map = new RecentMap<string, number>(2).set('a', 1).set('b', 2);
  expect(map.use('a', () => 9)).toBe(1);
  map.set('c', 3);
  expect([...map]).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
  expect(map.use('b', () => 4)).toBe(4);
  expect([...map.keys()]).toEqual(['c', 'b']);
});

test('a value that is stored again does not drop another one', () => {
  const map = new RecentMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3],
  ]);
});
