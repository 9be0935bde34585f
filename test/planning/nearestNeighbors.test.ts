import { expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { NearestNeighbors } from '../../src/planning/nearestNeighbors.ts';

test('an empty set has no nearest point', () => {
  expect(new NearestNeighbors(3).nearest(Float64Array.of(0, 0, 0))).toBe(-1);
});

for (const [dof, count, what, coordinate] of [
  [2, 3000, 'a lattice full of ties', (random: Random) => Math.floor(random.between(0, 12))],
  [6, 6000, 'scattered points', (random: Random) => random.between(-3, 3)],
  [7, 2100, 'points on a line', (_: Random, i: number) => i],
] as const) {
  test(`the nearest of ${what} in ${dof} dimensions is as near as a search of all finds, at every size`, () => {
    const random = new Random(11);
    const set = new NearestNeighbors(dof);
    const q = new Float64Array(dof);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < dof; k++) q[k] = coordinate(random, i);
      expect(set.add(q)).toBe(i);
      if (i % 37 !== 0) continue;
      for (let k = 0; k < dof; k++) q[k] += random.between(-0.5, 0.5);
      const found = squareDistance(set, set.nearest(q), q);
      let least = Number.POSITIVE_INFINITY;
      for (let j = 0; j <= i; j++) least = Math.min(least, squareDistance(set, j, q));
      expect(found).toBe(least);
    }
  });
}

function squareDistance(set: NearestNeighbors, index: number, q: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < set.dof; k++) {
    const difference = set.points[index * set.dof + k] - q[k];
    sum += difference * difference;
  }
  return sum;
}
