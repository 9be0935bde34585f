import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { motionFaults } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';

const points = [0, 1].map((x) => ({ time_from_start: x, positions: [x], velocities: [0] }));

test('limits that are negative, 0 or NaN are kept by no motion', () => {
  const limits = { lower: [-9], upper: [9], velocity: [9], acceleration: [9], jerk: [99] };
  const kinds = (changed: Partial<typeof limits>) =>
    motionFaults({ jointNames: ['a'], points }, { ...limits, ...changed }).map(({ kind }) => kind);
  expect(kinds({})).toEqual([]);
  for (const value of [-1, -1e9, 0, Number.NaN, Number.NEGATIVE_INFINITY])
    for (const kind of ['velocity', 'acceleration', 'jerk'])
      expect(kinds({ [kind]: [value] }), `${kind} ${value}`).toContain(kind);
});

test('scales of limits are above 0 and at most 1', () => {
  const robot = createRobotModel({
    name: 'slide',
    root: 'base',
    links: ['base', 'cart'].map((name) => ({ name, collisions: [] })),
    joints: [
      {
        name: 'a',
        type: 'prismatic',
        parent: 'base',
        child: 'cart',
        origin: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
        axis: [1, 0, 0],
        velocity: 2,
      },
    ],
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  });
  expect(motionLimitsOf(robot, { speed: 0.5, acceleration: 1 })).toMatchObject({ velocity: [1], acceleration: [8] });
  for (const scale of [0, -1, 1.1, 5, Number.NaN])
    for (const key of ['speed', 'acceleration'])
      expect(() => motionLimitsOf(robot, { [key]: scale }), `${key} ${scale}`).toThrow(`scene: ${key} is ${scale}`);
});
