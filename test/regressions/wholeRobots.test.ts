import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../src/core/kinematics/robotModel.ts';
import type { InputErrors } from '../../src/errors.ts';
import { rootOfRobot } from '../../src/host/node/packages/packageSearch.ts';
import { loadRobot } from '../../src/host/node/robots.ts';
import { createSceneRobot, limitWarnings } from '../../src/tasks/sceneRobot.ts';
import { temporaryFolder } from '../host/cli/run.ts';

const TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
const link = (name: string, mesh: string) =>
  `<link name="${name}"><collision><geometry><mesh filename="${mesh}"/></geometry></collision></link>`;
const joint = (child: string, type: string, limit = '') =>
  `<joint name="${child}_joint" type="${type}"><parent link="base"/><child link="${child}"/><axis xyz="0 0 1"/>${limit}</joint>`;

/** Writes files below a new folder. */
function tree(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('files of a robot', () => {
  const robot = `<robot name="r">${link('base', '../../arms/arm/base.obj')}</robot>`;
  const files = { 'r/hands/hand/hand.urdf': robot, 'r/arms/arm/base.obj': TETRAHEDRON };

  // Assemblies name the meshes of other robots of their repository: ../../arms/…
  test('may lie anywhere below the repository or package, and nowhere else', async () => {
    for (const mark of ['r/LICENSE', 'r/.git/HEAD', 'r/package.xml']) {
      const folder = tree({ ...files, [mark]: '<name>r</name>' });
      expect((await loadRobot(join(folder, 'r/hands/hand/hand.urdf'))).links).toHaveLength(1);
    }
    const bare = join(tree(files), 'r/hands/hand/hand.urdf');
    await expect(loadRobot(bare)).rejects.toThrow(/lies outside the robot's folders/);
    const nested = tree({ ...files, LICENSE: '', 'r/hands/.git/HEAD': '' });
    await expect(loadRobot(join(nested, 'r/hands/hand/hand.urdf'))).rejects.toThrow(/lies outside/);
  });

  test('are never below the home folder of the user as a whole', () => {
    expect(rootOfRobot(join(homedir(), 'robots', 'arm'))).toBe(join(homedir(), 'robots'));
    expect(rootOfRobot('/robots')).toBe('/robots');
  });

  test('are found in the sources of a package where its installation has them, with a warning', async () => {
    const include = '<xacro:include filename="$(find demo_arm)/urdf/arm.xacro"/>';
    const folder = tree({
      'src/package.xml': '<package><name>demo_arm</name></package>',
      'src/bringup/top.urdf.xacro': `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">${include}</robot>`,
      'src/description/urdf/arm.xacro': `<robot>${link('base', 'package://demo_arm/meshes/base.obj')}</robot>`,
      'src/description/meshes/base.obj': TETRAHEDRON,
    });
    const { links, warnings } = await loadRobot(join(folder, 'src/bringup/top.urdf.xacro'));
    expect(links[0].collisions).toHaveLength(1);
    const moved = warnings.filter((warning) => warning.includes('in the sources of its package'));
    expect(moved.map((warning) => /(description\/\S+) is read/.exec(warning)?.[1])).toEqual([
      'description/urdf/arm.xacro',
      'description/meshes/base.obj',
    ]);
    writeFileSync(join(folder, 'src/description/meshes/base.obj'), 'v 0 0');
    mkdirSync(join(folder, 'src/other/urdf'), { recursive: true });
    writeFileSync(join(folder, 'src/other/urdf/arm.xacro'), '<robot/>'); // two places: neither is taken
    await expect(loadRobot(join(folder, 'src/bringup/top.urdf.xacro'))).rejects.toThrow(/no such file/);
  });

  test('of a package that its installation merges from several folders are found in them, if only one has it', async () => {
    const robot = `<robot name="r">${link('base', 'package://demo/meshes/base.obj')}</robot>`;
    const parts = { 'r/manual/package.xml': '<package><name>demo</name></package>', 'r/new/robots/r.urdf': robot };
    const folder = tree({ ...parts, 'r/LICENSE': '', 'r/new/meshes/base.obj': TETRAHEDRON });
    const { links, warnings } = await loadRobot(join(folder, 'r/new/robots/r.urdf'));
    expect(links[0].collisions).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringMatching(/in the sources of its package: .*new\/meshes\/base\.obj is read/),
    ]);
    const names = ['base', 'b', 'c', 'd', 'e'];
    for (const name of names) writeFileSync(join(folder, `r/new/meshes/${name}.obj`), TETRAHEDRON);
    const bodies = names.map((name) => link(name, `package://demo/meshes/${name}.obj`));
    const joints = names.slice(1).map((name) => joint(name, 'fixed'));
    writeFileSync(
      join(folder, 'r/new/robots/five.urdf'),
      `<robot name="r">${bodies.join('')}${joints.join('')}</robot>`,
    );
    const { warnings: ofFive } = await loadRobot(join(folder, 'r/new/robots/five.urdf'));
    expect(ofFive).toEqual([expect.stringMatching(/base\.obj is read, .*; so are 4 other meshes$/)]);
    mkdirSync(join(folder, 'r/old/meshes'), { recursive: true });
    writeFileSync(join(folder, 'r/old/meshes/base.obj'), TETRAHEDRON); // two places: neither is taken
    await expect(loadRobot(join(folder, 'r/new/robots/r.urdf'))).rejects.toThrow(/no such file/);
    // A package at the top of its repository has no folders beside it: they belong to other repositories.
    const top = tree({
      'r/.git/HEAD': '',
      'r/package.xml': '<package><name>demo</name></package>',
      'r/robots/r.urdf': robot,
      'other/meshes/base.obj': TETRAHEDRON,
    });
    await expect(loadRobot(join(top, 'r/robots/r.urdf'))).rejects.toThrow(/no such file/);
  });

  test('that are missing in one package are one problem, however many', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `l${i}`);
    const links = names.map((name) => link(name, `package://hsr_meshes/${name}.stl`)).join('');
    const joints = [...names.slice(1), 'x'].map((name) => joint(name, 'fixed').replace('"base"', '"l0"'));
    const folder = tree({ 'r.urdf': `<robot name="r">${links}${joints.join('')}${link('x', 'gone.stl')}</robot>` });
    const error = (await loadRobot(join(folder, 'r.urdf')).catch((cause: unknown) => cause)) as InputErrors;
    expect(error.problems.map(({ message }) => message.replace(/^.*?: link/, 'link'))).toEqual([
      expect.stringMatching(
        /^link "l0": mesh package:\/\/hsr_meshes\/l0\.stl: package "hsr_meshes" is not known; nor are 19 other meshes of package "hsr_meshes"$/,
      ),
      expect.stringMatching(/gone\.stl: there is no such file/),
    ]);
  });
});

