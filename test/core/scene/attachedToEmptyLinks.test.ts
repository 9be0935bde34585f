import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { JointType, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { allowedPairs } from '../../../src/core/scene/allowedCollisions.ts';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { sceneOf } from '../../helpers/robots.ts';

const at = (x: number, y: number) => ({ xyz: [x, y, 0] as const, quat_wxyz: [1, 0, 0, 0] as const });
const cube = (size: number) => ({ type: 'box', size: [size, size, size] });

/** A post 0.5 m along y from an axis z, about which links without geometry turn: wrist, then tip. */
function turntable(tip: JointType): RobotDescription {
  const joint = { origin: IDENTITY_POSE, axis: [0, 0, 1] as const, lower: -3, upper: 3, velocity: 1, acceleration: 1 };
  return {
    name: 'turntable',
    root: 'post',
    links: [
      { name: 'post', collisions: [{ shape: cube(0.1), pose: at(0, 0.5), triangles: 0, source: 0 }] },
      { name: 'wrist', collisions: [] },
      { name: 'tip', collisions: [] },
    ],
    joints: [
      { ...joint, name: 'turn', type: 'revolute', parent: 'post', child: 'wrist' },
      { ...joint, name: 'flange', type: tip, parent: 'wrist', child: 'tip' },
    ],
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  };
}

const part = { name: 'part', link: 'tip', touches: [], pose: at(0.5, 0), parts: [{ shape: cube(0.1) }] };

test('an object on a link without geometry is checked against the solid link beyond a joint that moves', () => {
  const robot = createRobotModel(turntable('fixed'));
  const scene = { ...sceneOf([]), attached: [part] };
  const check = createTrajectoryChecker(robot, new CollisionManager(new CollisionModel(robot, scene)));
  const to = (angle: number) => ({
    jointNames: ['turn'],
    points: [0, angle].map((q, i) => ({ positions: [q], velocities: [0], time_from_start: 9 * i })),
  });
  expect(check(to(1))).toMatchObject({ valid: true });
  expect(check(to(2))).toMatchObject({ valid: false, collision: { pair: ['post', 'part'] } });
});

test('it may touch the nearest solid link that is joined to its own by fixed joints', () => {
  const onPost = {
    ...turntable('fixed'),
    joints: turntable('fixed').joints.map((one) => ({ ...one, type: 'fixed' as const })),
  };
  const has = (robot: RobotDescription) =>
    allowedPairs(robot, { allow: [], obstacles: [], attached: [part] }).has('part', 'post');
  expect([has(onPost), has(turntable('fixed')), has(turntable('revolute'))]).toEqual([true, false, false]);
});
