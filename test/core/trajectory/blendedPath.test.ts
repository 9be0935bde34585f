import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlendedPath } from '../../../src/core/trajectory/blendedPath.ts';
import { improveBlends, setInitialBlends } from '../../../src/core/trajectory/blendSizes.ts';
import { limitsOf } from './motions.ts';
import { timeOptimalDuration } from './timeOptimal.ts';

const paths = fc.integer({ min: 2, max: 7 }).chain((dof) => {
  const joint = fc.double({ min: -1.5, max: 1.5, noNaN: true });
  return fc.array(fc.array(joint, { minLength: dof, maxLength: dof }), { minLength: 3, maxLength: 7 });
});
const isLong = (path: number[][]) =>
  path.slice(1).every((to, i) => Math.max(...to.map((x, j) => Math.abs(x - path[i][j]))) > 0.1);

test('the duration is that of the time-optimal motion along the same path, to some percent', () => {
  const options = { velocity: fc.constantFrom(1, 2, 3.14, 100), largest: fc.constantFrom(1, 0.1, 0.02) };
  fc.assert(
    fc.property(paths.filter(isLong), fc.record(options), (corners, { velocity, largest }) => {
      const limits = limitsOf(corners[0].length, velocity, 8);
      const path = new BlendedPath(corners, limits);
      const whole = new Float64Array(corners.length - 2).fill(largest);
      setInitialBlends(path, { entry: whole, exit: whole });
      improveBlends(path, { entry: whole, exit: whole });
      const optimal = timeOptimalDuration(path, limits);
      expect(path.setRates()).toBeGreaterThan(0.99 * optimal);
      expect(path.setRates()).toBeLessThan(1.05 * optimal);
    }),
    { numRuns: 60, seed: 7 },
  );
});

test('a corner of two joints is turned in the time that their change of speed takes', () => {
  const limits = limitsOf(2, 1, 4);
  const corners = [
    [0, 0],
    [1, 0],
    [1, 1],
  ];
  const path = new BlendedPath(corners, limits);
  const whole = Float64Array.of(1);
  setInitialBlends(path, { entry: whole, exit: whole });
  expect([path.entry[0], path.exit[0]]).toEqual([0.125, 0.125]); // v²/2a
  // Speeding up at the start and slowing down at the end cost 1/8 s each; the corner costs nothing.
  expect(path.setRates()).toBeCloseTo(2.25, 12);
  expect(1 / path.rate[0]).toBeCloseTo(0.25, 12);
});

test('rates updated after changes of a few blends equal those computed anew, to the last bit', () => {
  const limits = limitsOf(3, 2, 8);
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.double({ min: 0, max: 0.5, noNaN: true })), {
    minLength: 5,
  });
  const corner = fc.array(fc.double({ min: -1.5, max: 1.5, noNaN: true }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(corner, { minLength: 8, maxLength: 30 }).filter(isLong), changes, (corners, list) => {
      const path = new BlendedPath(corners, limits);
      const count = path.entry.length;
      const caps = new Float64Array(count).fill(0.3);
      setInitialBlends(path, { entry: caps, exit: caps });
      path.setRates();
      for (const [at, more, size] of list) {
        const first = at % count;
        const last = Math.min(count - 1, first + more);
        // a change that is undone: the rates are again those of the sizes before
        const [entry, exit] = [path.entry.slice(), path.exit.slice()];
        const tried = (7 * at + more) % count;
        path.storeRates();
        path.entry[tried] *= 0.5;
        path.exit[tried] *= 0.7;
        path.updateRates(tried, tried);
        path.restoreRates();
        path.entry.set(entry);
        path.exit.set(exit);
        for (let i = first; i <= last; i++) {
          path.entry[i] = size < 0.05 ? 0 : size;
          path.exit[i] = size < 0.05 ? 0 : 0.5 - size / 2;
        }
        const updated = path.updateRates(first, last);
        const rates = path.rate.slice();
        if (updated !== path.setRates() || rates.some((rate, i) => rate !== path.rate[i])) return false;
      }
      return true;
    }),
    { numRuns: 50, seed: 3 },
  );
});
