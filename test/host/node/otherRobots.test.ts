import { assert, expect, test } from 'vitest';
import { InputError, type InputErrors } from '../../../src/errors.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { scratchFolder } from './scratch.ts';

const { put } = scratchFolder();

put(
  'two.urdf',
  `<robot name="two"><link name="base"/><link name="arm"><collision><geometry><sphere radius="0.001"/></geometry></collision></link><link name="tip"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><limit lower="-2" upper="2" velocity="1"/></joint>
<joint name="bend" type="revolute"><parent link="arm"/><child link="tip"/><limit lower="-2" upper="2" velocity="1"/></joint></robot>`,
);
const trajectory = (points: string, names = '["bend", "turn"]') =>
  `{"format": "elbowroom-trajectory/1", "joint_names": ${names}, "points": ${points}}`;
const points = '[{"time_from_start": 0, "positions": [0.1, 0.2]}, {"time_from_start": 1, "positions": [0.3, 0.4]}]';
const loaded = (robots: string, rest = '') =>
  loadScene(put('s.yaml', `format: elbowroom-scene/1\nrobot: ./two.urdf\nrobots:\n  - ${robots}\n${rest}`));

async function refusal(robots: string, rest?: string): Promise<string> {
  const error = await loaded(robots, rest).catch((cause: unknown) => cause);
  assert.instanceOf(error, InputError);
  return (error as InputErrors).message;
}

test('other robots are loaded with their trajectories, in the order of their joints', async () => {
  put('t.json', trajectory(points));
  const { scene } = await loaded(
    '{name: b, robot: ./two.urdf, pose: {xyz: [1, 0, 0]}, trajectory: t.json, start_time: -0.5}',
    'allow: [[arm, b/tip]]\n',
  );
  const [other] = scene.robots!;
  assert.equal(other.startTime, -0.5);
  assert.deepEqual(other.robot.pose.xyz, [1, 0, 0]);
  assert.deepEqual(other.trajectory!.jointNames, ['turn', 'bend']);
  assert.deepEqual(other.trajectory!.points[1].positions, [0.4, 0.3]);
  const still = (await loaded('{name: b, robot: ./two.urdf, q: {bend: 10 deg}}')).scene.robots![0];
  assert.deepEqual(still.q, [0, (10 * Math.PI) / 180]);
});

test.each([
  ['{name: b, robot: ./none.urdf}', /s\.yaml:4: robots\[0\]\.robot\.urdf: .*none\.urdf: there is no such file/],
  ['{name: b, robot: nobody}', /robots\[0\]\.robot: unknown robot "nobody"/],
  ['{name: b, robot: ./two.urdf, trajectory: missing.json}', /robots\[0\]\.trajectory: .*there is no such file/],
  ['{name: b, robot: ./two.urdf, q: [0, 2.5]}', /s\.yaml:4: robots\[0\]: q: joint "bend" is out of its limits/],
  ['{name: b, robot: {urdf: ./two.urdf, joints: [turn]}, trajectory: t.json}', /\(bend\): 0\.1, but it is kept at 0/],
])('%j is refused', async (robots, expected) => {
  put('t.json', trajectory(points));
  expect(await refusal(robots)).toMatch(expected);
});

test.each([
  [points.replaceAll(/"time_from_start": \d, /g, ''), /points\[0\] has no time/],
  [points.replace('"time_from_start": 1', '"time_from_start": 0'), /does not come after|increas/],
  [points.replace('"time_from_start": 0', '"time_from_start": -1'), /before 0/],
  ['[]', /point/],
])('the trajectory %j is refused', async (given, expected) => {
  put('wrong.json', trajectory(given));
  expect(await refusal('{name: b, robot: ./two.urdf, trajectory: wrong.json}')).toMatch(expected);
});
