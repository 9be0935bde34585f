import { expect, test } from 'vitest';
import { CollisionManager } from '../../src/collision/collisionManager.ts';
import { CollisionModel } from '../../src/collision/collisionModel.ts';
import { createRobotModel } from '../../src/kinematics/createRobotModel.ts';
import type { JointDescription, RobotDescription } from '../../src/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../src/scene/scene.ts';
import { nearestFreeState } from '../../src/tasks/nearestFree.ts';

const slide = (name: string, parent: string, child: string, axis: JointDescription['axis']): JointDescription => ({
  name,
  type: 'prismatic',
  parent,
  child,
  origin: IDENTITY_POSE,
  axis,
  lower: -1,
  upper: 1,
});
/** A ball of 0.1 m that slides anywhere in a plane. */
const description: RobotDescription = {
  name: 'slider',
  root: 'base',
  links: [
    { name: 'base', collisions: [] },
    { name: 'carriage', collisions: [] },
    {
      name: 'ball',
      collisions: [{ shape: { type: 'sphere', radius: 0.1 }, pose: IDENTITY_POSE, triangles: 0, source: 0 }],
    },
  ],
  joints: [slide('x', 'base', 'carriage', [1, 0, 0]), slide('y', 'carriage', 'ball', [0, 1, 0])],
  allowed: [],
  states: {},
  groups: {},
  warnings: [],
};
const robot = createRobotModel(description);

function managerOf(radius: number, padding = 0): CollisionManager {
  const parts = [{ shape: { type: 'sphere', radius } }];
  const obstacles = [{ name: 'post', parts, pose: IDENTITY_POSE }];
  return new CollisionManager(new CollisionModel(robot, { obstacles, attached: [], allow: [], padding }));
}

test.each([
  [0.2, 0, [0.25, 0], 0.05],
  [0.2, 0.02, [0, -0.1], 0.22],
  [0.5, 0, [0.3, 0.3], 0.6 - Math.hypot(0.3, 0.3)],
])(
  'out of a post of %d m with padding %d, from %j, it is %d away: found to a tenth, never nearer',
  (radius, padding, from, true_) => {
    const manager = managerOf(radius, padding);
    const found = nearestFreeState(robot, manager, Float64Array.from(from))!;
    expect(manager.isCollisionFree(found.q)).toBe(true);
    expect(found.distance).toBeGreaterThan(true_);
    expect(found.distance).toBeLessThan(1.1 * true_);
    expect(found.distance).toBeCloseTo(Math.hypot(found.q[0] - from[0], found.q[1] - from[1]), 12);
  },
);

test('where nothing is free within limits, nothing is found', () => {
  expect(nearestFreeState(robot, managerOf(2), Float64Array.of(0, 0))).toBeUndefined();
});
