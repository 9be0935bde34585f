import { expect, test } from 'vitest';
import type { JointDescription, JointType } from '../../../src/core/kinematics/robotModel.ts';
import { JointsBetween } from '../../../src/core/scene/uncheckedPairs.ts';

const joint = (parent: string, child: string, type: JointType = 'revolute') =>
  ({ name: `${parent}-${child}`, parent, child, type }) as JointDescription;

const tree = new JointsBetween([
  joint('base', 'l1'),
  joint('l1', 'l2', 'prismatic'),
  joint('l2', 'l3', 'fixed'),
  joint('base', 'plate', 'fixed'),
  joint('plate', 'r1', 'continuous'),
  joint('r1', 'r2'),
]);

test('movable joints are counted up to the common link, fixed ones are not', () => {
  expect(tree.counts('l3', 'r1')).toEqual([2, 1]);
  expect(tree.counts('r2', 'l1')).toEqual([2, 1]);
  expect(tree.counts('l3', 'base')).toEqual([2, 0]);
  expect(tree.counts('plate', 'base')).toEqual([0, 0]);
});

test('two links are on arms only if two joints move each of them', () => {
  expect(tree.areOnArms('l3', 'r2')).toBe(true);
  expect(tree.areOnArms('l3', 'r1')).toBe(false);
  expect(tree.areOnArms('l3', 'base')).toBe(false);
});
