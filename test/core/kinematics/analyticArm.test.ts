import { describe, expect, test } from 'vitest';
import { AnalyticArm } from '../../../src/core/kinematics/analyticArm.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { PoseDescent } from '../../../src/core/kinematics/dampedLeastSquares.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { InverseKinematics } from '../../../src/core/kinematics/inverseKinematics.ts';
import { EXACT_POSE, poseError } from '../../../src/core/kinematics/pose.ts';
import type { RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Transform } from '../../../src/core/math/transform.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { randomStates, UR } from '../../robots/loaded.ts';

const tool = (model: RobotModel) => model.links.findIndex(({ name }) => name === 'tool0');

function poseAt(model: RobotModel, q: Configuration): Transform {
  const state = new RobotState(model);
  forwardKinematics(state, q);
  return state.T_world_link[tool(model)].slice();
}

function errorAt(model: RobotModel, q: Configuration, T: Transform): number {
  const error = new Float64Array(6);
  poseError(error, poseAt(model, q), T);
  return Math.hypot(...error);
}

const same = (a: Configuration, b: Configuration) =>
  a.every((value, i) => Math.abs(Math.sin((value - b[i]) / 2)) < 1e-4);

/** All solutions that descents from many random starts find, without limits. */
function searched(model: RobotModel, T: Transform, starts: number): Configuration[] {
  const descent = new PoseDescent(model, tool(model), 1);
  const anywhere = { lower: new Array(6).fill(-Infinity), upper: new Array(6).fill(Infinity) };
  const found: Configuration[] = [];
  for (const q of randomStates(model, starts, 77)) {
    const left = descent.descend(q, T, anywhere, EXACT_POSE, 100);
    if (left < 1e-20 && !found.some((known) => same(known, q))) found.push(q);
  }
  return found;
}

describe.each(UR)('%s', (name) => {
  const isSearched = name === 'ur5e' || name === 'ur20';
  test.skipIf(!isSearched)('the closed form and a search from 1000 random starts find the same solutions', async () => {
    const model = createRobotModel(await loadRobot(name));
    const arm = AnalyticArm.recognise(model, tool(model))!;
    const counts = [];
    for (const q of randomStates(model, 6, 5)) {
      const T = poseAt(model, q);
      const closed = arm.solutions(T, new Float64Array(6));
      const found = searched(model, T, 1000);
      counts.push(closed.length);
      for (const one of found) expect(closed.some((other) => same(one, other))).toBe(true);
      for (const one of closed) expect(found.some((other) => same(one, other))).toBe(true);
    }
    expect(Math.max(...counts)).toBe(8);
  });

  test('of 500 random states each is among the solutions of its pose, and most poses have eight', async () => {
    const model = createRobotModel(await loadRobot(name));
    const arm = AnalyticArm.recognise(model, tool(model))!;
    let eight = 0;
    for (const q of randomStates(model, 500, 6)) {
      const T = poseAt(model, q);
      const closed = arm.solutions(T, new Float64Array(6));
      expect(closed.some((one) => same(one, q))).toBe(true);
      for (const one of closed) expect(errorAt(model, one, T)).toBeLessThan(1e-6);
      if (closed.length === 8) eight++;
    }
    expect(eight).toBeGreaterThan(300);
  });

  test.each([
    ['fourth and sixth axis parallel', [0.4, -1.1, 1.3, -0.6, 0, 0.8]],
    ['fourth and sixth axis opposite', [0.4, -1.1, 1.3, -0.6, Math.PI, 0.8]],
    ['elbow stretched out', [0.4, -1.1, 0, -0.6, 1.2, 0.8]],
    ['elbow folded', [0.4, -1.1, Math.PI, -0.6, 1.2, 0.8]],
    ['straight up', [0, -Math.PI / 2, 0, -Math.PI / 2, 0, 0]],
    ['all zero', [0, 0, 0, 0, 0, 0]],
  ])('a singular pose is solved: %s', async (_, values) => {
    const model = createRobotModel(await loadRobot(name));
    const T = poseAt(model, Float64Array.from(values));
    const ik = new InverseKinematics(model, tool(model));
    for (const near of [new Float64Array(6), Float64Array.from(values, (value) => value + 0.3)]) {
      const { solutions } = ik.solve(T, near, new Random(1));
      expect(solutions.length).toBeGreaterThan(0);
      for (const { q } of solutions) expect(errorAt(model, q, T)).toBeLessThan(2e-6);
    }
    const { solutions } = ik.solve(T, Float64Array.from(values), new Random(1));
    expect(solutions[0].q.every((value, i) => Math.abs(value - values[i]) < 1e-3)).toBe(true);
  });

  test('a wrist straight above the shoulder, as near to its axis as it can be, is solved', async () => {
    const model = createRobotModel(await loadRobot(name));
    const ik = new InverseKinematics(model, tool(model));
    const { origin } = ik.reach;
    // Search the lift that brings the wrist to the smallest circle around the first axis.
    const radius = (lift: number) => {
      const T = poseAt(model, Float64Array.of(0.2, lift, 1.9, -0.5, 1.3, 0.4));
      const [x, y] = [T[3] - origin.centre[0], T[7] - origin.centre[1]];
      return Math.hypot(x, y);
    };
    let [a, b] = [-3, 0];
    for (let i = 0; i < 100; i++) {
      const [c, d] = [a + (b - a) / 3, b - (b - a) / 3];
      if (radius(c) < radius(d)) b = d;
      else a = c;
    }
    const T = poseAt(model, Float64Array.of(0.2, (a + b) / 2, 1.9, -0.5, 1.3, 0.4));
    const { solutions } = ik.solve(T, new Float64Array(6), new Random(1));
    expect(solutions.length).toBeGreaterThan(0);
    for (const { q } of solutions) expect(errorAt(model, q, T)).toBeLessThan(1e-12);
  });
});

