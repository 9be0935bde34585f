import type { Transform } from '../math/transform.ts';
import { atan2 } from '../math/trigonometry.ts';

/** Below this cosine the axis is computed from the symmetric part of the rotation, because the sine is too small. */
const NEARLY_HALF_TURN = -0.9;

/**
 * Computes the difference from T to T_target in the world frame. out[0…2]: displacement of the origins, metres;
 * out[3…5]: rotation vector w, radians: the rotation about w by ‖w‖ <= π maps the orientation of T to that of T_target
 * (at ‖w‖ = π either sign).
 */
export function poseError(out: Float64Array, T: Transform, T_target: Transform): void {
  out[0] = T_target[3] - T[3];
  out[1] = T_target[7] - T[7];
  out[2] = T_target[11] - T[11];
  // E = R_target Rᵀ
  const entry = (i: number, j: number) =>
    T_target[4 * i] * T[4 * j] + T_target[4 * i + 1] * T[4 * j + 1] + T_target[4 * i + 2] * T[4 * j + 2];
  const [e00, e11, e22] = [entry(0, 0), entry(1, 1), entry(2, 2)];
  const [e01, e02, e12] = [entry(0, 1), entry(0, 2), entry(1, 2)];
  const [e10, e20, e21] = [entry(1, 0), entry(2, 0), entry(2, 1)];
  // (E − Eᵀ) / 2 = sin θ [a]×,  tr E = 1 + 2 cos θ
  const x = (e21 - e12) / 2;
  const y = (e02 - e20) / 2;
  const z = (e10 - e01) / 2;
  const sine = Math.sqrt(x * x + y * y + z * z);
  const cosine = (e00 + e11 + e22 - 1) / 2;
  const angle = atan2(sine, cosine);
  if (cosine > NEARLY_HALF_TURN) {
    const factor = sine > 0 ? angle / sine : 1;
    out[3] = factor * x;
    out[4] = factor * y;
    out[5] = factor * z;
    return;
  }
  // (E + Eᵀ) / 2 − cos θ I = (1 − cos θ) a aᵀ: its column with the largest diagonal, with the sign of the sine
  const [dx, dy, dz] = [e00 - cosine, e11 - cosine, e22 - cosine];
  const [sxy, sxz, syz] = [(e01 + e10) / 2, (e02 + e20) / 2, (e12 + e21) / 2];
  const most = Math.max(dx, dy, dz);
  const [ax, ay, az] = most === dx ? [dx, sxy, sxz] : most === dy ? [sxy, dy, syz] : [sxz, syz, dz];
  const length = Math.sqrt(ax * ax + ay * ay + az * az);
  const factor = (ax * x + ay * y + az * z < 0 ? -angle : angle) / length;
  out[3] = factor * ax;
  out[4] = factor * ay;
  out[5] = factor * az;
}
