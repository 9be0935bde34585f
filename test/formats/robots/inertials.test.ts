import { expect, test } from 'vitest';
import { createArmModel } from '../../../src/core/dynamics/arm/armModel.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { readRobotFile } from '../../../src/formats/robots/index.ts';
import { buildRobot } from '../../../src/formats/robots/urdf.ts';
import { memoryFiles } from './memoryFiles.ts';

const robotOf = async (text: string, file: string) => {
  const options = { geometry: 'collision', args: {}, files: memoryFiles({}) } as const;
  return buildRobot(await readRobotFile(text, file, options), new Map());
};

const BOX = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>';
const urdf = (
  inertial: string,
  dynamics = '',
) => `<robot name="r"><link name="a"/><link name="b">${inertial}${BOX}</link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>${dynamics}</joint></robot>`;
const WHOLE = `<inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="2"/>
<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0.25"/></inertial>`;

test('a turned inertia of each format is stored in the axes of the link', async () => {
  const texts = {
    'r.urdf': urdf(WHOLE, '<dynamics damping="0.5" friction="0.25"/>'),
    'r.sdf': `<sdf version="1.9"><model name="r"><link name="a"/><link name="b"><inertial>
      <pose>1 2 3 0 0 1.5707963267948966</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz>
      <iyz>0.25</iyz></inertia></inertial></link><joint name="j" type="revolute"><parent>a</parent><child>b</child>
      <axis><xyz>0 1 0</xyz><dynamics><damping>0.5</damping><friction>0.25</friction></dynamics></axis></joint></model></sdf>`,
    'r.xml': `<mujoco><worldbody><body name="b"><inertial pos="1 2 3" quat="0.7071067811865476 0 0 0.7071067811865476"
      mass="2" fullinertia="1 2 2.5 0 0 0.25"/><joint name="j" axis="0 1 0" damping="0.5" frictionloss="0.25"/>
      <geom size="0.1"/></body></worldbody></mujoco>`,
  };
  for (const [file, text] of Object.entries(texts)) {
    const { links, joints } = await robotOf(text, file);
    const { mass, center, inertia } = links.find(({ name }) => name === 'b')!.inertial!;
    expect({ mass, center: center.map(String) }, file).toEqual({ mass: 2, center: ['1', '2', '3'] });
    for (const [i, want] of [2, 1, 2.5, 0, -0.25, 0].entries())
      expect(inertia[i], `${file} ${i}`).toBeCloseTo(want, 12);
    expect(joints.find(({ name }) => name === 'j')!.drive, file).toEqual({ damping: 0.5, friction: 0.25 });
  }
});

test('torques of links without inertia, and of joints whose friction is no number, are refused by name', async () => {
  for (const text of [
    urdf(''),
    urdf('<inertial><mass value="1"/></inertial>'),
    urdf(WHOLE, '<dynamics damping="1,5"/>'),
  ]) {
    const robot = createRobotModel(await robotOf(text, 'r.urdf'));
    expect(() => createArmModel(robot)).toThrow(/"b": .*torques are not known/);
  }
});

test('a link without collision geometry is no weightless one if its file gives it a mass that is not known', async () => {
  const tip = (content: string) => `<robot name="r"><link name="a"/><link name="b">${WHOLE}${BOX}</link>
    <link name="tip">${content}</link><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
    <joint name="f" type="fixed"><parent link="b"/><child link="tip"/></joint></robot>`;
  const sdf = (content: string) => `<sdf version="1.9"><model name="r"><link name="a"/><link name="b"><inertial>
    <mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link><link name="tip">${content}
    </link><joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="f" type="fixed"><parent>b</parent><child>tip</child></joint></model></sdf>`;
  const mjcf = (content: string, compiler = '') => `<mujoco>${compiler}<worldbody><body name="b">
    <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><joint name="j" axis="0 1 0"/><geom size="0.1"/>
    <body name="tip">${content}</body></body></worldbody></mujoco>`;
  const stated = '<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>';
  const armOf = async (text: string, file: string) => createArmModel(createRobotModel(await robotOf(text, file)));
  for (const [file, text] of [
    ['r.urdf', tip('<inertial><mass value="5"/></inertial>')],
    ['r.urdf', tip('<visual><geometry><sphere radius="0.1"/></geometry></visual>')],
    ['r.sdf', sdf('')],
    ['r.sdf', sdf('<inertial><mass>5</mass></inertial>')],
    ['r.xml', mjcf('<geom size="0.1" contype="0" conaffinity="0"/>')],
    ['r.xml', mjcf('<inertial pos="0 0 0" mass="5"/>')],
    ['r.xml', mjcf(stated, '<compiler inertiafromgeom="true"/>')],
  ])
    await expect(armOf(text, file), text).rejects.toThrow(/: no complete <inertial>: no inertia: .* not known/);
  const inertia = '<inertial><mass value="5"/><inertia ixx="1" iyy="1" izz="1"/></inertial>';
  for (const [file, text, mass] of [
    ['r.urdf', tip(inertia), 7],
    ['r.urdf', tip(''), 2],
    ['r.xml', mjcf(stated), 4],
    ['r.xml', mjcf(''), 2],
  ] as const)
    expect((await armOf(text, file)).joints[0].mass, text).toBe(mass);
});
