import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PairReader, type PlanarPair } from '../../../src/formats/streams/pairs.ts';
import { createPairQuery } from '../../../src/tasks/queries/queryPairs.ts';

interface Expected {
  readonly colliding: boolean;
  readonly mustClassify: boolean;
  readonly distance?: number;
  readonly depth?: number;
  readonly growth?: number;
  readonly tol: number;
  readonly growthTol?: number;
}

const file = new URL('../../../../shared/data/narrowphase/pairs-2d.jsonl', import.meta.url);

/** Pairs with exact answers, where they lie beside the project. */
describe.skipIf(!existsSync(file))('planar pairs with exact answers', () => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const reader = new PairReader();
  const rows = lines.map((line) => ({
    pair: reader.read(line)?.pair as PlanarPair,
    ...(JSON.parse(line) as { id: string; expected: Expected }),
  }));
  const ask = (solver: string) => createPairQuery({ solver, what: undefined, gap: 1e-12, warm: false });

  test('gjk-2d: status, distance and depth', () => {
    const query = ask('gjk-2d');
    for (const { id, pair, expected } of rows) {
      const answer = query(pair);
      if (expected.mustClassify) expect(answer.status, id).toBe(expected.colliding ? 'colliding' : 'separated');
      for (const bound of [answer.distance!.lower, answer.distance!.upper!]) {
        expect(Math.abs(bound - (expected.distance ?? 0)), id).toBeLessThanOrEqual(expected.tol);
      }
      if (expected.depth === undefined) continue;
      expect(Math.abs(answer.depth! - expected.depth), id).toBeLessThanOrEqual(expected.tol);
    }
  });

  test('growth-distance-2d: status and growth', () => {
    const query = ask('growth-distance-2d');
    for (const { id, pair, expected } of rows) {
      const answer = query(pair);
      if (expected.mustClassify) expect(answer.status, id).toBe(expected.colliding ? 'colliding' : 'separated');
      if (expected.growth === undefined) continue;
      for (const bound of [answer.growth!.lower, answer.growth!.upper!]) {
        expect(Math.abs(bound - expected.growth), id).toBeLessThanOrEqual(expected.growthTol!);
      }
    }
  });
});
