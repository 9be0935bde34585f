import { expect, test } from 'vitest';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { distantNeighbours } from '../../../src/tasks/robots/emptyLinks.ts';

const origin = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
const ball = { origin, shape: { type: 'sphere', radius: 0.1 } };

/** base (solid) – shoulder (empty) – elbow (empty) – tool (solid), by joints of the given types. */
const robotOf = (types: readonly string[], more: Partial<RobotDescription> = {}) =>
  ({
    name: 'r',
    root: 'base',
    links: [
      { name: 'base', collisions: [ball] },
      { name: 'shoulder', collisions: [] },
      { name: 'elbow', collisions: [] },
      { name: 'tool', collisions: [ball] },
    ],
    joints: types.map((type, i) => ({
      name: `joint${i}`,
      type,
      parent: ['base', 'shoulder', 'elbow'][i],
      child: ['shoulder', 'elbow', 'tool'][i],
      origin,
      axis: [0, 0, 1],
    })),
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
    ...more,
  }) as unknown as RobotDescription;

test('links with several moving joints and only empty links between them are found', () => {
  expect(distantNeighbours(robotOf(['revolute', 'fixed', 'continuous']))).toEqual([
    { links: ['base', 'tool'], joints: ['joint0', 'joint2'] },
  ]);
  expect(distantNeighbours(robotOf(['revolute', 'fixed', 'fixed']))).toEqual([]);
});

test('pairs that the SRDF checks or allows are not listed', () => {
  const types = ['revolute', 'revolute', 'revolute'];
  expect(distantNeighbours(robotOf(types, { checked: [['tool', 'base']] }))).toEqual([]);
  expect(distantNeighbours(robotOf(types, { allowed: [['base', 'tool', 'Never']] }))).toEqual([]);
});
