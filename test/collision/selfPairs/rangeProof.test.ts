import { expect, test } from 'vitest';
import { attackRange } from './rangeAttack.ts';

test('no pair is proved separated if an independent search finds a contact within the limits', () => {
  let near = 0;
  for (let seed = 1; seed <= 15; seed++) {
    const found = attackRange(seed, 150, 1);
    expect(found.trouble, `seed ${seed}`).toEqual([]);
    near += found.near;
  }
  expect(near).toBeGreaterThan(5);
});
