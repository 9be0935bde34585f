import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadRobot } from '../../../src/host/node/robots.ts';
import { scratchFolder } from './scratch.ts';

const { root, put } = scratchFolder();
const obj = (size: number) => `v 0 0 0\nv ${size} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;
const urdf = `<robot name="r"><link name="a"/><link name="b"><collision><geometry><mesh filename="b.obj"/></geometry></collision></link>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>`;
const srdf = (pair: string) => `<robot name="r"><disable_collisions link1="a" link2="${pair}" reason="Never"/></robot>`;
const boxes = (size: number) =>
  `<link name="b"><collision><geometry><box size="1 1 ${size}"/></geometry></collision></link>`;
/** The z of the size of the only shape of the last link. */
const height = async (file: string, options = {}) => {
  const { links } = await loadRobot(file, { cache: false, ...options });
  return (links.at(-1)!.collisions[0].shape as unknown as { size: number[] }).size[2];
};

describe('a robot is read again in the same process', () => {
  test('after its mesh has changed, with the same size and times', async () => {
    const mesh = put('meshes/b.obj', obj(2));
    const file = put('meshes/r.urdf', urdf);
    utimesSync(mesh, 1e9, 1e9);
    const before = await loadRobot(file, { cache: false });
    expect(await loadRobot(file, { cache: false })).toBe(before);
    put('meshes/b.obj', obj(3));
    utimesSync(mesh, 1e9, 1e9);
    const after = await loadRobot(file, { cache: false });
    expect(after.links[1].collisions[0].shape['points']).toContainEqual([3, 0, 0]);
    expect(await loadRobot(file, { cache: false })).toBe(after);
  });

  test('after its SRDF has changed', async () => {
    put('semantics/b.obj', obj(2));
    const file = put('semantics/r.urdf', urdf);
    const semantics = put('semantics/r.srdf', srdf('b'));
    expect((await loadRobot(file, { srdf: semantics })).allowed).toHaveLength(1);
    put('semantics/r.srdf', srdf('c'));
    expect((await loadRobot(file, { srdf: semantics })).allowed).toHaveLength(0);
  });

  test('after an included file of xacro, MJCF or SDF has changed', async () => {
    const texts: [string, string, string, (size: number) => string][] = [
      [
        'r.xacro',
        '<robot name="r" xmlns:xacro="x"><xacro:include filename="part.xacro"/></robot>',
        'part.xacro',
        (size) => `<robot>${boxes(size)}</robot>`,
      ],
      [
        'm.xml',
        '<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>',
        'part.xml',
        (size) => `<mujocoinclude><body name="b"><geom type="box" size="1 1 ${size / 2}"/></body></mujocoinclude>`,
      ],
      [
        's.sdf',
        '<sdf version="1.9"><model name="r"><include><uri>part.sdf</uri></include></model></sdf>',
        'part.sdf',
        (size) =>
          `<sdf version="1.9"><model name="p"><link name="b"><collision name="c"><geometry><box><size>1 1 ${size}</size></box></geometry></collision></link></model></sdf>`,
      ],
    ];
    for (const [name, text, part, partOf] of texts) {
      const file = put(`includes/${name}`, text);
      put(`includes/${part}`, partOf(1));
      expect(await height(file), name).toBe(1);
      put(`includes/${part}`, partOf(2));
      expect(await height(file), name).toBe(2);
    }
  });

  test('after an optional include, or a package that goes before, has appeared', async () => {
    const file = put(
      'found/r.xacro',
      `<robot name="r" xmlns:xacro="x"><xacro:property name="h" value="1"/><xacro:include filename="own.xacro" optional="true"/>${boxes(1).replace('1 1 1', '1 1 $' + '{h}')}</robot>`,
    );
    expect(await height(file)).toBe(1);
    put('found/own.xacro', '<robot xmlns:xacro="x"><xacro:property name="h" value="4"/></robot>');
    expect(await height(file)).toBe(4);

    const folder = join(root, 'found');
    mkdirSync(join(folder, 'sub'));
    put('found/parts/package.xml', '<package><name>parts</name></package>');
    put('found/parts/p.xacro', `<robot>${boxes(5)}</robot>`);
    const user = put(
      'found/sub/u.xacro',
      '<robot name="r" xmlns:xacro="x"><xacro:include filename="$(find parts)/p.xacro"/></robot>',
    );
    expect(await height(user)).toBe(5);
    put('found/sub/parts/p.xacro', `<robot>${boxes(6)}</robot>`);
    expect(await height(user)).toBe(6);
  });

  test('after a variable of the environment has changed', async () => {
    const file = put(
      'variable/r.xacro',
      `<robot name="r">${boxes(1).replace('1 1 1', '1 1 $(optenv ELBOWROOM_TEST_H 1)')}</robot>`,
    );
    expect(await height(file)).toBe(1);
    process.env['ELBOWROOM_TEST_H'] = '7';
    try {
      expect(await height(file)).toBe(7);
    } finally {
      delete process.env['ELBOWROOM_TEST_H'];
    }
  });
});
