import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { describeFaults } from '../../../src/tasks/checking/describeFaults.ts';
import { checkMotion } from '../../../src/tasks/checkMotion.ts';
import { World } from '../../../src/tasks/world.ts';
import { sceneOf } from '../../helpers/robots.ts';
import { slider } from '../slider.ts';

const description = slider();
const turning = {
  ...description,
  joints: description.joints.map((joint) => (joint.name === 'x' ? { ...joint, type: 'continuous' as const } : joint)),
};
const robot = createRobotModel(turning);
const jointNames = robot.variables.map(({ name }) => name);
const described = (points: readonly object[], scene = {}) => {
  const world = new World(robot, { ...sceneOf([]), name: 's', goals: [], ...scene } as never);
  return describeFaults(checkMotion(world, { jointNames, points } as never, 'm', () => false).result).join('\n');
};

test('faults of slides are in metres, of turns in radians, each with its power of seconds', () => {
  const still = [0, 0];
  const text = described([
    { time_from_start: 0, positions: [0, 0], velocities: still },
    { time_from_start: 0.1, positions: [1, 5], velocities: still },
  ]);
  expect(text).toMatch(/^x: velocity [\d.]+ rad\/s at [\d.]+ s, its limit is [\d.]+ rad\/s$/m);
  expect(text).toMatch(/^y: position 5 m at 0\.1 s, its limit is [\d.]+ m$/m);
  expect(text).toMatch(/^y: acceleration [-\d.]+ m\/s² at [\d.]+ s, its limit is [-\d.]+ m\/s²$/m);
  const jump = described([
    { time_from_start: 0, positions: [0, 0] },
    { time_from_start: 5, positions: [0, 0.1] },
  ]);
  expect(jump).toMatch(/^y: not at rest at the start: velocity 0\.02 m\/s/m);
  const away = described([{ time_from_start: 0, positions: [0, 0.2] }], { start: [0, 0] });
  expect(away).toMatch(/at its first point, y is 0\.2 m, at the start 0 m$/m);
});

test('a jump by a full turn is named in a path without times, too; half a turn is none', () => {
  expect(described([{ positions: [3, 0] }, { positions: [3 - 2 * Math.PI, 0.1] }])).toBe(
    'x: jumps by a full turn to points[1], at waypoint 1: it would turn all the way',
  );
  expect(described([{ positions: [3, 0] }, { positions: [0, 0.1] }])).toBe('');
});
