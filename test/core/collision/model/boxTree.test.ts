import { expect, test } from 'vitest';
import { BoxTree } from '../../../../src/core/collision/model/boxTree.ts';
import { Random } from '../../../../src/core/math/random.ts';

/** Rows of boxes: the query box, then `count` boxes; every tenth is unbounded. */
function scattered(random: Random, count: number): Float64Array {
  const rows = new Float64Array(6 * (count + 1));
  for (let i = 0; i <= count; i++) place(rows, i, random);
  return rows;
}

function place(rows: Float64Array, i: number, random: Random): void {
  const endless = i > 0 && i % 10 === 0;
  for (let k = 0; k < 3; k++) {
    const middle = random.between(-3, 3);
    const half = random.between(0, 0.5);
    rows[6 * i + k] = endless ? Number.NEGATIVE_INFINITY : middle - half;
    rows[6 * i + k + 3] = endless ? Number.POSITIVE_INFINITY : middle + half;
  }
}

/** Returns the boxes within reach, by checking all of them. */
function near(rows: Float64Array, reach: number): number[] {
  const found: number[] = [];
  for (let i = 1; i < rows.length / 6; i++) {
    const apart = [0, 1, 2].some((k) => rows[k] - reach > rows[6 * i + k + 3] || rows[k + 3] + reach < rows[6 * i + k]);
    if (!apart) found.push(i - 1);
  }
  return found;
}

test.each([0, 1, 2, 7, 300])(
  'a tree over %i boxes finds exactly those that an exhaustive search finds, before and after they move',
  (count) => {
    const random = new Random(count + 1);
    const rows = scattered(random, count);
    const tree = new BoxTree(rows, 1, count);
    for (let round = 0; round < 40; round++) {
      place(rows, 0, random);
      const reach = round % 2 === 0 ? 0 : 0.4;
      tree.query(0, reach);
      expect([...tree.found.subarray(0, tree.count)].sort((a, b) => a - b)).toEqual(near(rows, reach));
      if (round % 8 === 7 && count > 0) {
        place(rows, 1 + random.below(count), random);
        tree.refit();
      }
    }
  },
);

test('NaN coordinates find every box', () => {
  const rows = scattered(new Random(1), 20);
  rows.fill(Number.NaN, 0, 6);
  const tree = new BoxTree(rows, 1, 20);
  tree.query(0, 0);
  expect(tree.count).toBe(20);
});

/** All that queries read of a tree. */
function stateOf(tree: BoxTree): unknown {
  const { nodeBoxes, leaf, after } = tree as unknown as Record<string, Float64Array>;
  return { nodeBoxes: [...nodeBoxes], leaf: [...leaf], after: [...after] };
}

test.each([1, 2, 3, 33, 200])('a tree over %i boxes that is updated is node by node as a new one', (count) => {
  const random = new Random(count);
  const rows = scattered(random, count);
  for (let i = 1; i <= count; i += 3) rows.copyWithin(6 * i, 6, 12); // equal centers
  const tree = new BoxTree(rows, 1, count);
  const different: number[] = [];
  for (let round = 0; round < 200; round++) {
    const moved = Array.from({ length: 1 + (round % 4) ** 3 }, () => random.below(count));
    for (const i of moved) {
      const other = 6 * (1 + random.below(count));
      if (random.below(4) === 0) rows.copyWithin(6 * (i + 1), other, other + 6);
      else place(rows, i + 1, random);
    }
    tree.update(moved);
    if (JSON.stringify(stateOf(tree)) !== JSON.stringify(stateOf(new BoxTree(rows, 1, count)))) different.push(round);
  }
  expect(different).toEqual([]);
});
