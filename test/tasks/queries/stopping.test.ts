import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { create } from '../../../src/core/math/transform.ts';
import type { ShapePair } from '../../../src/formats/streams/shapePair.ts';
import type { QueryOptions } from '../../../src/tasks/queries/queryOptions.ts';
import { createPairQuery, type PairResult } from '../../../src/tasks/queries/queryPairs.ts';
import type { QuerySolver } from '../../../src/tasks/queries/querySolver.ts';
import { type QuerySolverName, querySolvers } from '../../../src/tasks/queries/querySolvers.ts';
import { randomPairs } from '../../core/narrowphase/helpers.ts';
import { keysOf } from '../../helpers/keysOf.ts';

const solverOf = (name: QuerySolverName): QuerySolver => querySolvers[name];
const limited = keysOf(querySolvers).filter((name) => solverOf(name).hasLimit);
const references = { distance: 'gjk', growth: 'growth-distance', depth: 'epa' } as const;

function pairsAt(scale: number): ShapePair[] {
  return randomPairs({ seed: 471, count: 60, scale }).map(({ a, b, T_b_a }) => {
    return { dimension: 3, a, T_world_a: T_b_a, b, T_world_b: create(), track: '1' };
  });
}

describe.each(limited)('%s', (solver) => {
  const what = solverOf(solver).computes.find((one) => one !== 'collide') as keyof typeof references;
  const options = { solver, what, gap: 1e-6, warm: false } as const;
  const referenceOf = createPairQuery({ solver: references[what], what, gap: undefined, warm: false });

  test.each([1e-4, 1, 1e4])(
    'stops at its limit with bounds that contain the value, and says so (scale %s)',
    (scale) => {
      let open = 0;
      for (const maxIterations of [1, 2, 5]) {
        const query = createPairQuery({ ...options, maxIterations });
        for (const [i, pair] of pairsAt(scale).entries()) {
          const label = `pair ${i}, ${maxIterations} iterations`;
          const [found, reference] = [query(pair), referenceOf(pair)];
          expectSameVerdict(found, reference, label);
          if (what !== 'depth' && found.status === 'undecided') expect(found.iterations, label).toBe(maxIterations);
          const { lower, upper } = boundsOf(found, what);
          const known = boundsOf(reference, what);
          if (known.upper === undefined || upper === undefined) continue;
          const slack = 1e-7 * known.upper + 1e-9 * scale;
          expect(lower, label).toBeLessThanOrEqual(known.upper + slack);
          expect(upper, label).toBeGreaterThanOrEqual(known.lower - slack);
          if (upper - lower <= 1e-6 * upper + 1e-12 || found.status === 'touching') continue;
          expect(found.warnings?.join(), label).toContain(`${what} did not converge: it is between`);
          open++;
        }
      }
      expect(open).toBeGreaterThan(20);
    },
  );

  test('stops at an absolute gap before the relative one, and not before', () => {
    const absoluteGap = 0.01;
    const [query, full] = [createPairQuery({ ...options, absoluteGap }), createPairQuery(options)];
    let [saved, wide] = [0, 0];
    for (const pair of pairsAt(1)) {
      const [found, exact] = [query(pair), full(pair)];
      expect(found.iterations).toBeLessThanOrEqual(exact.iterations);
      saved += exact.iterations - found.iterations;
      const { lower, upper } = boundsOf(found, what);
      if (upper === undefined || what === 'depth') continue; // the bounds of a depth are a warning
      if (upper - lower > 1e-5 * upper) wide++;
      if (found.warnings === undefined) expect(upper - lower).toBeLessThanOrEqual(absoluteGap + 1e-12);
    }
    expect(saved).toBeGreaterThan(0);
    if (what !== 'depth') expect(wide).toBeGreaterThan(0);
  });

  test.each(solverOf(solver).guesses ?? [])('finds the same value from the initial guess "%s"', (guess) => {
    const random = new Random(472);
    const query = createPairQuery({ ...options, guess, warm: true });
    for (const [i, pair] of pairsAt(1).entries()) {
      for (let step = 0; step < 3; step++) {
        const T_world_a = pair.T_world_a.slice();
        for (let k = 3; k < 12; k += 4) T_world_a[k] += random.between(-0.02, 0.02) * step;
        const moved = { ...pair, T_world_a, track: String(i) } as ShapePair;
        const [found, reference] = [query(moved), referenceOf(moved)];
        const label = `pair ${i}, step ${step}`;
        expectSameVerdict(found, reference, label);
        const [{ lower, upper }, known] = [boundsOf(found, what), boundsOf(reference, what)];
        if (known.upper === undefined) continue;
        expect(lower, label).toBeLessThanOrEqual(known.upper * (1 + 1e-7) + 1e-9);
        expect(upper ?? Number.POSITIVE_INFINITY, label).toBeGreaterThanOrEqual(known.lower * (1 - 1e-7) - 1e-9);
      }
    }
  });
});

/** A limit may leave a pair undecided, and never contradicts. */
function expectSameVerdict({ status }: PairResult, reference: PairResult, label: string): void {
  if (status === 'separated') expect(reference.status, label).not.toBe('colliding');
  if (status === 'colliding') expect(reference.status, label).not.toBe('separated');
}

/** Bounds of a quantity; those of a depth that did not converge are in a warning. */
function boundsOf(result: PairResult, what: keyof typeof references): { lower: number; upper?: number } {
  if (what !== 'depth') return result[what] ?? { lower: 0 };
  const { depth, warnings = [] } = result;
  if (depth === undefined) return { lower: 0 };
  const open = /depth did not converge: it is between (\S+) and/.exec(warnings.join());
  return { lower: open ? Number(open[1]) : depth, upper: depth };
}

test('options that a solver does not accept are refused', () => {
  const create = (options: Partial<QueryOptions>) => () =>
    createPairQuery({ solver: 'gjk-plain', what: undefined, gap: undefined, warm: false, ...options });
  expect(create({ solver: 'gjk', maxIterations: 3 })).toThrow('gjk: a limit of iterations is not supported');
  expect(create({ solver: undefined, absoluteGap: 0.1 })).toThrow('no solver: an absolute gap is not supported');
  expect(create({ guess: 'dual', warm: true })).toThrow('gjk-plain: the initial guess "dual" is not supported');
  expect(create({ guess: 'previous' })).toThrow('the initial guess "previous" needs a warm start');
  expect(create({ what: 'collide', maxIterations: 3 })).toThrow('does not apply to collide');
  expect(create({ solver: 'growth-distance-plain', guess: 'dual', warm: true, maxIterations: 9 })).not.toThrow();
});
