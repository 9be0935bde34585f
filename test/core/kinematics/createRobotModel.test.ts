import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';

const origin = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
const joint = (
  name: string,
  child: string,
  parent: string,
  more: Partial<JointDescription> = {},
): JointDescription => ({
  name,
  type: 'revolute',
  parent,
  child,
  origin,
  axis: [0, 0, 1],
  lower: -1,
  upper: 2,
  velocity: 3,
  ...more,
});
const arm: RobotDescription = {
  name: 'arm',
  root: 'a',
  links: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, collisions: [] })),
  joints: [
    joint('late', 'c', 'b'), // hangs on a joint further down the file
    joint('early', 'b', 'a', { lower: 0.5 }),
    joint('finger', 'd', 'c', { type: 'prismatic', lower: 0, upper: 0.04, velocity: undefined as never }),
    joint('twin', 'e', 'd', { type: 'prismatic', mimic: { joint: 'finger', multiplier: -2, offset: 0.1 } }),
  ],
  allowed: [],
  states: {},
  groups: {},
  warnings: [],
};

test('planned joints are by default all that move by themselves, in the order of the file', () => {
  expect(createRobotModel(arm).variables.map((one) => one.name)).toEqual(['late', 'early', 'finger']);
});

test('links are sorted parents first, and every link but the root has one joint above it', () => {
  const { links, joints } = createRobotModel(arm);
  for (const link of links.slice(1)) {
    expect(link.parent).toBeLessThan(link.index);
    expect(joints[link.joint]).toMatchObject({ child: link.index, parent: link.parent });
  }
  expect(links[0]).toMatchObject({ name: 'a', parent: -1, joint: -1 });
});

test('a joint that is not planned is fixed at 0, at the nearest limit, or at the given value', () => {
  expect(createRobotModel(arm, { joints: ['late'] }).fixed).toEqual({ early: 0.5, finger: 0 });
  expect(createRobotModel(arm, { joints: ['late'], fixed: { finger: 0.065 } }).fixed).toEqual({
    early: 0.5,
    finger: 0.065,
  });
});

test('a follower takes its leader’s value, planned or fixed', () => {
  const twin = (model: ReturnType<typeof createRobotModel>) => model.joints.find((one) => one.name === 'twin');
  expect(twin(createRobotModel(arm))).toMatchObject({ variable: 2, multiplier: -2, offset: 0.1 });
  expect(twin(createRobotModel(arm, { joints: ['late'], fixed: { finger: 0.02 } }))).toMatchObject({
    variable: -1,
    offset: expect.closeTo(0.06, 15),
  });
});

test('an acceleration that nobody states is four times the velocity limit, and is marked so; stated limits win over the file', () => {
  const { variables } = createRobotModel(arm, { limits: { early: { acceleration: 7, velocity: 1 } } });
  expect(variables[0]).toMatchObject({
    accelerationAssumed: true,
    limits: { velocity: 3, acceleration: 12, jerk: Number.POSITIVE_INFINITY },
  });
  expect(variables[1]).toMatchObject({
    accelerationAssumed: false,
    limits: { velocity: 1, acceleration: 7, lower: 0.5 },
  });
  expect(variables[2].limits.velocity).toBe(1.5); // of its mimic joint: 3 / 2
});

test.each([
  [{ joints: ['lat'] }, /no joint "lat"/, /"late"/],
  [{ joints: ['twin'] }, /follows "finger"/, /"finger"/],
  [{ joints: ['late', 'late'] }, /twice/, /once/],
  [{ joints: ['late'], fixed: { late: 1 } }, /is planned/, /Leave it out/],
  [{ limits: { elbow: { velocity: 1 } } }, /no joint "elbow"/, /late/],
])('what cannot be planned is refused with the way out: %j', (options, message, note) => {
  expect(() => createRobotModel(arm, options)).toThrowError(
    expect.objectContaining({ message: expect.stringMatching(message), note: expect.stringMatching(note) }),
  );
});
