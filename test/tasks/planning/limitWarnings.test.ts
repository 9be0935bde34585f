import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { limitWarnings } from '../../../src/tasks/sceneRobot.ts';

test('a missing velocity limit is a warning; a missing acceleration limit is a warning with the assumed value', async () => {
  const joint = (name: string, parent: string, child: string, limits: string) =>
    `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><limit lower="-1" upper="1" ${limits}/></joint>`;
  const text = `<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
    ${joint('free', 'a', 'b', '')}${joint('half', 'b', 'c', 'velocity="2"')}${joint('whole', 'c', 'd', 'velocity="2" acceleration="9"')}</robot>`;
  const robot = await buildRobot(await readUrdf(text, 'r.urdf'), new Map());
  expect(limitWarnings(createRobotModel(robot))).toEqual([
    'robot "r": no velocity limit is stated for free; add one, or durations are meaningless',
    'robot "r": no acceleration limit is stated for half; four times the velocity limit per second is assumed',
  ]);
  const limits = { free: { velocity: 1 }, half: { acceleration: 3 } };
  expect(limitWarnings(createRobotModel(robot, { limits }))).toEqual([
    'robot "r": no acceleration limit is stated for free; four times the velocity limit per second is assumed',
  ]);
  const kept = { joints: ['free'], fixed: { half: 5, whole: 1 }, limits };
  expect(limitWarnings(createRobotModel(robot, kept))[0]).toBe(
    'robot "r": "half" is kept at 5, out of its limits -1 to 1',
  );
});
