import { expect, test } from 'vitest';
import { readRobotFile } from '../../../../src/formats/robots/index.ts';
import { buildRobot } from '../../../../src/formats/robots/urdf.ts';
import { withAddresses } from '../../../../src/formats/robots/writing/urdfEdits.ts';
import { inexpressible, writeUrdf } from '../../../../src/formats/robots/writing/urdfWriter.ts';
import { treeOf, writeTree } from '../../../../src/formats/robots/xacro/xacroTree.ts';
import { parseXml } from '../../../../src/formats/text/xmlDocument.ts';
import { memoryFiles } from '../memoryFiles.ts';

const read = (text: string, file: string) =>
  readRobotFile(text, file, { geometry: 'collision', args: {}, files: memoryFiles({}) });

/** An arm whose tip has no collision geometry: its mass is stated, or known to be there but not how much. */
const TEXTS: Readonly<Record<string, (tip: string) => string>> = {
  'r.sdf': (tip) => `<sdf version="1.9"><model name="r"><link name="a"/><link name="b">${tip}</link>
    <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz>
    <dynamics><damping>0.5</damping><friction>0.25</friction></dynamics></axis></joint></model></sdf>`,
  'r.xml': (tip) => `<mujoco><worldbody><body name="b">${tip}
    <joint name="j" axis="0 1 0" damping="0.5" frictionloss="0.25" armature="0.125"/></body></worldbody></mujoco>`,
};
const STATED: Readonly<Record<string, string>> = {
  'r.sdf': `<inertial><pose>1 2 3 0 0 0.5</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz>
    <iyz>0.25</iyz></inertia></inertial>`,
  'r.xml': '<inertial pos="1 2 3" quat="0.8 0 0 0.6" mass="2" fullinertia="1 2 2.5 0 0 0.25"/>',
};
const UNKNOWN: Readonly<Record<string, string>> = {
  'r.sdf': '<inertial><mass>2</mass><inertia><ixx>none</ixx></inertia></inertial>',
  'r.xml': '<geom size="0.1" contype="0" conaffinity="0"/>',
};

test('masses, inertias and friction of other formats are those of the URDF that is written', async () => {
  for (const [file, textOf] of Object.entries(TEXTS)) {
    const urdf = await read(textOf(STATED[file]), file);
    const copy = buildRobot(await read(writeTree(writeUrdf(urdf).root), 'copy.urdf'), new Map());
    const [original, { links, joints }] = await Promise.all([buildRobot(urdf, new Map()), copy]);
    const written = links.find(({ name }) => name === 'b')?.inertial;
    expect(written, file).toBeDefined();
    expect(written, file).toEqual(original.links.find(({ name }) => name === 'b')?.inertial);
    expect(joints.find(({ name }) => name === 'j')?.drive, file).toEqual({ damping: 0.5, friction: 0.25 });
    expect(inexpressible(urdf).join(), file).toContain(file === 'r.xml' ? 'armature: 0.125' : '');
  }
});

test('a link whose mass is not known is not weightless in the URDF that is written', async () => {
  for (const [file, textOf] of Object.entries(TEXTS)) {
    const urdf = await read(textOf(UNKNOWN[file]), file);
    const { links } = await buildRobot(await read(writeTree(writeUrdf(urdf).root), 'copy.urdf'), new Map());
    expect(links.find(({ name }) => name === 'b')?.inertial?.mass, file).toBeNaN();
  }
});

test('a link that loses its only visual mesh is not weightless in the copy', async () => {
  const visual = '<visual><geometry><mesh filename="lost.dae"/></geometry></visual>';
  const text = `<robot name="r"><link name="a"/><link name="b">${visual}</link>
    <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>`;
  const root = treeOf(await parseXml(text, 'r.urdf', 'robot'), 'r.urdf');
  const copy = writeTree(withAddresses(root, new Map()));
  expect(copy).not.toContain('lost.dae');
  const { links } = await buildRobot(await read(copy, 'copy.urdf'), new Map());
  expect(links.find(({ name }) => name === 'b')?.inertial?.mass).toBeNaN();
});
