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

test('a scene with limits of torque warns of joints without one and of carried objects without a mass', async () => {
  const link = (name: string) => `<link name="${name}"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1"/></inertial></link>`;
  const joint = (name: string, parent: string, child: string, effort: string) =>
    `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/>
      <limit lower="-1" upper="1" velocity="1" acceleration="1" ${effort}/></joint>`;
  const text = `<robot name="r">${['a', 'b', 'c'].map(link).join('')}${joint('one', 'a', 'b', 'effort="5"')}
    ${joint('two', 'b', 'c', '')}</robot>`;
  const robot = createRobotModel(await buildRobot(await readUrdf(text, 'r.urdf'), new Map()));
  const pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
  const inertial = { mass: 0, center: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0] } as const;
  const box = (name: string) => ({ name, pose, parts: [{ shape: { type: 'box', size: [1, 1, 1] } }] });
  const on = (name: string, link: string) => ({ ...box(name), link, touches: [] });
  const scene = {
    attached: [on('light', 'c'), { ...on('stated', 'c'), inertial }, on('other', 'of another robot')],
    obstacles: [box('table'), box('part'), { ...box('heavy'), inertial }],
    steps: ['part', 'heavy'].map((object, index) => ({ kind: 'attach' as const, object, touches: [], index })),
  };
  expect(limitWarnings(robot, scene)).toEqual([]);
  expect(limitWarnings(robot, { ...scene, torque: { scale: 1 } })).toEqual([
    'robot "r": no maximum torque (effort) is stated for "two", taken as unlimited; state it in the scene\'s limits',
    '"light", "part": no mass is stated, and forces count 0 kg; state mass or density',
  ]);
});
