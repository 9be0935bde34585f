import { expect, test } from 'vitest';
import { poseError } from '../../../src/core/kinematics/pose.ts';
import { setRotationFromQuaternion } from '../../../src/core/math/quaternion.ts';
import { Random } from '../../../src/core/math/random.ts';
import { compose, create, type Transform } from '../../../src/core/math/transform.ts';

function turn([x, y, z]: readonly number[], angle: number): Transform {
  const T = create();
  const s = Math.sin(angle / 2);
  setRotationFromQuaternion(T, [Math.cos(angle / 2), x * s, y * s, z * s]);
  return T;
}

function randomAxis(random: Random): number[] {
  for (;;) {
    const v = [0, 0, 0].map(() => random.between(-1, 1));
    const length = Math.hypot(...v);
    if (length > 0.1 && length < 1) return v.map((x) => x / length);
  }
}

test.each([1e-12, 1e-6, 0.3, 1.5, 2.6, 2.7, 3.1, Math.PI - 1e-7])(
  'a turn by %d about any axis is found again as its rotation vector',
  (angle) => {
    const random = new Random(3);
    const out = new Float64Array(6);
    for (let k = 0; k < 100; k++) {
      const axis = randomAxis(random);
      const T = turn(randomAxis(random), random.between(-3, 3));
      T.set([random.next()], 3);
      const T_target = create();
      compose(T_target, turn(axis, angle), T);
      T_target[3] = T[3] + 0.25;
      T_target[7] = T[7];
      poseError(out, T, T_target);
      expect(out[0]).toBeCloseTo(0.25, 14);
      for (const i of [0, 1, 2])
        expect(Math.abs(out[3 + i] - angle * axis[i])).toBeLessThan(1e-14 + 4e-15 / (Math.PI - angle));
    }
  },
);

test('a half turn has an angle of π about either direction of its axis, and no turn has none', () => {
  const out = new Float64Array(6);
  for (const axis of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0.6, -0.8, 0],
    [1 / 3, 2 / 3, 2 / 3],
  ]) {
    const T = create();
    setRotationFromQuaternion(T, [0, axis[0], axis[1], axis[2]]);
    poseError(out, create(), T);
    expect(Math.hypot(out[3], out[4], out[5])).toBeCloseTo(Math.PI, 12);
    expect(Math.abs(out[3] * axis[0] + out[4] * axis[1] + out[5] * axis[2])).toBeCloseTo(Math.PI, 12);
  }
  poseError(out, create(), create());
  expect(Array.from(out)).toEqual([0, 0, 0, 0, 0, 0]);
});
