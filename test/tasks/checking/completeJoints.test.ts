import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { completeJoints } from '../../../src/tasks/checking/completeJoints.ts';
import { slide, slider } from '../slider.ts';

const base = slider();
const description: RobotDescription = {
  ...base,
  links: [...base.links, { name: 'finger', collisions: [] }, { name: 'cover', collisions: [] }],
  joints: [
    ...base.joints,
    { ...slide('f', 'ball', 'finger', [0, 0, 1]), mimic: { joint: 'y', multiplier: 1.25, offset: 0.01 } },
    slide('c', 'ball', 'cover', [0, 0, 1]),
  ],
};
const robot = createRobotModel(description, { joints: ['x', 'y'], fixed: { c: 0.02 } });
const scene = { start: [-0.8, 0.3] };
const completed = (
  jointNames: readonly string[],
  points: readonly (readonly number[])[],
  velocities?: readonly number[],
) =>
  completeJoints(
    {
      jointNames,
      points: points.map((positions, i) => ({ time_from_start: i, positions, ...(velocities && { velocities }) })),
    },
    robot,
    scene,
    'motion.json',
  );

test('columns of joints that follow, and of joints that are kept, are removed if they have the values of the robot', () => {
  const { trajectory, notes } = completed(['f', 'x', 'y', 'c'], [[0.135, 0, 0.1, 0.02], [0.26, 0.5, 0.2, 0.0200005]]); // biome-ignore format: rows
  expect(notes).toEqual([]);
  expect(trajectory).toEqual({
    jointNames: ['x', 'y'],
    points: [
      { time_from_start: 0, positions: [0, 0.1] },
      { time_from_start: 1, positions: [0.5, 0.2] },
    ],
  });
});

test('other values are refused with both', () => {
  expect(() => completed(['x', 'y', 'f'], [[0, 0.1, 0.13501]])).toThrow(
    'motion.json: points[0].positions[2] (f): 0.13501, but it follows "y" (mimic) and has 0.135',
  );
  expect(() => completed(['x', 'y', 'c'], [[0, 0.1, 0.021]])).toThrow(
    'motion.json: points[0].positions[2] (c): 0.021, but it is kept at 0.02',
  );
  expect(() => completed(['x', 'y', 'f'], [[0, 0, 0.01]], [0, 0.1, 0.1])).toThrow(
    'motion.json: points[0].velocities[2] (f): 0.1, but it follows "y" (mimic) and has 0.125',
  );
});

test('planned joints that are not listed keep their start, with a note', () => {
  const { trajectory, notes } = completed(['x', 'f'], [[0, 0.385], [0.5, 0.385]], [0, 0]); // biome-ignore format: rows
  expect(notes).toEqual(['motion.json: it does not list y: the start is kept']);
  expect(trajectory.jointNames).toEqual(['x', 'y']);
  expect(trajectory.points[1]).toEqual({ time_from_start: 1, positions: [0.5, 0.3], velocities: [0, 0] });
});
