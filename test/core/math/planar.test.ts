import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createPlanarTransform,
  relativePlanar,
  rotatePlanar,
  transformPlanarPoint,
} from '../../../src/core/math/planar.ts';
import { composePlanar } from '../../helpers/planar.ts';

const number = fc.double({ min: -10, max: 10, noNaN: true });
const pose = fc.tuple(number, number, number);

test('the relative pose takes points where both poses together do', () => {
  fc.assert(
    fc.property(pose, pose, fc.tuple(number, number), (first, second, point) => {
      const T_world_a = createPlanarTransform(...first);
      const T_world_b = createPlanarTransform(...second);
      const T_b_a = createPlanarTransform();
      const back = createPlanarTransform();
      relativePlanar(T_b_a, T_world_b, T_world_a);
      composePlanar(back, T_world_b, T_b_a);

      const p = Float64Array.from(point);
      const direct = new Float64Array(2);
      const around = new Float64Array(2);
      transformPlanarPoint(direct, T_world_a, p);
      transformPlanarPoint(around, T_b_a, p);
      transformPlanarPoint(around, T_world_b, around); // the output may be the input
      const again = new Float64Array(2);
      transformPlanarPoint(again, back, p);
      for (let k = 0; k < 2; k++) {
        expect(around[k]).toBeCloseTo(direct[k], 12);
        expect(again[k]).toBeCloseTo(direct[k], 12);
      }
    }),
  );
});

test('a quarter turn takes x to y, and leaves lengths alone', () => {
  const d = Float64Array.of(3, 0);
  rotatePlanar(d, createPlanarTransform(7, 8, Math.PI / 2), d);
  expect(d[0]).toBeCloseTo(0, 15);
  expect(d[1]).toBeCloseTo(3, 15);
});

test('equal turns cancel to the last bit, however odd the angle', () => {
  const T_b_a = createPlanarTransform();
  relativePlanar(T_b_a, createPlanarTransform(1e6, -1e6, 0.7), createPlanarTransform(1e6, -1e6, 0.7));
  expect([...T_b_a]).toEqual([1, 0, 0, 0]);
});
