import { expect, test } from 'vitest';
import { transformOfPose } from '../../../../src/core/kinematics/pose.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { GrowthDistance } from '../../../../src/core/narrowphase/growth/growthDistance.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import type { ConvexShape } from '../../../../src/core/shapes/shape.ts';
import { randomPose, randomShape } from '../../../helpers/robots.ts';
import { exactGrowth, relativeError, signOfSeparation } from './exactGrowth.ts';

const random = new Random(77);
const turn = () => random.between(-1, 1);
const vector = () => [turn(), turn(), turn()];
const turned = () => transformOfPose({ xyz: [0, 0, 0], quat_wxyz: [turn(), turn(), turn(), turn()] });
const rotated = (T: Float64Array, p: ArrayLike<number>): number[] =>
  [0, 4, 8].map((i) => T[i] * p[0] + T[i + 1] * p[1] + T[i + 2] * p[2]);

/** Points of a random hull with these sizes along its axes; some twice, some on an edge. */
function points(size: readonly number[]): number[][] {
  const all = Array.from({ length: 4 + random.below(6) }, () => vector().map((x, k) => x * size[k]));
  if (random.below(5) === 0) all.push([...all[0]]);
  if (random.below(5) === 0) all.push(all[0].map((x, k) => (x + all[1][k]) / 2));
  return all;
}

const hull = (of: readonly (readonly number[])[]): ConvexShape => createShape({ type: 'convex', points: of });
const moved = (of: readonly number[][], by: readonly number[], factor = 1) =>
  of.map((p) => p.map((x, k) => x + factor * by[k]));

interface Family {
  readonly name: string;
  readonly size: () => number[];
}
const thin = (least: number, greatest: number) => 10 ** -random.between(least, greatest);
const families: readonly Family[] = [
  { name: 'of one size', size: () => [1, 1, 1] },
  { name: 'tiny', size: () => [1, 1, 1].map((x) => x * 2 ** -90) },
  { name: 'huge', size: () => [3e6, 3e6, 3e6] },
  { name: 'plates', size: () => [1, 1, thin(3, 9)] },
  { name: 'needles', size: () => [1, thin(3, 6), thin(3, 6)] },
];

for (const { name, size } of families) {
  test(`hulls, ${name}: next to contact, statuses and bounds hold in exact arithmetic`, () => {
    const seen = { separated: 0, colliding: 0, touching: 0, undecided: 0 };
    const solver = new GrowthDistance();
    const out = new Separation();
    for (let i = 0; i < 60; i++) {
      const scale = size();
      const a = hull(points(scale));
      const b = hull(points(scale));
      const T = turned();
      const centerA = rotated(T, a.center);
      const ray = vector().map((x, k) => x * scale[k]);
      const place = (factor: number) => {
        for (let k = 0; k < 3; k++) T[4 * k + 3] = b.center[k] - centerA[k] - factor * ray[k];
      };
      place(1);
      const apart = exactGrowth(a, T, b);
      if (apart === undefined) continue;
      const contact = Number((apart.denominator << 100n) / apart.numerator) / 2 ** 100;
      const cache = new PairCache();
      for (const offset of [10 ** -random.between(12, 16), 0, -(10 ** -random.between(12, 16)), turn()]) {
        place(contact * (1 + offset));
        const exact = exactGrowth(a, T, b);
        if (exact === undefined) continue;
        solver.solve(out, a, T, b, cache);
        seen[out.status]++;
        if (out.status === 'separated') expect(signOfSeparation(exact)).toBe(1);
        if (out.status === 'touching') expect(Math.abs(relativeError(1, exact))).toBeLessThan(1e-7);
        // Rounding of a height, relative to the least height possible.
        const error = (1e-14 * (a.outerRadius + b.outerRadius)) / (a.innerRadius + b.innerRadius);
        expect(relativeError(out.growth.lower, exact)).toBeLessThan(error);
        if (out.growth.upper < Infinity) expect(relativeError(out.growth.upper, exact)).toBeGreaterThan(-error);
      }
    }
    expect(seen.separated).toBeGreaterThan(20);
    expect(seen.colliding).toBeGreaterThan(20);
    expect(seen.touching).toBeGreaterThan(3);
  });
}

test('hulls far from the origins of their frames: rounding of the centres never separates colliding hulls', () => {
  const solver = new GrowthDistance();
  const out = new Separation();
  let separated = 0;
  for (let i = 0; i < 40; i++) {
    const distance = 10 ** random.between(3, 6.8);
    const T = turned();
    const offset = vector().map((x) => x * distance);
    const a = hull(moved(points([1, 1, 1]), offset));
    const pointsB = moved(points([1, 1, 1]), rotated(T, offset));
    const along = vector();
    const signAt = (factor: number) => {
      const exact = exactGrowth(a, T, hull(moved(pointsB, along, factor)));
      return exact === undefined ? 0 : signOfSeparation(exact);
    };
    let [inside, outside] = [0, 16];
    for (let k = 0; k < 40; k++) {
      const middle = (inside + outside) / 2;
      if (signAt(middle) > 0) outside = middle;
      else inside = middle;
    }
    for (const factor of [0, 1, 2, 3, 4, -1000].map((k) => inside - k * 1e-16 * distance)) {
      solver.solve(out, a, T, hull(moved(pointsB, along, factor)), new PairCache());
      if (out.status !== 'separated') continue;
      expect(signAt(factor)).toBe(1);
      separated++;
    }
  }
  expect(separated).toBeGreaterThan(20);
});

test('scaling by a power of two changes no bit of status, bounds and normal', () => {
  const solver = new GrowthDistance();
  for (let i = 0; i < 120; i++) {
    const specs = [randomShape(random, 1), randomShape(random, 1)];
    const T = transformOfPose(randomPose(random, 1.5));
    const solve = (factor: number) => {
      const scaled = (x: unknown): unknown =>
        typeof x === 'number' ? factor * x : Array.isArray(x) ? x.map(scaled) : x;
      const [a, b] = specs.map((spec) =>
        createShape(Object.fromEntries(Object.entries(spec).map(([key, x]) => [key, scaled(x)])) as typeof spec),
      );
      const out = new Separation();
      solver.solve(
        out,
        a,
        T.map((x, k) => (k % 4 === 3 && k < 12 ? factor * x : x)),
        b,
        new PairCache(),
      );
      return [out.status, out.growth.lower, out.growth.upper, ...out.normal];
    };
    const expected = solve(1);
    for (const exponent of [-90, -40, 10, 20]) expect(solve(2 ** exponent)).toEqual(expected);
  }
});

test('poses that overflow have no growth distance, are not in contact, and leave the cache usable', () => {
  const solver = new GrowthDistance();
  const out = new Separation();
  for (let i = 0; i < 60; i++) {
    const [a, b] = [createShape(randomShape(random, 1)), createShape(randomShape(random, 1))];
    const T = transformOfPose(randomPose(random, 1.5));
    solver.solve(out, a, T, b, new PairCache());
    const expected = [out.status, out.growth.lower];
    for (const length of [1e155, 1e200, 1e300, 1.7e308, Number.POSITIVE_INFINITY, Number.NaN]) {
      const cache = new PairCache();
      const far = T.slice();
      far[4 * random.below(3) + 3] = random.below(2) === 0 ? length : -length;
      solver.solve(out, a, far, b, cache);
      expect([out.status, out.growth.lower, out.growth.upper]).toEqual(['undecided', 0, Number.POSITIVE_INFINITY]);
      expect(out.hasNormal).toBe(false);
      solver.solve(out, a, T, b, cache);
      expect([out.status, out.growth.lower]).toEqual(expected);
    }
  }
});
