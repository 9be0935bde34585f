import { setRotationFromQuaternion } from '../../src/core/math/quaternion.ts';
import type { Random } from '../../src/core/math/random.ts';
import { create, type Transform } from '../../src/core/math/transform.ts';

/** Returns a pose within `reach` metres along each axis with a random orientation. */
export function randomPose(random: Random, reach: number): Transform {
  const T = create();
  const part = () => random.between(-1, 1);
  setRotationFromQuaternion(T, [part(), part(), part(), part()]);
  for (const k of [3, 7, 11]) T[k] = reach * part();
  return T;
}
