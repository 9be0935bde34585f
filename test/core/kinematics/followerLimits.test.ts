import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { createSceneRobot, limitWarnings } from '../../../src/tasks/sceneRobot.ts';
import { sceneOf } from '../../helpers/robots.ts';

/** Slides along x, one on the other; links have a small box far away from each other. */
function slides(joints: readonly Partial<JointDescription>[]): RobotDescription {
  const names = ['base', ...joints.map((_, i) => `link${i}`)];
  const box = { shape: { type: 'box', size: [0.01, 0.01, 0.01] }, pose: IDENTITY_POSE, triangles: 0, source: 0 };
  return {
    name: 'slides',
    root: 'base',
    links: names.map((name) => ({ name, collisions: [box] })),
    joints: joints.map((joint, i) => ({
      name: `joint${i}`,
      type: 'prismatic',
      parent: names[i],
      child: names[i + 1],
      origin: { xyz: [0, 1, 0], quat_wxyz: [1, 0, 0, 0] },
      axis: [1, 0, 0],
      ...joint,
    })),
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  };
}

const follows = (joint: string, multiplier: number, offset = 0) => ({ mimic: { joint, multiplier, offset } });

function check(robot: RobotDescription, to: number, duration: number) {
  const model = createRobotModel(robot);
  const manager = new CollisionManager(new CollisionModel(model, sceneOf([])));
  const points = [0, to].map((x, i) => ({ time_from_start: i * duration, positions: [x], velocities: [0] }));
  return createTrajectoryChecker(model, manager)({ jointNames: ['joint0'], points });
}

test('a motion that takes a mimic joint out of its range, or moves it too fast, is not valid', () => {
  const leader = { lower: -1, upper: 1, velocity: 1, acceleration: 10 };
  const twin = (limits: Partial<JointDescription>) => slides([leader, { ...follows('joint0', -2), ...limits }]);
  const free = twin({});
  const kinds = (robot: RobotDescription) => check(robot, 0.5, 2).faults.map(({ kind }) => kind);
  expect(check(free, 0.5, 2)).toMatchObject({ valid: true });
  expect(kinds(twin({ lower: -1, upper: 0 }))).toEqual([]);
  expect(kinds(twin({ lower: -0.9, upper: 1 }))).toEqual(['position']);
  expect(kinds(twin({ velocity: 0.7 }))).toEqual(['velocity']); // 2 · 0.375 m/s
  expect(kinds(twin({ acceleration: 1.4 }))).toEqual(['acceleration']); // 2 · 0.75 m/s²
  expect(kinds(twin({ jerk: 1.4 }))).toEqual(['jerk']); // 2 · 0.75 m/s³
  expect(kinds(twin({ velocity: 0, acceleration: 0 }))).toEqual([]); // not stated
  expect(kinds(slides([leader, follows('joint0', 2), { ...follows('joint1', 2), upper: 1.9, lower: -5 }]))).toEqual([
    'position',
  ]);
});

test('the limits of a planned joint are exactly those at which all followers are within theirs', () => {
  const random = new Random(5);
  const wrong: unknown[] = [];
  let narrow = 0;
  for (let i = 0; i < 300; i++) {
    const followers = Array.from({ length: 1 + random.below(3) }, () => ({
      ...follows('joint0', random.between(-3, 3), random.between(-0.2, 0.2)),
      lower: random.between(-2, -0.3),
      upper: random.between(0.3, 2),
    }));
    const [joint] = createRobotModel(slides([{ lower: -1, upper: 1 }, ...followers])).variables;
    const keeps = (x: number) =>
      Math.abs(x) <= 1 &&
      followers.every(({ lower, upper, mimic: { multiplier, offset } }) => {
        const value = multiplier * x + offset;
        return value >= lower && value <= upper;
      });
    const { lower, upper } = joint.limits;
    if (joint.narrowedBy) narrow++;
    for (const [end, outwards] of [
      [lower, -1e-9],
      [upper, 1e-9],
    ])
      if (!keeps(end - outwards) || keeps(end + outwards)) wrong.push([i, lower, upper]);
  }
  expect(wrong).toEqual([]);
  expect(narrow).toBeGreaterThan(150);
});

test('limits of a scene replace those of a mimic joint, a warning names what narrows, and no range is refused', () => {
  const leader = { lower: -1, upper: 1, velocity: 1, acceleration: 10 };
  const robot = slides([leader, { ...follows('joint0', 1), lower: -2, upper: 0.5, velocity: 3 }]);
  const model = createRobotModel(robot, { limits: { joint1: { velocity: 0.2 } } });
  expect(model.variables[0]).toMatchObject({
    limits: { lower: -1, upper: 0.5, velocity: 0.2, acceleration: 10 },
    narrowedBy: ['joint1'],
  });
  expect(limitWarnings(model)).toEqual([
    'robot "slides": the limits of "joint0" are narrowed to those of "joint1" (mimic)',
  ]);
  expect(limitWarnings(createRobotModel(slides([leader, follows('joint0', 1)])))).toEqual([]);
  // 2.4 / 3 is less than 0.8 by rounding
  const rounded = slides([
    { ...leader, upper: 0.8 },
    { ...follows('joint0', 3), lower: -3, upper: 2.4, velocity: 3 },
  ]);
  expect(limitWarnings(createRobotModel(rounded))).toEqual([]);
  expect(createRobotModel(rounded).variables[0].limits).toEqual({ ...leader, upper: 0.8, jerk: Infinity });
  const never = slides([leader, { ...follows('joint0', 1, 5), lower: -1, upper: 1 }]);
  const scene = { robot: { fixed: {}, limits: { joint1: { lower: -1, upper: 1 } } } };
  expect(() => createSceneRobot({ scene: scene as never, robot: never })).toThrow('no value keeps "joint1"');
});

test('a range that contradicts that of the leader is not applied, with a warning; other limits are', () => {
  const leader = { lower: 0, upper: 0.8, velocity: 2, acceleration: 10 };
  // The Robotiq 2F-85 and C2 as published: the range of a mirrored finger with the wrong sign.
  const mirrored = { ...follows('joint0', -1), lower: 0, upper: 0.8757, velocity: 1 };
  const model = createRobotModel(slides([leader, mirrored]));
  expect(model.variables[0].limits).toMatchObject({ lower: 0, upper: 0.8, velocity: 1 });
  expect(limitWarnings(model)).toEqual([
    'robot "slides": the limits of "joint0" are narrowed to those of "joint1" (mimic)',
    'robot "slides": the range of "joint1" (mimic) is not applied, since it would leave "joint0" at most one value; ' +
      "correct it, or state it in the scene's limits",
  ]);
});

test('a warning names mimic joints that are kept out of their limits with the joint that they follow', () => {
  const joints = [
    { lower: -1, upper: 1 },
    { ...follows('joint0', 3), lower: -1, upper: 2.4 },
    { velocity: 1, acceleration: 1 },
  ];
  const kept = (value: number) =>
    limitWarnings(createRobotModel(slides(joints), { joints: ['joint2'], fixed: { joint0: value } }));
  expect(kept(1)).toEqual(['robot "slides": "joint1" is kept at 3, out of its limits -1 to 2.4']);
  expect(kept(0.8)).toEqual([]); // 3 · 0.8 exceeds 2.4 by rounding only
});
