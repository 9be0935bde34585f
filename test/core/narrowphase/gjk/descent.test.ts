import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { GjkDistance, IterativeDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { GjkIteration } from '../../../../src/core/narrowphase/gjk/gjkIteration.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import {
  between,
  createPair,
  excess,
  type Pair,
  poseOf,
  randomDirections,
  randomPairs,
  slabAlong,
} from '../helpers.ts';

const boxSpec = { type: 'box', size: [0.3, 0.4, 0.5] };
const identity = poseOf([0, 0, 0], [1, 0, 0, 0]);
const [out, reference] = [new Separation(), new Separation()];
const solver = new GjkDistance();
const iterated = new IterativeDistance(new GjkIteration());

/** Returns the pair, and the pair moved along its normal to contact, next to it, and into it. */
function atContact(pair: Pair, i: number): Pair[] {
  iterated.distance(reference, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
  if (reference.status !== 'separated') return [pair];
  const gaps = [0, pair.size * 10 ** -(1 + (i % 14)), -pair.size * 10 ** -(2 + (i % 13))];
  const moved = gaps.map((gap) => {
    const T_b_a = Float64Array.from(pair.T_b_a);
    for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += reference.normal[k] * (reference.distance.upper - gap);
    return { ...pair, T_b_a, label: `${pair.label}, gap ${gap}` };
  });
  return [pair, ...moved];
}

test('the minimum distance is that of plain GJK, and proves itself, at and next to contact at all scales', () => {
  const directions = randomDirections(new Random(7), 12);
  const failures: string[] = [];
  let apart = 0;
  for (const scale of [1e-6, 1, 1e6]) {
    for (const [i, drawn] of randomPairs({ seed: 61, count: 120, scale }).entries()) {
      for (const pair of atContact(drawn, i)) {
        const { a, b, T_b_a, label } = pair;
        solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
        iterated.distance(reference, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
        const slack = 1e-13 * pair.size;
        const signed = out.distance.upper - out.depth.lower;
        const isNear = Math.abs(reference.distance.upper - reference.depth.lower) < slack;
        if (out.status !== reference.status && !isNear) failures.push(`${label}: ${out.status}, ${reference.status}`);
        if (!(out.distance.lower <= reference.distance.upper + slack)) failures.push(`${label}: lower bound`);
        if (!(out.distance.upper >= reference.distance.lower - slack)) failures.push(`${label}: upper bound`);
        if (!(out.depth.lower <= reference.depth.upper + slack)) failures.push(`${label}: depth`);
        if (out.status !== 'separated') continue;
        apart++;
        if (!(slabAlong(out.normal, pair) >= out.distance.lower - slack)) failures.push(`${label}: normal`);
        const length = between(out.witnessA, out.witnessB);
        if (!(Math.abs(length - signed) < slack)) failures.push(`${label}: witnesses ${length} apart`);
        if (!(excess(out.witnessA, a, T_b_a, directions) < slack)) failures.push(`${label}: witness outside A`);
        if (!(excess(out.witnessB, b, identity, directions) < slack)) failures.push(`${label}: witness outside B`);
      }
    }
  }
  expect(failures).toEqual([]);
  expect(apart).toBeGreaterThan(300);
});

test('Newton steps save iterations for curved shapes', () => {
  const shapes = [
    ['ellipsoids', { type: 'ellipsoid', radii: [0.5, 0.2, 0.1] }, { type: 'ellipsoid', radii: [0.1, 0.4, 0.3] }, 0.25],
    ['rims', { type: 'cone', radius: 0.3, length: 0.5 }, { type: 'cylinder', radius: 0.2, length: 0.3 }, 0.6],
    ['a rim and faces', { type: 'frustum', radiusBottom: 0.3, radiusTop: 0.1, length: 0.5 }, boxSpec, 0.85],
  ] as const;
  const directions = randomDirections(new Random(8), 60);
  for (const [name, specA, specB, limit] of shapes) {
    let [own, plain] = [0, 0];
    for (const [i, d] of directions.entries()) {
      const T_b_a = poseOf([0.9 * d[0], 0.9 * d[1], 0.9 * d[2]], [1, ...directions[(i + 1) % directions.length]]);
      const { a, b } = createPair(name, specA, specB, T_b_a);
      solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
      own += out.iterations;
      iterated.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
      plain += out.iterations;
    }
    expect(own, name).toBeLessThan(limit * plain);
  }
});
