import type { JointDescription, RobotDescription } from '../../src/core/kinematics/robotModel.ts';
import { Random } from '../../src/core/math/random.ts';

/** Largest deviation of the origins of an arm: metres and radians per axis, more than published calibrations have. */
const DEVIATION = { shift: 0.002, turn: 0.006 };

/** Returns an arm whose six revolute joints have origins that deviate at random, as calibrated arms do. */
export function deviatingArm(robot: RobotDescription, seed: number, { shift, turn } = DEVIATION): RobotDescription {
  const random = new Random(seed);
  const triple = (size: number) => [0, 1, 2].map(() => random.between(-size, size));
  const deviating = (joint: JointDescription): JointDescription => {
    if (joint.type === 'fixed') return joint;
    const { xyz, quat_wxyz: [w, x, y, z] } = joint.origin; // biome-ignore format: one line
    const [dx, dy, dz] = triple(shift);
    const [a, b, c] = triple(turn / 2);
    // The product with the quaternion 1 + a i + b j + c k, normalized.
    const turned = [
      w - x * a - y * b - z * c,
      x + w * a + y * c - z * b,
      y + w * b + z * a - x * c,
      z + w * c + x * b - y * a,
    ];
    const length = Math.hypot(...turned);
    const quat_wxyz = turned.map((value) => value / length) as unknown as JointDescription['origin']['quat_wxyz'];
    return { ...joint, origin: { xyz: [xyz[0] + dx, xyz[1] + dy, xyz[2] + dz], quat_wxyz } };
  };
  return { ...robot, joints: robot.joints.map(deviating) };
}

/** Origins of a calibration, invented, in the form of the files of the driver. */
export const UR5E_CALIBRATION = {
  shoulder: { x: 0, y: 0, z: 0.1627, roll: 0, pitch: 0, yaw: 5.7e-8 },
  upper_arm: { x: 0.0002, y: 0, z: 0, roll: 1.5713, pitch: 0, yaw: 1.1e-6 },
  forearm: { x: -0.4251, y: 0.0001, z: 0, roll: 0.0014, pitch: -0.0004, yaw: 4.6e-6 },
  wrist_1: { x: -0.3926, y: -0.0004, z: 0.1331, roll: 0.003, pitch: -0.0012, yaw: -2.6e-6 },
  wrist_2: { x: -7e-6, y: -0.0996, z: -3e-7, roll: 1.5708, pitch: 0, yaw: 1.3e-6 },
  wrist_3: { x: 1.4e-5, y: 0.0995, z: 9.5e-5, roll: 1.5717, pitch: Math.PI, yaw: 3.1415925 },
};

/** Returns the text of a calibration, a line per part; values that are undefined are left out. */
export function calibrationText(parts: Readonly<Record<string, unknown>>, hash = 'hash: calib_123'): string {
  const lines = Object.entries(parts).flatMap(([part, values]) =>
    values === undefined ? [] : [`  ${part}: ${JSON.stringify(values).replace(/"\.(nan|inf)"/g, '.$1')}`],
  );
  return ['kinematics:', ...lines, ...(hash === '' ? [] : [`  ${hash}`]), ''].join('\n');
}
