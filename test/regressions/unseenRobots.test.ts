import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadRobot } from '../../src/host/node/robots.ts';
import { scratchFolder } from '../host/node/scratch.ts';

const { root, put } = scratchFolder();
const TRIANGLES = ['0 0 0 0 1 0 1 0 0', '0 0 0 1 0 0 0 0 1', '0 0 0 0 0 1 0 1 0', '1 0 0 0 1 0 0 0 1'];
const STL = `solid s\n${TRIANGLES.map((points) => {
  const vertices = points.match(/\S+ \S+ \S+/g)!.map((point) => `vertex ${point}\n`);
  return `facet normal 0 0 0\nouter loop\n${vertices.join('')}endloop\nendfacet\n`;
}).join('')}endsolid s\n`;
const link = (name: string, mesh: string) =>
  `<link name="${name}"><collision><geometry><mesh filename="${mesh}"/></geometry></collision></link>`;

// lift_r5.urdf of fiveages-sim/robot_descriptions: below humanoid/, it needs arx5_description, which is below
// manipulator/.
test('a package elsewhere in the repository of the robot is found, one outside of it is not', async () => {
  mkdirSync(join(root, 'repository/.git'), { recursive: true });
  put('repository/manipulator/maker/arm_description/package.xml', '<package><name>arm_description</name></package>');
  put('repository/manipulator/maker/arm_description/meshes/base.stl', STL);
  put('other/deep/far_description/package.xml', '<package><name>far_description</name></package>');
  put('other/deep/far_description/meshes/base.stl', STL);
  const at = (name: string) =>
    put(
      'repository/humanoid/maker/lift_description/urdf/lift.urdf',
      `<robot name="lift">${link('base', `package://${name}/meshes/base.stl`)}</robot>`,
    );
  put('repository/humanoid/maker/lift_description/package.xml', '<package><name>lift_description</name></package>');
  expect((await loadRobot(at('arm_description'))).links).toHaveLength(1);
  await expect(loadRobot(at('far_description'))).rejects.toThrow('package "far_description" is not known');
});

// G1_120s.urdf of fiveages-sim/robot_descriptions.
test('a loop_joint is announced, and no misspelled joint', async () => {
  const boxes = ['a', 'b'].map(
    (name) => `<link name="${name}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>`,
  );
  const joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>';
  const robot = (tag: string) => `<robot name="r">${boxes.join('')}${joint}<${tag} name="l" type="spherical"/></robot>`;
  const { warnings } = await loadRobot(put('loop.urdf', robot('loop_joint')));
  expect(warnings).toEqual([expect.stringMatching(/^loop_joint "l": it is ignored: what it couples moves/)]);
  await expect(loadRobot(put('typo.urdf', robot('jiont')))).rejects.toThrow('unknown element <jiont>');
});

// lwa4d.urdf.xacro of ipa320/schunk_modular_robotics.
test('a file that only defines macros is refused as that', async () => {
  const file = put(
    'macros.urdf.xacro',
    '<robot xmlns:xacro="http://wiki.ros.org/xacro"><xacro:macro name="arm" params="parent"><link name="a"/></xacro:macro></robot>',
  );
  await expect(loadRobot(file)).rejects.toThrow('this file has no link, it only defines macros: arm');
});
