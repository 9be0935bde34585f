import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import type { DistanceIteration } from '../../../../src/core/narrowphase/gjk/distanceIteration.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { defaults, GrowthDistance } from '../../../../src/core/narrowphase/growth/growthDistance.ts';
import { GrowthDistanceCheck } from '../../../../src/core/narrowphase/growth/growthDistanceCheck.generated.ts';
import { cachedSimplexContainsOrigin } from '../../../../src/core/narrowphase/growth/primalWarmStart.generated.ts';
import { GrowthDistanceCheck as CheckInVectors } from '../../../../src/core/narrowphase/kernels/growthDistanceCheck.ts';
import { PortalAscent } from '../../../../src/core/narrowphase/kernels/portalAscent.ts';
import { PortalBounds } from '../../../../src/core/narrowphase/kernels/portalBounds.ts';
import * as warmStart from '../../../../src/core/narrowphase/kernels/primalWarmStart.ts';
import { RayPortal } from '../../../../src/core/narrowphase/kernels/rayPortal.ts';
import { RoundAscent } from '../../../../src/core/narrowphase/kernels/roundAscent.ts';
import { SignedVolumes } from '../../../../src/core/narrowphase/kernels/signedVolumes.ts';
import { SimplexDescent } from '../../../../src/core/narrowphase/kernels/simplexDescent.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { type Pair, randomPairs } from '../helpers.ts';

/** Replaces the expanded kernels in an object by those in vector notation. */
function inVectors<T extends object>(owner: T, kernels: object): T {
  for (const key of Object.keys(kernels)) expect(owner).toHaveProperty(key);
  return Object.assign(owner, kernels);
}

function growthInVectors(): GrowthDistance {
  const bounds = inVectors(new PortalBounds(defaults.relativeGap), { portal: new RayPortal() });
  const kernels = { bounds, pointB: bounds.pointB, flatAscent: new PortalAscent(), roundAscent: new RoundAscent() };
  return inVectors(new GrowthDistance(), kernels);
}

function distanceInVectors(): GjkDistance {
  const solver = new GjkDistance();
  const { simplex } = inVectors(solver.iteration as DistanceIteration, { descent: new SimplexDescent() });
  inVectors(simplex, { subproblem: new SignedVolumes(simplex.w) });
  return solver;
}

/** All numbers and flags of a result and a cache: equal to the last bit. */
const bitsOf = (...given: object[]) =>
  given.map((one) => JSON.stringify(one, (_, value) => (Object.is(value, -0) ? '-0' : value)));

/** A pair at four poses near each other, so that caches are used. */
function* posesOf(pairs: readonly Pair[]): Generator<Pair[]> {
  const random = new Random(3);
  for (const pair of pairs) {
    yield Array.from({ length: 4 }, () => {
      const T_b_a = pair.T_b_a.map((x, k) => (k % 4 === 3 ? x + 0.02 * pair.size * random.between(-1, 1) : x));
      return { ...pair, T_b_a };
    });
  }
}

const pairs = randomPairs({ seed: 77, count: 250 });

test('the Boolean check and its warm start give the same bits in vector notation', () => {
  const [expanded, inNotation] = [new GrowthDistanceCheck(), new CheckInVectors()];
  const counts = new Map<unknown, number>();
  for (const poses of posesOf(pairs)) {
    const [one, other] = [new PairCache(), new PairCache()];
    one.storesSimplex = other.storesSimplex = true;
    for (const { a, b, T_b_a, label } of poses) {
      if (one.simplexShapeA === a)
        expect(warmStart.cachedSimplexContainsOrigin(a, T_b_a, b, one), label).toBe(
          cachedSimplexContainsOrigin(a, T_b_a, b, one),
        );
      const verdict = expanded.check(a, T_b_a, b, 0, one);
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      expect([inNotation.check(a, T_b_a, b, 0, other), inNotation.iterations], label).toEqual([
        verdict,
        expanded.iterations,
      ]);
      expect([other.axis, other.simplexPoints, other.gap], label).toEqual([one.axis, one.simplexPoints, one.gap]);
    }
  }
  expect(Math.min(...counts.values())).toBeGreaterThan(20);
});

test.each([
  ['growth distance', new GrowthDistance(), growthInVectors()],
  ['minimum distance', new GjkDistance(), distanceInVectors()],
] as const)('the %s gives the same bits in vector notation', (_, expanded, inNotation) => {
  const statuses = new Map<string, number>();
  for (const poses of posesOf(pairs)) {
    const [one, other] = [new PairCache(), new PairCache()];
    for (const { a, b, T_b_a, label } of poses) {
      const [out, same] = [new Separation(), new Separation()];
      for (const [solver, result, cache] of [
        [expanded, out, one],
        [inNotation, same, other],
      ] as const)
        solver.solve(result, a, T_b_a, b, cache);
      statuses.set(out.status, (statuses.get(out.status) ?? 0) + 1);
      expect(bitsOf(same, other.axis, other.simplexPoints), label).toEqual(bitsOf(out, one.axis, one.simplexPoints));
    }
  }
  expect(Math.min(statuses.get('separated')!, statuses.get('colliding')!)).toBeGreaterThan(100);
});
