import { describe, expect, test } from 'vitest';
import { baseMessages, type RobotBase, withBase } from '../../../src/core/kinematics/composition/robotBase.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../../src/core/kinematics/pose.ts';
import type { Pose, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import { loadRobot } from '../../../src/host/node/robots.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';

const arm = await loadRobot('scara4');
const armJoints = createRobotModel(arm).variables.map(({ name }) => name);

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

// The oracle: the pose of a base in matrices, without the kinematics that it judges.
const times = (a: Matrix, b: Matrix) =>
  a.map((row) => [0, 1, 2].map((j) => row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j])) as never as Matrix;
const aboutX = (t: number): Matrix => [
  [1, 0, 0],
  [0, Math.cos(t), -Math.sin(t)],
  [0, Math.sin(t), Math.cos(t)],
];
const aboutY = (t: number): Matrix => [
  [Math.cos(t), 0, Math.sin(t)],
  [0, 1, 0],
  [-Math.sin(t), 0, Math.cos(t)],
];
const aboutZ = (t: number): Matrix => [
  [Math.cos(t), -Math.sin(t), 0],
  [Math.sin(t), Math.cos(t), 0],
  [0, 0, 1],
];
const half = (t: number) => [Math.cos(t / 2), Math.sin(t / 2)];
/** Quaternion of Rz(yaw) · Ry(pitch) · Rx(roll), by the formula of textbooks. */
function quaternion(yaw: number, pitch: number, roll: number): Pose['quat_wxyz'] {
  const [[cy, sy], [cp, sp], [cr, sr]] = [half(yaw), half(pitch), half(roll)];
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}

interface Case {
  readonly base: RobotBase;
  readonly joints: readonly string[];
  /** Random values of the joints of the base, and the pose that they mean. */
  readonly sample: (random: Random) => { readonly values: number[]; readonly pose: Pose };
}

const cases: Record<string, Case> = {
  rail: {
    base: { type: 'rail', axis: [0, 3, 4], range: [-2, 2] },
    joints: ['base_rail'],
    sample(random) {
      const s = random.between(-2, 2);
      return { values: [s], pose: { xyz: [0, 0.6 * s, 0.8 * s], quat_wxyz: [1, 0, 0, 0] } };
    },
  },
  planar: {
    base: { type: 'planar', x: [-1, 1], y: [-2, 2] },
    joints: ['base_x', 'base_y', 'base_theta'],
    sample(random) {
      const [x, y, theta] = [random.between(-1, 1), random.between(-2, 2), random.between(-7, 7)];
      return { values: [x, y, theta], pose: { xyz: [x, y, 0], quat_wxyz: quaternion(theta, 0, 0) } };
    },
  },
  floating: {
    base: { type: 'floating', z: [0, 1] },
    joints: ['base_x', 'base_y', 'base_z', 'base_yaw', 'base_pitch', 'base_roll'],
    sample(random) {
      const [x, y, z] = [random.between(-1, 1), random.between(-1, 1), random.between(0, 1)];
      const [yaw, pitch, roll] = [random.between(-3, 3), random.between(-1.5, 1.5), random.between(-3, 3)];
      const pose = { xyz: [x, y, z], quat_wxyz: quaternion(yaw, pitch, roll) } as const;
      return { values: [x, y, z, yaw, pitch, roll], pose };
    },
  },
};

const sceneOf = (pose: Pose = IDENTITY_POSE): Scene => ({
  name: 'posts',
  robot: { packages: {}, fixed: {}, limits: {}, pose, parts: 'hull' },
  goals: [],
  equivalent: false,
  obstacles: [-1, 0, 1].map((x) => ({
    name: `post ${x}`,
    parts: [{ shape: { type: 'box', size: [0.1, 0.1, 0.6] } as const }],
    pose: { ...IDENTITY_POSE, xyz: [x, 0.5, 0.3] },
  })),
  attached: [],
  allow: [],
  padding: 0,
});

function stateOf(robot: RobotDescription, q: number[], pose?: Pose) {
  const model = createRobotModel(robot, pose === undefined ? {} : { pose });
  const state = new RobotState(model);
  forwardKinematics(state, Float64Array.from(q));
  return { model, state };
}

