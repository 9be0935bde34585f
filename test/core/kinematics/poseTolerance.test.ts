import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { InverseKinematics } from '../../../src/core/kinematics/inverseKinematics.ts';
import { type AngleTolerance, sampledTarget, transformOfPose } from '../../../src/core/kinematics/pose.ts';
import type { Pose, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { framePose, tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { randomStates } from '../../robots/loaded.ts';

const DEG = Math.PI / 180;
type Four = readonly [number, number, number, number];

/** Rotation vector from pose a to pose b in the axes of a, by quaternions: an oracle that shares nothing with `src`. */
function rotationBetween({ quat_wxyz: a }: Pose, { quat_wxyz: b }: Pose): number[] {
  const [w, x, y, z] = product([a[0], -a[1], -a[2], -a[3]], b);
  const sine = Math.hypot(x, y, z);
  const angle = 2 * Math.atan2(sine, Math.abs(w));
  return [x, y, z].map((c) => (sine === 0 ? 0 : (Math.sign(w || 1) * angle * c) / sine));
}

const product = ([a, b, c, d]: Four, [e, f, g, h]: Four): Four => [
  a * e - b * f - c * g - d * h,
  a * f + b * e + c * h - d * g,
  a * g - b * h + c * e + d * f,
  a * h + b * g - c * f + d * e,
];

function meets(want: Pose, is: Pose, position: number, angle: readonly number[]): boolean {
  const off = Math.hypot(...want.xyz.map((x, i) => x - is.xyz[i]));
  const r = rotationBetween(want, is);
  return off <= position * (1 + 1e-9) && r.every((c, i) => angle[i] >= Math.PI || Math.abs(c) <= angle[i] + 1e-9);
}

const tcp = { pose: { xyz: [0.02, -0.01, 0.14], quat_wxyz: [0.9, 0.1, -0.3, 0.2] } } as const;

function poseAt(model: RobotModel, q: Configuration): Pose {
  const state = new RobotState(model);
  forwardKinematics(state, q);
  return framePose(state, tcpOf(model, tcp));
}

const tolerances: readonly (readonly [string, readonly [number, number, number]])[] = [
  ['a free z axis', [1 * DEG, 1 * DEG, 180 * DEG]],
  ['a free x axis and a wide y axis', [180 * DEG, 40 * DEG, 0.1 * DEG]],
  ['three narrow axes', [0.2 * DEG, 0.3 * DEG, 0.1 * DEG]],
  ['three free axes', [180 * DEG, 180 * DEG, 360 * DEG]],
];

describe.each(['ur5e', 'arm7', 'scara4', 'gantry4'])('%s', async (robot) => {
  const joints = robot === 'gantry4' ? ['x_joint', 'y_joint', 'z_joint', 'yaw_joint'] : undefined;
  const description = await loadRobot(robot);
  const known = new Set(description.joints.map(({ name }) => name));
  const model = createRobotModel(description, {
    joints: joints?.every((name) => known.has(name)) ? joints : undefined,
  });

  test.each(tolerances)('solutions with %s are exactly within the tolerance, and are found', (_, angle) => {
    const random = new Random(7);
    const { link, T_link_frame } = tcpOf(model, tcp);
    const ik = new InverseKinematics(model, link, T_link_frame);
    for (const q of randomStates(model, 25, 3)) {
      const want = poseAt(model, q);
      const options = { tolerance: { position: 1e-5, angle: angle as AngleTolerance }, solutions: 12 };
      const { solutions } = ik.solve(transformOfPose(want), new Float64Array(model.dof), random, options);
      expect(solutions.length).toBeGreaterThan(0);
      for (const one of solutions) expect(meets(want, poseAt(model, one.q), 1e-5, angle)).toBe(true);
    }
  });
});

test('a pose that only another rotation about the free axis reaches is found', async () => {
  // the quill of a SCARA arm points down: any yaw of the goal is reached, a tilted goal is not
  const model = createRobotModel(await loadRobot('scara4'));
  const { link } = tcpOf(model);
  const ik = new InverseKinematics(model, link);
  const [q] = randomStates(model, 1, 5);
  const state = new RobotState(model);
  forwardKinematics(state, q);
  const pose = framePose(state, tcpOf(model));
  const [w, x, y, z] = product(pose.quat_wxyz as Four, [Math.cos(0.4), Math.sin(0.4), 0, 0]);
  const tilted = transformOfPose({ ...pose, quat_wxyz: [w, x, y, z] });
  const near = new Float64Array(model.dof);
  const solve = (angle: AngleTolerance) =>
    ik.solve(tilted, near, new Random(1), { tolerance: { position: 1e-5, angle } }).solutions.length;
  expect(solve([1 * DEG, 1 * DEG, Math.PI])).toBe(0);
  expect(solve([Math.PI, 1 * DEG, Math.PI])).toBeGreaterThan(0);
});

test('a free axis has many solutions: the UR5e reaches a pose with a free yaw in more than eight branches', async () => {
  const model = createRobotModel(await loadRobot('ur5e'));
  const target = transformOfPose({ xyz: [0.4, 0.2, 0.3], quat_wxyz: [0, 1, 0, 0] });
  const ik = new InverseKinematics(model, tcpOf(model).link);
  const found = (angle: AngleTolerance) =>
    ik.solve(target, new Float64Array(6), new Random(1), { tolerance: { position: 1e-4, angle }, solutions: 64 })
      .solutions;
  expect(found([1e-3, 1e-3, 1e-3]).length).toBeLessThanOrEqual(8);
  expect(found([1e-3, 1e-3, Math.PI]).length).toBeGreaterThan(40);
  expect(found([1e-3, 1e-3, Math.PI])).toEqual(found([1e-3, 1e-3, Math.PI]));
});

test('samples stay within the tolerance, start at the target and cover the free axes', () => {
  const pose: Pose = { xyz: [1, 2, 3], quat_wxyz: [0.5, -0.5, 0.5, 0.5] };
  const T = transformOfPose(pose);
  const angle = [0.5, Math.PI, 1e-3] as const;
  expect(sampledTarget(T, angle, 0, 0.05)).toBe(T);
  const seen: number[] = [];
  for (let k = 0; k < 64; k++) {
    const R = sampledTarget(T, angle, k, 0.05);
    // columns of R in the axes of the target
    const D = [0, 1, 2].map((i) =>
      [0, 1, 2].map((j) => [0, 1, 2].reduce((s, m) => s + T[4 * m + i] * R[4 * m + j], 0)),
    );
    const cosine = (D[0][0] + D[1][1] + D[2][2] - 1) / 2;
    const theta = Math.acos(Math.min(1, Math.max(-1, cosine)));
    const f = theta < 1e-9 ? 0.5 : theta / (2 * Math.sin(theta));
    const r = [f * (D[2][1] - D[1][2]), f * (D[0][2] - D[2][0]), f * (D[1][0] - D[0][1])];
    expect(Math.abs(r[0])).toBeLessThanOrEqual(0.5 + 1e-9);
    expect(Math.abs(r[2])).toBeLessThanOrEqual(1e-9);
    seen.push(r[1]);
  }
  const sorted = seen.sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((y, i) => y - sorted[i]);
  expect(Math.max(...gaps, Math.PI - sorted[63], sorted[0] + Math.PI)).toBeLessThan(0.5);
});
