import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { isLong } from '../../../cases.ts';
import { trueSupport } from '../../shapes/sampleShapes.ts';
import { randomDirections, randomSpec } from '../helpers.ts';
import { Certifier } from './certify.ts';
import { drawChunk } from './draw.ts';
import { judgeOf } from './judge.ts';
import { certifyPairs } from './run.ts';

/** `scripts/certify-pairs.mjs` runs ten million; 50,000 take a quarter of a minute on one core. */
const pairs = isLong ? 50_000 : 10_000;

describe(`${pairs} random pairs, all shapes, scales 1e-4 to 1e4, thin, flat, near contact, cold and with stale caches`, () => {
  let tallies: Certifier['tallies'];
  beforeAll(() => {
    ({ tallies } = certifyPairs({ seed: 20, pairs, first: 0 }));
  }, 600_000);

  test.each(Object.keys(new Certifier().tallies))(
    '%s: every result is proved by a judge that weights no code with it',
    (name) => {
      const tally = tallies[name];
      expect(tally.faults).toEqual([]);
      expect(tally.wrong).toBe(0);
      expect(tally.openOutside).toBe(0);
      expect(tally.colliding).toBeGreaterThan(0.4 * pairs);
      expect(tally.open).toBeLessThan(0.05 * pairs);
    },
  );
});

describe('the certificate checker of the tests', () => {
  test('computes support values, and distances of points beyond them', () => {
    const random = new Random(21);
    for (let i = 0; i < 3000; i++) {
      const unit = 10 ** random.between(-4, 4);
      const spec = randomSpec(random, unit);
      const judge = judgeOf(spec);
      const n = randomDirections(random, 1)[0];
      const s = trueSupport(spec, n);
      const label = `spec ${i}: ${JSON.stringify(spec)}`;
      expect(Math.abs(judge.reach(n) - (n[0] * s[0] + n[1] * s[1] + n[2] * s[2])), label).toBeLessThan(1e-14 * unit);
      for (const far of [1e-9, 1e-3, 1, 100]) {
        const p = s.map((x, k) => x + far * unit * n[k]);
        expect(Math.abs(judge.distanceTo(p) - far * unit), label).toBeLessThan(1e-13 * unit * Math.max(1, far));
      }
    }
  });

  test('refutes no separation by internal expanding of points whose far coordinates the pose cancels', () => {
    expectNoFaults(47, 'quick', [
      [75, 2214],
      [201, 8],
      [210, 1214],
      [236, 1059],
    ]);
  });

  test('refutes no separation by the vertex QP of a point whose far coordinates the pose cancels', () => {
    expectNoFaults(47, 'all', [[42, 3155]]);
  });

  test('refutes no collision by portal refinement of pairs 2e-10 apart whose portal is a sliver', () => {
    expectNoFaults(47, 'quick', [
      [25, 1043],
      [63, 2767],
    ]);
  });

  test('finds points of thin hulls inside them: witnesses that are proved so by exact arithmetic', () => {
    expectNoFaults(22, 'none', [
      [308, 1831, 2643, 3605],
      [420, 3130],
    ]);
  });

  test('finds convex combinations of points of a shape inside it', () => {
    const random = new Random(22);
    for (let i = 0; i < 3000; i++) {
      const unit = 10 ** random.between(-4, 4);
      const spec = randomSpec(random, unit);
      const points = randomDirections(random, 4).map((n) => trueSupport(spec, n));
      const weights = points.map(() => random.next());
      const sum = weights.reduce((total, weight) => total + weight, 0);
      const mean = [0, 1, 2].map((k) => points.reduce((total, p, j) => total + (weights[j] / sum) * p[k], 0));
      expect(judgeOf(spec).distanceTo(mean), `spec ${i}: ${JSON.stringify(spec)}`).toBeLessThan(1e-13 * unit);
    }
  });
});

/** Proves the results about some pairs, a row each chunk: its number, then those of the pairs. */
function expectNoFaults(seed: number, baselines: 'none' | 'quick' | 'all', chunks: readonly number[][]): void {
  const certifier = new Certifier(() => 0, baselines);
  for (const [chunk, ...numbers] of chunks) {
    const labels = numbers.map((number) => `seed ${seed}, chunk ${chunk}, pair ${number}`);
    for (const pair of drawChunk(seed, chunk)) if (labels.includes(pair.label)) certifier.certify(pair);
  }
  expect(certifier.pairs).toBe(chunks.flatMap(([, ...numbers]) => numbers).length);
  expect(Object.values(certifier.tallies).flatMap(({ faults }) => faults)).toEqual([]);
}
