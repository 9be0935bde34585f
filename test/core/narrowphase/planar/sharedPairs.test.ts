import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PairReader } from '../../../../src/formats/streams/pairs.ts';
import type { PlanarPair } from '../../../../src/formats/streams/shapePair.ts';
import { createPairQuery } from '../../../../src/tasks/queries/queryPairs.ts';
import type { QuerySolverName } from '../../../../src/tasks/queries/querySolvers.ts';

interface Expected {
  readonly colliding: boolean;
  readonly mustClassify: boolean;
  readonly distance?: number;
  readonly depth?: number;
  readonly growth?: number;
  readonly tol: number;
  readonly growthTol?: number;
}

const file = new URL('../../../../../shared/data/narrowphase/pairs-2d.jsonl', import.meta.url);

/** Pairs with exact results; skipped if the data file next to the project is missing. */
describe.skipIf(!existsSync(file))('planar pairs with exact results', () => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const reader = new PairReader();
  const rows = lines.map((line) => ({
    pair: reader.read(line)?.pair as PlanarPair,
    ...(JSON.parse(line) as { id: string; expected: Expected }),
  }));
  const createQuery = (solver: QuerySolverName) =>
    createPairQuery({ solver, what: undefined, gap: 1e-12, warm: false });

  test('gjk-2d: status, distance and depth', () => {
    const query = createQuery('gjk-2d');
    for (const { id, pair, expected } of rows) {
      const result = query(pair);
      if (expected.mustClassify) expect(result.status, id).toBe(expected.colliding ? 'colliding' : 'separated');
      for (const bound of [result.distance!.lower, result.distance!.upper!]) {
        expect(Math.abs(bound - (expected.distance ?? 0)), id).toBeLessThanOrEqual(expected.tol);
      }
      if (expected.depth === undefined) continue;
      expect(Math.abs(result.depth! - expected.depth), id).toBeLessThanOrEqual(expected.tol);
    }
  });

  test('growth-distance-2d: status and growth', () => {
    const query = createQuery('growth-distance-2d');
    for (const { id, pair, expected } of rows) {
      const result = query(pair);
      if (expected.mustClassify) expect(result.status, id).toBe(expected.colliding ? 'colliding' : 'separated');
      if (expected.growth === undefined) continue;
      for (const bound of [result.growth!.lower, result.growth!.upper!]) {
        expect(Math.abs(bound - expected.growth), id).toBeLessThanOrEqual(expected.growthTol!);
      }
    }
  });
});
