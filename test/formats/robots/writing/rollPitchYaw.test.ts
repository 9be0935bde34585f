import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { rpyOf } from '../../../../src/formats/robots/writing/rollPitchYaw.ts';

/** Rz(yaw) Ry(pitch) Rx(roll), by plain matrices. */
function matrixOf([roll, pitch, yaw]: readonly number[]): number[][] {
  const [a, b, c] = [roll, pitch, yaw].map((x) => [Math.cos(x), Math.sin(x)]);
  const times = (A: number[][], B: number[][]) =>
    A.map((row) => [0, 1, 2].map((k) => row.reduce((sum, x, i) => sum + x * B[i][k], 0)));
  const x = [
    [1, 0, 0],
    [0, a[0], -a[1]],
    [0, a[1], a[0]],
  ];
  const y = [
    [b[0], 0, b[1]],
    [0, 1, 0],
    [-b[1], 0, b[0]],
  ];
  const z = [
    [c[0], -c[1], 0],
    [c[1], c[0], 0],
    [0, 0, 1],
  ];
  return times(z, times(y, x));
}

/** The matrix of a unit quaternion. */
const rotationOf = ([w, x, y, z]: readonly number[]): number[][] => [
  [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
  [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
  [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
];

test('roll, pitch and yaw reproduce rotations to 1e-15 or so, also at any distance from gimbal lock', () => {
  const random = new Random(3);
  let worst = 0;
  for (let i = 0; i < 3000; i++) {
    const distance = i % 3 === 0 ? 10 ** random.between(-17, 0) : random.between(-3, 3);
    const [half, turn] = [(Math.PI / 2 - distance) / 2, random.between(-3, 3)];
    const [s, c, p, q] = [Math.sin(half), Math.cos(half), Math.sin(turn / 2), Math.cos(turn / 2)];
    const spin = random.between(-3, 3);
    const [u, v] = [Math.cos(spin / 2), Math.sin(spin / 2)];
    // Rz(turn) Ry(2 half) Rx(spin)
    const [w0, x0, y0, z0] = [q * c, -p * s, q * s, p * c];
    const given = [w0 * u - x0 * v, w0 * v + x0 * u, y0 * u + z0 * v, z0 * u - y0 * v] as const;
    const [A, B] = [rotationOf(given), matrixOf(rpyOf(given))];
    for (const k of [0, 1, 2]) for (const j of [0, 1, 2]) worst = Math.max(worst, Math.abs(A[k][j] - B[k][j]));
  }
  expect(worst).toBeLessThan(3e-15);
});