test('wheels are proposed as fixed, and velocity limits that no arm reaches are questioned', async () => {
  const body = (name: string) =>
    `<link name="${name}"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>`;
  const limit = (velocity: number) => `<limit lower="-1" upper="1" effort="1" velocity="${velocity}"/>`;
  const text = `<robot name="r">${['base', 'wheel', 'arm', 'tool'].map(body).join('')}${joint('wheel', 'continuous')}
    ${joint('arm', 'revolute', limit(120))}${joint('tool', 'revolute', limit(47))}</robot>`;
  const identity: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
  const robot = await loadRobot(join(tree({ 'r.urdf': text }), 'r.urdf'));
  const warnings = limitWarnings(
    createSceneRobot({
      scene: { robot: { name: 'r', fixed: {}, limits: {}, pose: identity, parts: 'hull', packages: {} } },
      robot,
    }),
  );
  expect(warnings.filter((warning) => warning.includes('wheel'))[1]).toContain(
    'wheel_joint turns without limits, as wheels do; to keep it fixed, plan the other joints: robot: {joints: [arm_joint, tool_joint]}',
  );
  expect(warnings.filter((warning) => warning.includes('more than any arm reaches'))).toEqual([
    expect.stringContaining('the velocity limit of arm_joint is 120 rad/s'),
  ]);
});
