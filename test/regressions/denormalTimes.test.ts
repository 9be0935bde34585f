// Times that differ by the smallest numbers have no middle: proofs of such motions left a gap, which ended in a bug.
import { expect, test } from 'vitest';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import type { CheckedScene } from '../../src/core/scene/scene.ts';
import { certifyTrajectory } from '../../src/tasks/checking/certifyTrajectory.ts';
import { Recertifier } from '../../src/tasks/checking/recertify.ts';
import { at, body, joint, link, robotOf } from '../core/certificate/worlds.ts';

test.each([[[0, 5e-324]], [[5e-324, 1e-323]]])('a motion at the times %j has no certificate', (times) => {
  const robot = robotOf(
    [link('rail'), link('slider', [{ type: 'box', size: [0.2, 0.2, 0.2] }])],
    [joint('prismatic', ['rail', 'slider'], [1, 0, 0], { lower: -1, upper: 2, velocity: 1, acceleration: 4 })],
  );
  const wall = body('wall', at(0.5, 0.5, 0), { type: 'box', size: [4, 0.1, 1] });
  const scene: CheckedScene = { obstacles: [wall], attached: [], allow: [], padding: 0, start: [0] };
  const points = times.map((time_from_start, i) => ({ positions: [0.1 * i], time_from_start }));
  const trajectory = { jointNames: robot.variables.map(({ name }) => name), points };
  const { status, certificate } = new Recertifier({ robot, scene }).recertify(trajectory, undefined);
  expect([status === 'proved', certificate]).toEqual([false, undefined]);
  expect(certifyTrajectory(new CollisionManager(new CollisionModel(robot, scene)).posed, trajectory)).toBe(undefined);
});
