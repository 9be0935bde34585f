import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { NearestNeighbors } from '../../../src/core/planning/nearestNeighbors.ts';

test('an empty set has no nearest point and none near', () => {
  const set = new NearestNeighbors({ dof: 3 });
  expect(set.nearest(Float64Array.of(0, 0, 0))).toBe(-1);
  expect(set.near(Float64Array.of(0, 0, 0), 5)).toBe(0);
});

test('a radius includes points at exactly that distance, and a query for zero neighbors returns none', () => {
  const set = new NearestNeighbors({ dof: 2 });
  for (const x of [5, 3, 4]) set.add(Float64Array.of(x, 0));
  const origin = Float64Array.of(0, 0);
  expect(near(set, origin, 10, 4)).toEqual([1, 2]);
  expect(near(set, origin, 1, 4)).toEqual([1]);
  expect(near(set, origin, 0)).toEqual([]);
  expect(near(set, origin, Number.POSITIVE_INFINITY)).toEqual([1, 2, 0]);
});

for (const [dof, count, what, coordinate] of [
  [2, 3000, 'a lattice full of ties', (random: Random) => Math.floor(random.between(0, 12))],
  [6, 6000, 'scattered points', (random: Random) => random.between(-3, 3)],
  [7, 2100, 'points on a line', (_: Random, i: number) => i],
  [14, 2600, 'a lattice full of ties', (random: Random) => random.below(2)],
  [30, 2600, 'scattered points', (random: Random) => random.between(-3, 3)],
] as const) {
  test(`of ${what} in ${dof} dimensions the nearest, the k nearest and those in a ball are what a search of all finds, at every size`, () => {
    const random = new Random(11);
    const set = new NearestNeighbors({ dof });
    const q = new Float64Array(dof);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < dof; k++) q[k] = coordinate(random, i);
      expect(set.add(q)).toBe(i);
      if (i % 37 !== 0) continue;
      // Half of the queries are at points of the set: on the lattice, most of their neighbors are at equal distances.
      if (i % 2 === 0) for (let k = 0; k < dof; k++) q[k] += random.between(-0.5, 0.5);
      const all = byDistance(set, q);
      expect(set.nearest(q)).toBe(all[0].index);
      const most = 1 + random.below(40);
      expect(near(set, q, most)).toEqual(all.slice(0, most).map(({ index }) => index));
      const { square } = all[random.below(Math.min(all.length, 200))];
      const radius = Math.sqrt(square) * 1.000001;
      const inside = all.filter((other) => other.square <= radius * radius).map(({ index }) => index);
      expect(near(set, q, Number.POSITIVE_INFINITY, radius)).toEqual(inside);
      expect(near(set, q, most, radius)).toEqual(inside.slice(0, most));
    }
  });
}

test('removed points are in no result, whether they are in a tree or not, and do not change the order', () => {
  const random = new Random(5);
  const set = new NearestNeighbors({ dof: 3 });
  const q = new Float64Array(3);
  const removed = new Set<number>();
  for (let i = 0; i < 2600; i++) {
    for (let k = 0; k < 3; k++) q[k] = random.between(-1, 1);
    set.add(q);
    if (i % 3 === 0) {
      const one = random.below(i + 1);
      set.remove(one);
      removed.add(one);
    }
    if (i % 41 !== 0 || removed.size > i) continue;
    const left = byDistance(set, q).filter(({ index }) => !removed.has(index));
    expect(near(set, q, 2600)).toEqual(left.map(({ index }) => index));
    expect(set.nearest(q)).toBe(left[0]?.index ?? -1);
  }
  expect(removed.size).toBeGreaterThan(500);
});

function near(set: NearestNeighbors, q: Float64Array, k: number, radius?: number): number[] {
  const size = set.near(q, k, radius);
  return [...set.found.subarray(0, size)];
}

/** All points, nearest first, the older before the newer where two are equally near. */
function byDistance(set: NearestNeighbors, q: Float64Array): { index: number; square: number }[] {
  const all = Array.from({ length: set.count }, (_, index) => {
    let square = 0;
    for (let k = 0; k < set.dof; k++) {
      const difference = set.points[index * set.dof + k] - q[k];
      square += difference * difference;
    }
    return { index, square };
  });
  return all.sort((a, b) => a.square - b.square || a.index - b.index);
}
