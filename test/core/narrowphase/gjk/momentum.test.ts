import { describe, expect, test } from 'vitest';
import { convexHull } from '../../../../src/core/hulls/hull.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { baselineDistanceSolvers } from '../../../../src/core/narrowphase/baselines.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { type CheckerName, checkers, distanceSolvers } from '../../../../src/core/narrowphase/index.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../../../src/core/narrowphase/solver.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { keysOf } from '../../../helpers/keysOf.ts';
import { createPair, type Pair, randomDirections, randomPairs, randomTransform } from '../helpers.ts';

const accelerated = keysOf(distanceSolvers).filter((name) => name !== 'gjk');
const plain = new GjkDistance();
const out = new Separation();

/** Returns pairs translated along the normal of contact until their gap is `gap` metres; negative: overlap. */
function pairsAtGap(specs: readonly ShapeSpec[], gap: number): Pair[] {
  const random = new Random(81);
  return Array.from({ length: 60 }, (_, i) => {
    const spec = () => specs[random.below(specs.length)];
    const T_b_a = randomTransform(random, 1);
    for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] *= 4 / Math.hypot(T_b_a[3], T_b_a[7], T_b_a[11]);
    const pair = createPair(`pair ${i} at ${gap} m`, spec(), spec(), T_b_a);
    plain.distance(out, pair.a, T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
    expect(out.status, pair.label).toBe('separated');
    for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += out.normal[k] * (out.distance.upper - gap);
    return pair;
  });
}

/** Returns the mean number of iterations; checks each status, and each distance against the gap. */
function distanceIterations(name: keyof typeof distanceSolvers, pairs: readonly Pair[], gap: number): number {
  const definition = name === 'gjk' ? baselineDistanceSolvers['gjk-plain'] : distanceSolvers[name];
  const solver = definition.create({ relativeGap: 1e-8 });
  let sum = 0;
  for (const { a, b, T_b_a, label } of pairs) {
    solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
    expect(out.status, `${name}, ${label}`).toBe(gap > 0 ? 'separated' : 'colliding');
    if (gap > 0) expect(Math.abs(out.distance.upper - gap), `${name}, ${label}`).toBeLessThan(1e-9);
    sum += out.iterations;
  }
  return sum / pairs.length;
}

const radii = randomDirections(new Random(82), 30).map((d) => [...d].map((x) => 0.05 + 0.45 * Math.abs(x)));
const ellipsoids = radii.map((values) => ({ type: 'ellipsoid', radii: values }));

describe('the weights of the released program', () => {
  test('take less than half of the iterations of the printed ones for Polyak on ellipsoids 1 cm deep', () => {
    const pairs = pairsAtGap(ellipsoids, -0.01);
    const released = distanceIterations('gjk-polyak', pairs, -0.01);
    expect(released).toBeLessThan(distanceIterations('gjk', pairs, -0.01));
    expect(released).toBeLessThan(0.5 * distanceIterations('gjk-polyak-printed', pairs, -0.01));
  });

  test('save a sixth of the iterations of normalized Nesterov on hulls 1 cm apart', async () => {
    const directions = randomDirections(new Random(83), 3000);
    const hulls = await Promise.all(
      [0, 1, 2].map(async (h) => {
        const axes = [
          [0.5, 0.5, 0.5],
          [0.5, 0.5, 0.1],
          [0.1, 0.1, 0.5],
        ][h];
        const points = directions.slice(626 * h, 626 * (h + 1)).flatMap((d) => [...d].map((x, k) => axes[k] * x));
        return { type: 'convex', ...(await convexHull(Float64Array.from(points))) } as unknown as ShapeSpec;
      }),
    );
    const pairs = pairsAtGap(hulls, 0.01);
    const released = distanceIterations('gjk-nesterov', pairs, 0.01);
    expect(released).toBeLessThan((5 / 6) * distanceIterations('gjk-nesterov-printed', pairs, 0.01));
    expect(released).toBeLessThan((5 / 6) * distanceIterations('gjk', pairs, 0.01));
  });

  test('take less than 0.7 of the iterations of plain GJK on ellipsoids 1 cm apart', () => {
    const pairs = pairsAtGap(ellipsoids, 0.01);
    const iterations = distanceIterations('gjk-nesterov', pairs, 0.01);
    expect(iterations).toBeLessThan(0.7 * distanceIterations('gjk', pairs, 0.01));
  });
});

test.each(accelerated)('%s returns the verdicts of plain GJK, wherever that decides', (name) => {
  const checker = checkers[name as CheckerName].create();
  const reference = checkers.gjk.create();
  const counts = { [SEPARATED]: 0, [COLLIDING]: 0 };
  for (const { a, b, T_b_a, label } of randomPairs({ seed: 84, count: 1500 })) {
    const verdict = reference.check(a, T_b_a, b, 0, new PairCache());
    if (verdict !== SEPARATED && verdict !== COLLIDING) continue;
    plain.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
    if (out.distance.lower < 1e-9 && out.depth.upper < 1e-9) continue; // within rounding of contact
    expect(checker.check(a, T_b_a, b, 0, new PairCache()), label).toBe(verdict);
    counts[verdict]++;
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(500);
});