test('names, a base somewhere else, axes the other way round and followers change nothing', async () => {
  const description = await loadRobot('ur5e');
  const joints = description.joints.map((joint) =>
    ['shoulder_lift_joint', 'wrist_1_joint', 'wrist_3_joint'].includes(joint.name)
      ? { ...joint, name: `other_${joint.name}`, axis: [0, 0, -1] as const }
      : joint,
  );
  const mirrored: RobotDescription = { ...description, joints };
  const model = createRobotModel(mirrored, { pose: { xyz: [1, 2, 3], quat_wxyz: [0.5, 0.5, -0.5, 0.5] } });
  const arm = AnalyticArm.recognise(model, tool(model))!;
  for (const q of randomStates(model, 200, 6)) {
    const closed = arm.solutions(poseAt(model, q), new Float64Array(6));
    expect(closed.some((one) => same(one, q))).toBe(true);
  }
});

test('an arm of another build, or one calibrated out of parallel, has no exact closed form and is solved all the same', async () => {
  const description = await loadRobot('ur5e');
  const tilted: RobotDescription = {
    ...description,
    joints: description.joints.map((joint) =>
      joint.name === 'elbow_joint'
        ? { ...joint, origin: { ...joint.origin, quat_wxyz: [1, 3e-4, -2e-4, 1e-4] as const } }
        : joint,
    ),
  };
  const model = createRobotModel(tilted);
  expect(AnalyticArm.recognise(model, tool(model))!.isExact).toBe(false);
  const ik = new InverseKinematics(model, tool(model));
  for (const [k, q] of randomStates(model, 100, 9).entries()) {
    const T = poseAt(model, q);
    const { solutions } = ik.solve(T, new Float64Array(6), new Random(k), { solutions: 1 });
    expect(errorAt(model, solutions[0].q, T)).toBeLessThan(2e-6);
  }
  for (const [name, link] of [
    ['arm7', 'flange'],
    ['scara4', 'tool'],
  ]) {
    const other = createRobotModel(await loadRobot(name));
    expect(
      AnalyticArm.recognise(
        other,
        other.links.findIndex((one) => one.name === link),
      ),
    ).toBeUndefined();
  }
  const joints = ['shoulder_lift_joint', 'elbow_joint', 'wrist_1_joint', 'wrist_2_joint', 'wrist_3_joint'];
  const five = createRobotModel(description, { joints });
  expect(AnalyticArm.recognise(five, tool(five))).toBeUndefined();
});
