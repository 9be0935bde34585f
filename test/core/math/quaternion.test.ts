import { expect, test } from 'vitest';
import { setRotationFromQuaternion } from '../../../src/core/math/quaternion.ts';
import { Random } from '../../../src/core/math/random.ts';
import { create } from '../../../src/core/math/transform.ts';

const rotationOf = (w: number, x: number, y: number, z: number) => {
  const T = create();
  setRotationFromQuaternion(T, [w, x, y, z]);
  return T;
};

test('quaternions of any size that is not zero give the rotation of the unit quaternion', () => {
  const random = new Random(4);
  for (let n = 0; n < 300; n++) {
    const q = [0, 0, 0, 0].map(() => random.between(-1, 1));
    const unit = rotationOf(q[0], q[1], q[2], q[3]);
    for (const size of [1e-300, 1e-161, 1e-150, 1e-120, 1e5, 1e150, 1e300]) {
      const [w, x, y, z] = q.map((value) => value * size);
      for (const [k, value] of rotationOf(w, x, y, z).entries()) expect(Math.abs(value - unit[k])).toBeLessThan(1e-14);
    }
  }
});
