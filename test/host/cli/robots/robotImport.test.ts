import { mkdirSync, readdirSync, readFileSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { robotAllowedPairs } from '../../../../src/core/scene/allowedCollisions.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

/** A tetrahedron of the given size. */
const tetrahedron = (size: number) =>
  `v 0 0 0\nv ${size} 0 0\nv 0 ${size} 0\nv 0 0 ${size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;

/** Two packages with meshes of the same name, an arm in xacro that uses both, and its SRDF in xacro. */
function workspace(): string {
  const root = temporaryFolder();
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const manifest = (name: string) =>
    `<package><name>${name}</name><version>1.2.3</version><license>MIT</license></package>`;
  put('arm pkg/package.xml', manifest('arm_description'));
  put('hand/package.xml', manifest('hand'));
  put('arm pkg/meshes/col lision/part.obj', tetrahedron(0.1));
  put('hand/meshes/part.obj', tetrahedron(0.05));
  put('hand/meshes/PART.obj', tetrahedron(0.07));
  put(
    'arm pkg/urdf/joint.xacro',
    `<robot xmlns:xacro="x"><xacro:macro name="turn" params="name parent child z">
    <joint name="\${name}" type="revolute"><origin xyz="0.1 0.2 \${z}" rpy="0.3 1.5707963267948966 -0.2"/>
    <parent link="\${parent}"/><child link="\${child}"/><axis xyz="0 3 4"/>
    <limit lower="-2" upper="2.5" effort="1"/></joint></xacro:macro></robot>`,
  );
  put(
    'arm pkg/urdf/arm.urdf.xacro',
    `<robot name="my arm" xmlns:xacro="x"><xacro:include filename="joint.xacro"/>
    <xacro:arg name="length" default="1"/>
    <link name="base"><collision><geometry><mesh filename="package://arm_description/meshes/col lision/part.obj" scale="1 -2 3"/></geometry></collision></link>
    <link name="arm"><visual><geometry><mesh filename="package://arm_description/meshes/lost.dae"/></geometry></visual>
      <collision><origin xyz="0 0 0.4"/><geometry><mesh filename="package://hand/meshes/part.obj"/></geometry></collision>
      <collision><geometry><capsule radius="0.02" length="0.1"/></geometry></collision></link>
    <link name="tip"><visual><geometry><mesh filename="package://hand/meshes/part.obj"/></geometry></visual>
      <collision><geometry><mesh filename="package://hand/meshes/PART.obj"/></geometry></collision></link>
    <xacro:turn name="j1" parent="base" child="arm" z="\${float('$(arg length)') / 3}"/>
    <xacro:turn name="j2" parent="arm" child="tip" z="0.7"/>
    <link name="finger"/><joint name="slide" type="prismatic"><parent link="tip"/><child link="finger"/>
      <axis xyz="1 0 0"/><limit lower="0" upper="0.02" velocity="0.1"/><mimic joint="j2" multiplier="0.01"/></joint></robot>`,
  );
  put(
    'arm pkg/arm.srdf.xacro',
    `<robot name="my arm" xmlns:xacro="x"><xacro:arg name="length" default="1"/>
    <group name="arm"><chain base_link="base" tip_link="tip"/></group>
    <group_state name="up" group="arm"><joint name="j1" value="\${0.5 + 0.25}"/></group_state>
    <disable_collisions link1="base" link2="tip" reason="Never"/><enable_collisions link1="arm" link2="tip"/></robot>`,
  );
  return root;
}

const xacro = ['robot', 'arm pkg/urdf/arm.urdf.xacro', '--arg', 'length=1.7', '--package', 'arm_description=arm pkg'];
const fewer = ['--samples', '200'];

describe('robot --import', () => {
  test('copies xacro, meshes of two packages with equal names and an SRDF in xacro; the robot is the same', async () => {
    const cwd = workspace();
    writeFileSync(
      join(cwd, 'limits.yaml'),
      'joint_limits:\n  j1: {has_velocity_limits: true, max_velocity: 2, has_acceleration_limits: true, max_acceleration: 7}\n  j2: {has_velocity_limits: false, max_velocity: 3, has_position_limits: true, min_position: -1, max_position: 9}\n',
    );
    const given = [...xacro, '--package', 'hand=hand', '--srdf', 'arm pkg/arm.srdf.xacro'];
    const { code, stderr } = await elbowroom([...given, '--limits', 'limits.yaml', '--import', 'out'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('lost.dae');
    expect(stderr).toContain('its positions exceed those of the robot, which are kept');
    const packages = { arm_description: join(cwd, 'arm pkg'), hand: join(cwd, 'hand') };
    const files = { packages, args: { length: '1.7' }, srdf: join(cwd, 'arm pkg/arm.srdf.xacro') };
    const original = await loadRobot(join(cwd, 'arm pkg/urdf/arm.urdf.xacro'), files);
    const copy = await loadRobot(join(cwd, 'out/my_arm.urdf'), { srdf: join(cwd, 'out/my_arm.srdf') });
    const [j1, j2, slide] = original.joints;
    expect(copy.joints).toEqual([{ ...j1, velocity: 2, acceleration: 7 }, { ...j2, lower: -1 }, slide]);
    expect(copy.links).toEqual(original.links);
    expect(robotAllowedPairs(copy).list()).toEqual(robotAllowedPairs(original).list());
    const { groups, groupStates, checked } = copy;
    expect({ groups, groupStates, checked }).toEqual({
      groups: { arm: ['j1', 'j2'] },
      groupStates: { arm: { up: { j1: 0.75 } } },
      checked: [['arm', 'tip']],
    });
    expect(readdirSync(join(cwd, 'out/meshes/hand')).sort()).toEqual(['PART_2.obj', 'part.obj']);
    expect(readFileSync(join(cwd, 'out/my_arm.urdf'), 'utf8')).not.toMatch(/package:|lost/);
    expect((await elbowroom(['plan', 'out/scene.yaml', '-o', 'out.json'], { cwd })).code).toBe(0);
  });

  test('an interrupt leaves no part of the folder', async () => {
    const cwd = workspace();
    const partsOf = () => readdirSync(cwd).filter((name) => name.startsWith('.out-'));
    const given = [...xacro, '--package', 'hand=hand', '--import', 'out', ...fewer];
    const { code, signal } = await elbowroom(given, {
      cwd,
      input: (child) => {
        const watcher = watch(cwd, () => {
          if (partsOf().length > 0) child.kill('SIGINT');
        });
        child.on('close', () => watcher.close());
      },
    });
    expect({ signal, parts: partsOf() }).toEqual({ signal: null, parts: [] });
    expect(code).toBeOneOf([130, 0]); // 0: it was complete just before
  });

  test('converts MJCF: several joints a body, inline meshes, excluded and checked pairs, key frames', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, 'arm.xml'),
      `<mujoco model="m"><asset><mesh name="w" vertex="0 0 0 0.1 0 0 0 0.1 0 0 0 0.1 0.02 0.02 0.02"/></asset>
      <worldbody><geom name="box" type="box" size="0.2 0.2 0.05" pos="0 0 -0.5"/>
      <body name="a" pos="0 0 0.3" quat="0.3 0.5 -0.4 0.7"><joint name="x" axis="1 2 3" pos="0.1 0 0" range="-90 90"/>
      <joint name="y" type="slide" axis="0 1 0" range="-0.3 0.2" ref="0.1"/><geom type="mesh" mesh="w" euler="10 20 30"/>
      <body name="b" pos="0.3 0 0"><joint name="z"/><geom type="capsule" fromto="0 0 0 0.1 0.1 0.2" size="0.03"/>
      <body name="c" pos="0 0 0.5"><geom name="g" size="0.05"/></body></body></body></worldbody>
      <contact><exclude body1="a" body2="c"/></contact><keyframe><key name="home" qpos="0.5 0.15 0.25"/></keyframe></mujoco>`,
    );
    const { code, stderr } = await elbowroom(['robot', 'arm.xml', '--import', 'out', ...fewer], { cwd });
    expect(stderr).not.toContain('error');
    expect(code).toBe(0);
    const original = await loadRobot(join(cwd, 'arm.xml'));
    const copy = await loadRobot(join(cwd, 'out/m.urdf'), { srdf: join(cwd, 'out/m.srdf') });
    const pointsOf = ({ links }: typeof copy) =>
      links.flatMap(({ collisions }) =>
        collisions.map(({ shape: { points, ...shape } }) =>
          points ? new Set((points as number[][]).map(String)) : shape,
        ),
      );
    expect(pointsOf(copy)).toEqual(pointsOf(original));
    for (const [i, joint] of copy.joints.entries()) {
      const { origin, axis, ...others } = original.joints[i];
      expect(joint).toMatchObject(others);
      for (const [k, x] of origin.quat_wxyz.entries()) expect(joint.origin.quat_wxyz[k]).toBeCloseTo(x, 14);
      expect(joint.origin.xyz).toEqual(origin.xyz);
      if (joint.type !== 'fixed') for (const [k, x] of axis.entries()) expect(joint.axis[k]).toBeCloseTo(x, 15);
    }
    const pairs = (robot: typeof copy) =>
      robotAllowedPairs(robot)
        .list()
        .map(([a, b]) => [a, b].sort().join(' '));
    expect(pairs(copy)).toEqual(expect.arrayContaining(pairs(original)));
    expect(copy.checked).toEqual(original.checked);
    expect(copy.groupStates).toEqual({ all: { home: { x: 0.5, y: 0.15, z: 0.25 } } });
  });

  test('a missing mesh, a folder with files and foreign limits are refused, and nothing is written', async () => {
    const cwd = workspace();
    writeFileSync(join(cwd, 'limits.yaml'), 'joint_limits: {j_1: {max_velocity: 1}}');
    const refused = async (args: readonly string[]) => {
      const { code, stderr } = await elbowroom(args, { cwd });
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused([...xacro, '--package', 'hand=arm pkg', '--import', 'out'])).toContain(
      'link "arm": mesh package://hand/meshes/part.obj: there is no such file',
    );
    const known = [...xacro, '--package', 'hand=hand'];
    expect(await refused([...known, '--import', 'hand'])).toContain('hand: it exists already and is not empty');
    expect(await refused([...known, '--limits', 'limits.yaml', '--import', 'out'])).toContain('Did you mean "j1"?');
    expect(await refused([...known, '--limits', 'limits.yaml'])).toContain('Did you mean "j1"?');
    expect(readdirSync(cwd).sort()).toEqual(['arm pkg', 'hand', 'limits.yaml']);
  });

  test('a mesh behind a symbolic link without ending is copied', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'arm/blobs'), { recursive: true });
    writeFileSync(join(cwd, 'arm/package.xml'), '<package><name>arm</name></package>');
    writeFileSync(join(cwd, 'arm/blobs/5f3a'), tetrahedron(0.1));
    symlinkSync('blobs/5f3a', join(cwd, 'arm/part.obj'));
    writeFileSync(
      join(cwd, 'arm/a.urdf'),
      `<robot name="a"><link name="a"><collision><geometry><mesh filename="part.obj"/></geometry></collision></link>
      <link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
      <limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>`,
    );
    const given = ['robot', 'arm/a.urdf', '--import', 'out', ...fewer];
    const { code, stderr } = await elbowroom(given, { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('out/scene.yaml') });
    expect(readFileSync(join(cwd, 'out/meshes/blobs/5f3a.obj'), 'utf8')).toBe(tetrahedron(0.1));
    expect(readFileSync(join(cwd, 'out/scene.yaml'), 'utf8')).toContain('srdf: a.srdf}');
  });

  test('a package whose name leads out of the folder is copied into the folder', async () => {
    const cwd = workspace();
    writeFileSync(join(cwd, 'hand/package.xml'), '<package><name>../../x</name></package>');
    const given = [...xacro, '--package', 'hand=hand', '--import', 'a/b/out', ...fewer];
    const { code } = await elbowroom(given, { cwd });
    expect(code).toBe(0);
    expect(readdirSync(join(cwd, 'a/b'))).toEqual(['out']);
    expect(readdirSync(join(cwd, 'a/b/out/meshes')).sort()).toEqual(['arm_description', 'hand']);
  });

  test('shapes that URDF does not have are refused with their place', async () => {
    const cwd = temporaryFolder();
    const sdf = `<sdf version="1.9"><model name="m"><link name="a"><collision name="c"><geometry>
      <ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></collision></link></model></sdf>`;
    writeFileSync(join(cwd, 'a.sdf'), sdf);
    const { code, stderr } = await elbowroom(['robot', 'a.sdf', '--import', 'out'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('a.sdf:2: link "a": URDF has no ellipsoid'),
    });
  });
});

test('a robot whose joints have an armature, which URDF does not have, is imported with a warning', async () => {
  const root = temporaryFolder();
  const body = '<geom type="box" size=".02 .02 .1" density="500"/>';
  const turn = '<joint name="j" axis="0 1 0" range="-1 1" limited="true" armature="0.1" damping="0.2"/>';
  const xml = `<mujoco model="m"><worldbody><body name="base">${body}<body name="arm" pos="0 0 .3">${turn}${body}</body></body></worldbody></mujoco>`;
  writeFileSync(join(root, 'm.xml'), xml);
  const { code, stderr } = await elbowroom(['robot', join(root, 'm.xml'), '--import', join(root, 'copy')]);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('joint "j": URDF has no armature');
  expect(readFileSync(join(root, 'copy/m.urdf'), 'utf8')).toContain('damping="0.2"');
});
