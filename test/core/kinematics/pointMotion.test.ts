import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { PointMotion } from '../../../src/core/kinematics/pointMotion.ts';
import type { JointDescription, RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { framePose, tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { randomStates } from '../../robots/loaded.ts';

/** Two parallel joints: links of lengths 0.5 and 0.4 in a plane. */
function planarArm(): RobotModel {
  const joint = (name: string, parent: string, child: string, x: number): JointDescription => ({
    ...{ name, parent, child, type: 'revolute', axis: [0, 0, 1], lower: -9, upper: 9, velocity: 9, acceleration: 9 },
    origin: { ...IDENTITY_POSE, xyz: [x, 0, 0] },
  });
  const joints = [joint('one', 'base', 'upper', 0), joint('two', 'upper', 'lower', 0.5)];
  const links = ['base', 'upper', 'lower'].map((name) => ({ name, collisions: [], visuals: [] }));
  const description = { name: 'planar', links, joints, root: 'base', states: {}, allowed: [], warnings: [] };
  return createRobotModel(description as unknown as RobotDescription);
}

test('the bound on the third derivative holds where it is tight: parallel joints at constant rates', () => {
  const point = new PointMotion(planarArm(), {
    link: 2,
    T_link_frame: Float64Array.of(1, 0, 0, 0.4, 0, 1, 0, 0, 0, 0, 1, 0),
  });
  const zero = new Float64Array(2);
  const random = new Random(3);
  for (let round = 0; round < 500; round++) {
    const [q1, q2] = [random.between(-3, 3), round % 2 === 0 ? 0 : random.between(-3, 3)];
    const [w1, w2] = [random.between(-2, 2), random.between(-2, 2)];
    const half = round % 3 === 0 ? 1e-6 : random.between(0, 1);
    const velocity = Float64Array.of(w1, w2);
    const speeds = velocity.map(Math.abs);
    const motion = {
      q: Float64Array.of(q1, q2),
      velocity,
      acceleration: zero,
      maxVelocity: speeds,
      maxAcceleration: zero,
      maxJerk: zero,
    };
    point.speedBound(motion, half);
    // p = 0.5 exp(i θ1) + 0.4 exp(i (θ1 + θ2))
    const jerkAt = (t: number) => {
      const [a, b] = [0.5 * w1 ** 3, 0.4 * (w1 + w2) ** 3];
      return Math.sqrt(a * a + b * b + 2 * a * b * Math.cos(q2 + t * w2));
    };
    for (let i = -20; i <= 20; i++) expect(jerkAt((half * i) / 20)).toBeLessThanOrEqual(point.maxJerk * (1 + 1e-12));
    const isTight = q2 === 0 && half < 1e-5 && w1 * w2 > 0;
    if (isTight) expect(point.maxJerk).toBeLessThan(jerkAt(0) * (1 + 1e-4));
  }
});

const tcp = { pose: { xyz: [0.1, -0.05, 0.2], quat_wxyz: [1, 0, 0, 0] } } as const;

describe.each(['ur5e', 'arm7', 'scara4', 'gantry4'])('%s', async (robot) => {
  const model = createRobotModel(await loadRobot(robot), {
    pose: { xyz: [3, -2, 1], quat_wxyz: [0.5, 0.5, 0.5, 0.5] },
  });
  const frame = tcpOf(model, tcp);
  const point = new PointMotion(model, frame);
  const state = new RobotState(model);
  const random = new Random(11);
  const drawn = (most: number) => Float64Array.from({ length: model.dof }, () => random.between(-most, most));

  test('velocity and acceleration are the derivatives of the position, and the bound holds over the interval', () => {
    for (const [round, q0] of randomStates(model, 60, 4).entries()) {
      const [v0, a0, j0] = [drawn(2), drawn(5), drawn(round % 2 === 0 ? 20 : 0)];
      const half = [0.3, 0.05, 0.004][round % 3];
      const qAt = (t: number) => q0.map((q, i) => q + t * (v0[i] + t * (a0[i] / 2 + (t * j0[i]) / 6)));
      const at = (t: number) => {
        forwardKinematics(state, qAt(t));
        return framePose(state, frame).xyz;
      };
      const speed = (t: number, h = 1e-5) => {
        const [a, b] = [at(t - h), at(t + h)];
        return [0, 1, 2].map((i) => (b[i] - a[i]) / (2 * h));
      };
      const grid = Array.from({ length: 201 }, (_, i) => (half * (i - 100)) / 100);
      const most = (f: (t: number, i: number) => number) =>
        Float64Array.from({ length: model.dof }, (_, i) => Math.max(...grid.map((t) => Math.abs(f(t, i)))));
      const motion = {
        q: q0,
        velocity: v0,
        acceleration: a0,
        maxVelocity: most((t, i) => v0[i] + t * (a0[i] + (t * j0[i]) / 2)),
        maxAcceleration: most((t, i) => a0[i] + t * j0[i]),
        maxJerk: j0.map(Math.abs),
      };
      const bound = point.speedBound(motion, half);
      const h = 1e-4;
      for (let i = 0; i < 3; i++) {
        expect(point.velocity[i]).toBeCloseTo(speed(0)[i], 6);
        expect(point.acceleration[i]).toBeCloseTo((speed(h)[i] - speed(-h)[i]) / (2 * h), 3);
      }
      const fastest = Math.max(...grid.map((t) => Math.hypot(...speed(t))));
      expect(fastest).toBeLessThanOrEqual(bound * (1 + 1e-6));
      if (half < 0.01) expect(bound).toBeLessThan(fastest + 0.02);
    }
  });
});