describe.each(Object.entries(cases))('a base of type %s', (_, { base, joints, sample }) => {
  const robot = withBase(arm, base);
  const random = new Random(1, joints.length);
  const armValues = () => armJoints.map(() => random.between(-1, 1) * 0.2);

  test('has its joints first, and moves all links as the pose of the robot would', () => {
    expect(createRobotModel(robot).variables.map(({ name }) => name)).toEqual([...joints, ...armJoints]);
    for (let n = 0; n < 200; n++) {
      const { values, pose } = sample(random);
      const q = armValues();
      const moved = stateOf(robot, [...values, ...q]);
      const posed = stateOf(arm, q, pose);
      for (const [i, { name }] of posed.model.links.entries()) {
        const own = moved.state.T_world_link[moved.model.links.findIndex((link) => link.name === name)];
        for (const [k, value] of posed.state.T_world_link[i].entries())
          expect(Math.abs(own[k] - value)).toBeLessThan(1e-12);
      }
    }
  });

  test('states are valid where the robot is at the pose, and as far from the obstacles', () => {
    const checker = new StateValidityChecker(createRobotModel(robot), sceneOf());
    const verdicts = [0, 0];
    for (let n = 0; n < 300; n++) {
      const { values, pose } = sample(random);
      const q = armValues();
      const model = createRobotModel(arm, { pose });
      const posed = new StateValidityChecker(model, sceneOf(pose));
      const expected = posed.isValid(q);
      expect(checker.isValid([...values, ...q])).toBe(expected);
      expect(checker.clearance([...values, ...q]).distance).toBeCloseTo(posed.clearance(q).distance, 9);
      verdicts[Number(expected)]++;
    }
    expect(Math.min(...verdicts)).toBeGreaterThan(10);
  });

  test('motions that are proved valid are valid at all samples', () => {
    const checker = new StateValidityChecker(createRobotModel(robot), sceneOf());
    const verdicts = [0, 0];
    for (let n = 0; n < 100; n++) {
      const from = [...sample(random).values, ...armValues()];
      const to = from.map((x) => x + random.between(-0.3, 0.3));
      const proved = checker.isValidMotion(from, to);
      verdicts[Number(proved)]++;
      for (let i = 0; proved && i <= 50; i++)
        expect(checker.isValid(from.map((x, j) => x + (i / 50) * (to[j] - x)))).toBe(true);
    }
    expect(Math.min(...verdicts)).toBeGreaterThan(5);
  });
});

test('the quaternions of the oracle are its rotations', () => {
  const R = times(times(aboutZ(0.3), aboutY(-0.8)), aboutX(1.1));
  const [w, x, y, z] = quaternion(0.3, -0.8, 1.1);
  expect(2 * (x * y - w * z)).toBeCloseTo(R[0][1], 12);
  expect(2 * (x * z - w * y)).toBeCloseTo(R[2][0], 12);
  expect(1 - 2 * (x * x + y * y)).toBeCloseTo(R[2][2], 12);
});

test('bases extend every group, are kept by their values, and refuse names that are taken', () => {
  const grouped = { ...arm, groups: { hand: [armJoints[0]] } };
  const robot = withBase(grouped, { type: 'planar' });
  expect(robot.groups).toEqual({ hand: ['base_x', 'base_y', 'base_theta', armJoints[0]] });
  expect(withBase(grouped, { type: 'planar' })).toBe(robot);
  expect(withBase(grouped, { type: 'planar', x: [0, 1] })).not.toBe(robot);
  expect(() => withBase(robot, { type: 'planar' })).toThrow('has a link "base_origin" already');
  const taken = { ...arm, joints: arm.joints.map((joint, i) => (i === 0 ? { ...joint, name: 'base_rail' } : joint)) };
  expect(() => withBase(taken, { type: 'rail', axis: [1, 0, 0] })).toThrow('has a joint "base_rail" already');
  expect(poseOfTransform(stateOf(robot, [0, 0, 0, 0, 0, 0, 0]).state.T_world_link[0])).toEqual(IDENTITY_POSE);
});

test('a list of joints without those of the base is a warning, unless they are fixed', () => {
  const base = { type: 'planar' } as const;
  expect(baseMessages('arm', { base, joints: ['base_x', 'lift'], fixed: { base_y: 1 } })).toEqual([
    'robot "arm": its base stays with base_theta at 0: robot.joints does not list them',
  ]);
  const rail = { type: 'rail', axis: [0, 1, 0], range: [-3, -2] } as const;
  expect(baseMessages('arm', { base: rail, joints: ['lift'], fixed: {} })).toEqual([
    'robot "arm": its base stays with base_rail at -2: robot.joints does not list them', // the end nearest to 0
  ]);
  const model = createRobotModel(withBase(arm, rail), { joints: armJoints });
  expect(model.joints.find(({ name }) => name === 'base_rail')?.offset).toBe(-2);
  expect(baseMessages('arm', { base, fixed: {} })).toEqual([]);
  expect(baseMessages('arm', { joints: ['lift'], fixed: {} })).toEqual([]);
});

test('a robot with a plane, which would move with it, has no base', () => {
  const plane = { type: 'halfspace', normal: [0, 0, 1] } as const;
  const floor = { name: 'world', collisions: [{ shape: plane, pose: IDENTITY_POSE, triangles: 0, source: 0 }] };
  const joints = [{ ...arm.joints[0], name: 'weld', type: 'fixed' as const, parent: 'world', child: arm.root }];
  const robot = { ...arm, root: 'world', links: [floor, ...arm.links], joints: [...joints, ...arm.joints] };
  expect(() => withBase(robot, { type: 'floating' })).toThrow('link "world" of "scara4" has a plane, which would move');
});
