import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import {
  forwardKinematics,
  jacobian,
  poseMovingLinks,
  RobotState,
} from '../../../src/core/kinematics/forwardKinematics.ts';
import type { JointDescription, Pose, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { randomPose, randomRobot } from '../../helpers/robots.ts';

type Matrix = number[][];

/** 4 × 4 matrices the plain way, with the engine's own sine: shares nothing with the code under test. */
const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
const translation = ([x, y, z]: readonly number[]): Matrix => [
  [1, 0, 0, x],
  [0, 1, 0, y],
  [0, 0, 1, z],
  [0, 0, 0, 1],
];
function turn([x, y, z]: readonly number[], angle: number): Matrix {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const C = 1 - c;
  return [
    [c + x * x * C, x * y * C - z * s, x * z * C + y * s, 0],
    [y * x * C + z * s, c + y * y * C, y * z * C - x * s, 0],
    [z * x * C - y * s, z * y * C + x * s, c + z * z * C, 0],
    [0, 0, 0, 1],
  ];
}
function placed({ xyz, quat_wxyz: [w, ...v] }: Pose): Matrix {
  const length = Math.hypot(w, ...v);
  const sine = Math.hypot(...v) / length;
  const axis = sine > 0 ? v.map((x) => x / length / sine) : [1, 0, 0];
  return times(translation(xyz), turn(axis, 2 * Math.atan2(sine, w / length)));
}

function poseOf(robot: RobotDescription, link: string, values: Map<string, number>, base: Pose): Matrix {
  const joint = robot.joints.find((one) => one.child === link);
  if (!joint) return placed(base);
  const value = joint.type === 'fixed' ? 0 : jointValue(robot, joint, values);
  const motion = joint.type === 'prismatic' ? translation(joint.axis.map((a) => a * value)) : turn(joint.axis, value);
  return times(times(poseOf(robot, joint.parent, values, base), placed(joint.origin)), motion);
}

function jointValue(robot: RobotDescription, joint: JointDescription, values: Map<string, number>): number {
  if (!joint.mimic) return values.get(joint.name)!;
  const leader = robot.joints.find((one) => one.name === joint.mimic!.joint)!;
  return joint.mimic.multiplier * jointValue(robot, leader, values) + joint.mimic.offset;
}

test('every link of random trees is where a product of plain matrices puts it, planned, fixed and following joints alike', () => {
  const random = new Random(2);
  for (let k = 0; k < 60; k++) {
    const description = randomRobot(random, 1 + random.below(9));
    const free = description.joints
      .filter((joint) => joint.type !== 'fixed' && !joint.mimic)
      .map((joint) => joint.name);
    const planned = free.filter((_, i) => (i + k) % 3 !== 0).reverse();
    const values = new Map(free.map((name) => [name, random.between(-2, 2)]));
    const fixed = Object.fromEntries(
      free.filter((name) => !planned.includes(name)).map((name) => [name, values.get(name)!]),
    );
    const pose = randomPose(random, 1);
    const model = createRobotModel(description, { joints: planned, fixed, pose });
    const state = new RobotState(model);
    forwardKinematics(
      state,
      Float64Array.from(planned, (name) => values.get(name)!),
    );
    for (const link of model.links) {
      const expected = poseOf(description, link.name, values, pose).slice(0, 3).flat();
      const off = Math.max(...expected.map((x, i) => Math.abs(x - state.T_world_link[link.index][i])));
      expect(off, `robot ${k}, ${link.name}`).toBeLessThan(2e-14);
    }
  }
});

test('posing only what moves gives the same poses for the links that joints move', () => {
  const model = createRobotModel(randomRobot(new Random(8), 9));
  const [all, moving] = [new RobotState(model), new RobotState(model)];
  const q = new Float64Array(model.dof).fill(0.3);
  forwardKinematics(all, q);
  poseMovingLinks(moving, q);
  const links = model.joints.filter((joint) => joint.variable >= 0).map((joint) => joint.child);
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) expect(moving.T_world_link[link]).toEqual(all.T_world_link[link]);
});

test('the Jacobian is the derivative of the pose: central differences of random trees', () => {
  const random = new Random(6);
  const step = 1e-6;
  for (let k = 0; k < 20; k++) {
    const model = createRobotModel(randomRobot(random, 6));
    if (model.dof === 0) continue;
    const state = new RobotState(model);
    const q = Float64Array.from({ length: model.dof }, () => random.between(-1, 1));
    const link = model.links.length - 1;
    forwardKinematics(state, q);
    const T = Float64Array.from(state.T_world_link[link]);
    const J = new Float64Array(6 * model.dof);
    jacobian(J, state, link, Float64Array.of(T[3], T[7], T[11]));
    for (let j = 0; j < model.dof; j++) {
      const ends = [1, -1].map((sign) => {
        const moved = Float64Array.from(q);
        moved[j] += sign * step;
        forwardKinematics(state, moved);
        return Float64Array.from(state.T_world_link[link]);
      });
      const D = T.map((_, i) => (ends[0][i] - ends[1][i]) / (2 * step));
      // Ṙ Rᵀ = [ω]×
      const omega = (row: number, column: number) =>
        [0, 1, 2].reduce((sum, i) => sum + D[4 * row + i] * T[4 * column + i], 0);
      const expected = [D[3], D[7], D[11], omega(2, 1), omega(0, 2), omega(1, 0)];
      for (let row = 0; row < 6; row++) expect(Math.abs(J[row * model.dof + j] - expected[row])).toBeLessThan(1e-8);
    }
  }
});

test('equal q give equal bytes, whatever was posed before', () => {
  const model = createRobotModel(randomRobot(new Random(4), 7));
  const [one, other] = [new RobotState(model), new RobotState(model)];
  const q = Float64Array.from({ length: model.dof }, (_, i) => 0.1 * i - 0.2);
  forwardKinematics(one, new Float64Array(model.dof));
  forwardKinematics(one, q);
  forwardKinematics(other, q);
  expect(one.poses).toEqual(other.poses);
});

test('a q of the wrong length is refused', () => {
  const model = createRobotModel(randomRobot(new Random(4), 7));
  expect(() => forwardKinematics(new RobotState(model), new Float64Array(model.dof + 1))).toThrowError(
    /planned joints/,
  );
});
