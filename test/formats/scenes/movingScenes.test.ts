import { assert, expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { randomRobot } from '../../helpers/robots.ts';
import { head, read, refusal } from './sceneTexts.ts';

const box = (rest: string) => `${head}obstacles:\n  - {name: gate, type: box, size: [1, 1, 1], ${rest}}\n`;
const moves = (times: string, poses: string) => box(`motion: {times: ${times}, poses: ${poses}}`);

test('the motion of an obstacle is read with units and expressions; its pose is the first one', async () => {
  const poses = '[{xyz: [10 cm, 0, 0]}, {xyz: [1/2, 0, 0], rpy: [0, 0, 90 deg]}]';
  const [{ obstacles }] = await read(moves('[0, 1.5]', poses));
  const { motion, pose } = obstacles[0];
  assert.deepEqual(motion!.times, [0, 1.5]);
  assert.deepEqual(pose, motion!.poses[0]);
  assert.deepEqual(motion!.poses[1].xyz, [0.5, 0, 0]);
  assert.approximately(motion!.poses[1].quat_wxyz[3], Math.SQRT1_2, 1e-15);
});

test('times are read with units of time', async () => {
  const poses = '[{}, {}, {}, {}, {}]';
  const [{ obstacles }] = await read(moves('[-20 ms, 0 s, "(1/2) s", 3/4, 2min]', poses));
  assert.deepEqual(obstacles[0].motion!.times, [-0.02, 0, 0.5, 0.75, 120]);
  expect(await refusal(moves('[0, 1 m]', '[{}, {}]'))).toMatch(/it is "1 m", which is a length; it must be a number/);
  expect(await refusal(moves('[0, 1 m/s]', '[{}, {}]'))).toMatch(/times\[1\]/);
  expect(await refusal(moves('[0, 1 hours]', '[{}, {}]'))).toMatch(/times\[1\]/);
});

test.each([
  [moves('[0, 1]', '[{}]'), /motion\.poses: it has 1 poses and 2 times/],
  [moves('[]', '[]'), /motion\.times: it has 0 values/],
  [moves('[0, 1, 1]', '[{}, {}, {}]'), /:4: obstacles\[0\]\.motion\.times\[2\]: it is 1, which does not come after 1/],
  [moves('[0, -1]', '[{}, {}]'), /times\[1\]: it is -1, which does not come after 0/],
  [moves('[0, .inf]', '[{}, {}]'), /times\[1\]/],
  [moves('[0, 1e7]', '[{}, {}]'), /times\[1\]: it is 10000000, must be between/],
  [moves('[0, 1]', '[{}, {rpy: [0, 0, 180 deg]}]'), /poses\[1\]: its orientation is half a turn from the one before/],
  [moves('[0, 1]', '[{}, {quat_wxyz: [0, 0.6, 0.8, 0]}]'), /poses\[1\]: its orientation is half a turn/],
  [moves('[0, 1]', '[{}, {xyz: [1e8, 0, 0]}]'), /poses\[1\]\.xyz\[0\]/],
  [moves('[0, 1]', '[{}, {xzy: [1, 0, 0]}]'), /xzy: unknown key/],
  [box('motion: {times: [0], poses: [{}], loop: true}'), /loop: unknown key/],
  [
    box('motion: {times: [0], poses: [{}]}, pose: {xyz: [0, 0, 0]}'),
    /obstacles\[0\]\.pose: pose and motion are both given/,
  ],
  [
    `${head}obstacles: [{type: halfspace, normal: [0, 0, 1], motion: {times: [0], poses: [{}]}}]`,
    /motion: a half-space cannot move/,
  ],
  [
    `${head}attached: [{name: cup, type: sphere, radius: 1, link: tool, motion: {times: [0], poses: [{}]}}]`,
    /motion: unknown key/,
  ],
  [`${moves('[0]', '[{}]')}goal: {xyz: [0, 0, 0], relative_to: gate}`, /relative_to: it is "gate", which moves/],
  [`${head}robots: [{name: b, robot: two, velocity: 1}]`, /velocity: unknown key/],
  [`${head}robots: [{robot: two}]`, /robots\[0\]\.name: it is missing/],
  [`${head}robots: [{name: a/b, robot: two}]`, /robots\[0\]\.name: it is "a\/b", must not contain/],
  [
    `${head}robots: [{name: b, robot: two}, {name: b, robot: two}]`,
    /robots\[1\]\.name: it is "b", which another robot has/,
  ],
  [`${head}robots: [{name: b, robot: two, q: [0, 0], trajectory: t.json}]`, /trajectory and q are both given/],
  [`${head}robots: [{name: b, robot: two, q: [0, 0], start_time: 1}]`, /start_time: there is no trajectory/],
  [
    `${head}robots: [{name: b, robot: {name: two, pose: {}}, pose: {}}]`,
    /robots\[0\]\.pose: the robot has a pose, too/,
  ],
  [`${head}robots: [{name: b, robot: two, q: [0]}]`, /robots\[0\]\.q: it has 1 values, the robot has 2 planned joints/],
  [`${head}robots: [{name: b, robot: two, q: [20 mm, 0]}]`, /robots\[0\]\.q\[0\]: it is a length, but joint "turn"/],
  [`${head}robots: [{name: b, robot: {name: two, joints: [trun]}}]`, /robots\[0\]\.robot\.joints\[0\]: it is "trun"/],
  [
    `${head}robots: [{name: b, robot: two}]\nallow: [[arm, b/amr]]`,
    /allow\[0\]\[1\]: it is "b\/amr", there is no such body/,
  ],
])('%j is refused', async (text, expected) => {
  expect(await refusal(text)).toMatch(expected);
});

test('functions for scenes at rest refuse moving obstacles and other robots', () => {
  const description = randomRobot(new Random(1), 3);
  const robot = createRobotModel(description);
  const still = { attached: [], allow: [], padding: 0 };
  const pose = { xyz: [9, 9, 9], quat_wxyz: [1, 0, 0, 0] } as const;
  const gate = { name: 'gate', pose, parts: [{ shape: { type: 'sphere', radius: 1 } }] };
  const motion = { times: [0], poses: [pose] };
  const other = {
    name: 'b',
    description,
    robot: { packages: {}, fixed: {}, limits: {}, pose, parts: 'hull' as const },
    startTime: 0,
  };
  new CollisionModel(robot, { ...still, obstacles: [gate] });
  assert.throws(
    () => new CollisionModel(robot, { ...still, obstacles: [{ ...gate, motion }] }),
    /obstacle "gate" has a motion/,
  );
  assert.throws(
    () => new CollisionModel(robot, { ...still, obstacles: [], robots: [other] }),
    /the robot "b" beside its own/,
  );
});
