import { assert, test } from 'vitest';
import type { OtherRobot } from '../../../src/core/scene/movingScene.ts';
import { otherRobotWarnings } from '../../../src/host/node/scenes.ts';
import { armDescription } from './oracle.ts';
import { jointNames, sceneOf } from './randomScenes.ts';

const { robot } = sceneOf({ boxes: [], others: [] });
const at = (x: number, w = 1) => ({ ...robot, pose: { xyz: [x, 0, 0], quat_wxyz: [w, 0, 0, 0] } as const });
const points = [0, 1].map((t) => ({ time_from_start: t, positions: [t, 0, 0], velocities: [0, 0, 0] }));
const other = (name: string, x: number, more: object = {}): OtherRobot => ({
  name,
  description: armDescription(),
  robot: at(x),
  startTime: 0,
  trajectory: { jointNames, points, ...more },
});

test('a trajectory of another robot, a wrong hash and a base without a pose of its own are named with their place', () => {
  const robots = [other('a', 1), other('b', 0, { robot: 'palm' }), other('c', 1, { robot: 'arm', statedHash: 'abc' })];
  assert.deepEqual(otherRobotWarnings('f.yaml', { robot: at(0, -2), robots }), [
    'f.yaml: robots[1].trajectory: it states the robot "palm", that of the scene is "arm"',
    'f.yaml: robots[1].pose: the base of "b" is exactly that of the planned robot; state its pose',
    'f.yaml: robots[2].trajectory: the hash in the file does not match its points: they were changed after it was written',
    'f.yaml: robots[2].pose: the base of "c" is exactly that of "a"; state its pose',
  ]);
  assert.deepEqual(otherRobotWarnings('f.yaml', { robot: at(0), robots: [other('a', 1), other('b', 2)] }), []);
});
