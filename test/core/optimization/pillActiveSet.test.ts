import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { PillProximity } from '../../../src/core/optimization/pillProximity.ts';
import { randomTransform } from '../narrowphase/helpers.ts';
import { randomPill } from './randomPill.ts';

test.each([1e-3, 1, 1e3])(
  'at scale %d the solution of the active-set method satisfies the optimality conditions, ties included',
  (unit) => {
    const random = new Random(71);
    const proximity = new PillProximity();
    let [exact, polygons] = [0, 0];
    for (let i = 0; i < 600; i++) {
      const [a, b] = [randomPill(random, unit), randomPill(random, unit)];
      const Ta = randomTransform(random, 1.5 * unit);
      const Tb = randomTransform(random, 1.5 * unit);
      // A third of the pairs have parallel cores or a common origin along some axes.
      if (i % 3 === 0) for (const k of [0, 1, 2, 4, 5, 6, 8, 9, 10]) Tb[k] = Ta[k];
      if (i % 6 === 0) Tb[3 + 4 * random.below(3)] = Ta[3 + 4 * random.below(3)];
      proximity.solve(a, Ta, b, Tb);
      if (a.dimension < 2 && b.dimension < 2) continue;
      polygons++;
      if (proximity.iterations > 0) continue;
      exact++;
      const { P, c, G, h, y, z, variables: n, constraints: m, w } = proximity;
      const force = 2 * Math.hypot(...w);
      for (let row = 0; row < n; row++) {
        let gradient = c[row];
        for (let k = 0; k < n; k++) gradient += P[n * row + k] * y[k];
        for (let k = 0; k < m; k++) gradient += G[n * k + row] * z[k];
        expect(Math.abs(gradient), `pair ${i}`).toBeLessThan(1e-9 * Math.max(force, unit));
      }
      for (let k = 0; k < m; k++) {
        let slack = h[k];
        for (let j = 0; j < n; j++) slack -= G[n * k + j] * y[j];
        expect(z[k], `pair ${i}`).toBeGreaterThanOrEqual(0);
        expect(slack, `pair ${i}`).toBeGreaterThan(-1e-12 * unit);
        expect(Math.min(z[k] / force, slack / unit), `pair ${i}`).toBeLessThan(1e-9);
      }
    }
    expect(exact).toBeGreaterThan(0.6 * polygons);
  },
);

test('both methods give the same distances, contacts and points', () => {
  const random = new Random(72);
  const [fast, slow] = [new PillProximity(), new PillProximity('interior-point')];
  for (let i = 0; i < 500; i++) {
    const [a, b] = [randomPill(random, 1), randomPill(random, 1)];
    const [Ta, Tb] = [randomTransform(random, 1.5), randomTransform(random, 1.5)];
    fast.solve(a, Ta, b, Tb);
    slow.solve(a, Ta, b, Tb);
    if (fast.contact !== slow.contact) expect([fast.contact, slow.contact], `pair ${i}`).toContain('weak');
    expect(Math.abs(fast.distance - slow.distance), `pair ${i}`).toBeLessThan(1e-9);
    if (fast.contact !== 'regular' || slow.contact !== 'regular') continue;
    for (let k = 0; k < 3; k++) expect(Math.abs(fast.pointA[k] - slow.pointA[k]), `pair ${i}`).toBeLessThan(1e-6);
  }
});
