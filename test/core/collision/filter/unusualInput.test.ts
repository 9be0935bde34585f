import { expect, test } from 'vitest';
import { StateFilter } from '../../../../src/core/collision/filter/stateFilter.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../../../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { SampledMotionValidator } from '../../../../src/core/collision/validators/sampledMotionValidator.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, Pose, RobotDescription } from '../../../../src/core/kinematics/robotModel.ts';
import type { CollisionObject } from '../../../../src/core/scene/scene.ts';
import { InputError } from '../../../../src/errors.ts';
import { sceneOf } from '../../../helpers/robots.ts';

const identity: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };

/** One joint that moves a small box, 1 m from it. */
function oneJoint(type: 'revolute' | 'prismatic', axis: JointDescription['axis']): RobotDescription {
  const shape = { type: 'box', size: [0.1, 0.1, 0.1] };
  const collision = { shape, pose: { ...identity, xyz: [1, 0, 0] as const }, triangles: 0, source: 0 };
  const joint = { name: 'joint', type, parent: 'base', child: 'tip', origin: identity, axis, velocity: 1 };
  return {
    ...{ name: 'one', root: 'base', allowed: [], states: {}, groups: {}, warnings: [] },
    links: [
      { name: 'base', collisions: [] },
      { name: 'tip', collisions: [collision] },
    ],
    joints: [{ ...joint, lower: -2, upper: 2 }],
  };
}

const block = (xyz: Pose['xyz'], size = 1): CollisionObject => ({
  name: 'block',
  parts: [{ shape: { type: 'box', size: [size, size, size] } }],
  pose: { ...identity, xyz },
});

/** Compares batches with single checks along the whole range of the joint; returns the number of collisions. */
function compareAlong(filtered: CollisionManager, exact: CollisionManager): number {
  let hits = 0;
  for (let i = 0; i <= 20_000; i++) {
    const q = Float64Array.of(-2 + i / 5000);
    const isFree = exact.isCollisionFree(q);
    if (!isFree) hits++;
    if (filtered.batch.areFree([q], 1) !== isFree) expect.fail(`q = ${q[0]}: ${!isFree} instead of ${isFree}`);
  }
  return hits;
}

test('a slide whose axis is no unit vector collides where its link is', () => {
  expect(() => createRobotModel(oneJoint('prismatic', [0, 0, 2]))).toThrow('is [0, 0, 2], which is no unit vector');
  const robot = createRobotModel(oneJoint('prismatic', [0, 0, 1]));
  const joints = robot.joints.map((joint) => ({ ...joint, axis: Float64Array.of(0, 0, 2) }));
  const model = new CollisionModel({ ...robot, joints }, sceneOf([block([1, 0, 3.9])]));
  expect(compareAlong(new CollisionManager(model), new CollisionManager(model))).toBeGreaterThan(1000);
});

test('a slide without limits is not filtered: its margins would leave all pairs open', () => {
  const description = oneJoint('prismatic', [0, 0, 1]);
  const [{ upper: _upper, lower: _lower, ...joint }] = description.joints;
  for (const [joints, isFiltered] of [
    [description.joints, true],
    [[joint], false],
  ] as const) {
    const model = new CollisionModel(createRobotModel({ ...description, joints }), sceneOf([block([1, 0, 1.9])]));
    const manager = new CollisionManager(model);
    expect(StateFilter.create(manager.posed, manager.padding) !== undefined).toBe(isFiltered);
    expect(compareAlong(manager, new CollisionManager(model))).toBeGreaterThan(1000);
  }
});

test('an obstacle moved by a quaternion too small to be normalized has the verdicts of the exact check', () => {
  const model = new CollisionModel(createRobotModel(oneJoint('revolute', [0, 0, 1])), sceneOf([block([9, 0, 0], 3)]));
  const managers = [new CollisionManager(model), new CollisionManager(model)] as const;
  const s = 1e-161; // its square has few digits: the rotation is not orthonormal
  const pose: Pose = { xyz: [1.5, 1.5, 0.3], quat_wxyz: [s, 0.4 * s, 0.3 * s, 0.7 * s] };
  for (const manager of managers) manager.moveObstacle('block', pose);
  expect(compareAlong(...managers)).toBeGreaterThan(1000);
});

test('motions between states with a wrong number of values are refused', () => {
  const robot = createRobotModel(oneJoint('revolute', [0, 0, 1]));
  const manager = new CollisionManager(new CollisionModel(robot, sceneOf([block([1, 0, 0])])));
  const space = new RobotJointSpace(robot);
  for (const motions of [
    new SampledMotionValidator(manager, space, 0.1),
    new CertifiedMotionValidator(manager, space),
  ]) {
    expect(motions.isMotionValid(Float64Array.of(1.2), Float64Array.of(1.5))).toBe(true); // leaves values behind
    for (const [from, to] of [
      [[1.2], []],
      [[], [1.2]],
      [[1.2], [1.3, 0]],
    ])
      expect(() => motions.isMotionValid(Float64Array.from(from), Float64Array.from(to))).toThrow(InputError);
  }
});

test('motions that need more samples than can be counted, or NaN of them, are not valid and end at once', () => {
  const robot = createRobotModel(oneJoint('revolute', [0, 0, 1]));
  const manager = new CollisionManager(new CollisionModel(robot, sceneOf([block([1, 0, 0])])));
  const space = new RobotJointSpace(robot);
  const [from, to] = [Float64Array.of(1.2), Float64Array.of(1.5)];
  const isValid = (step: number, distance = () => space.distance(from, to)) =>
    [true, false].map((endIsValid) => {
      const measured = Object.assign(Object.create(space) as typeof space, { distance });
      return new SampledMotionValidator(manager, measured, step).isMotionValid(from, to, endIsValid);
    });
  expect(isValid(0.1)).toEqual([true, true]);
  for (const step of [0, -0, -0.1, Number.NaN, 5e-324, 1e-300, 0.3 / 2 ** 53])
    expect(isValid(step), `step ${step}`).toEqual([false, false]);
  for (const distance of [Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300])
    for (const step of [0.1, Number.POSITIVE_INFINITY])
      if (distance !== 1e300 || step < 1)
        expect(
          isValid(step, () => distance),
          `distance ${distance}, step ${step}`,
        ).toEqual([false, false]);
  for (const distance of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    const measured = Object.assign(Object.create(space) as typeof space, { distance: () => distance });
    const motions = new CertifiedMotionValidator(manager, measured);
    expect(motions.isMotionLikelyValid(from, to), `distance ${distance}`).toBe(false);
    expect(motions.isMotionValid(from, to, true), `distance ${distance}`).toBe(false);
  }
});
