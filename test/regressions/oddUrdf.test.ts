import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readUrdf } from '../../src/formats/robots/urdf.ts';
import { degreesHint, isBareNumber } from '../../src/formats/text/degrees.ts';
import { loadRobot } from '../../src/host/node/files.ts';
import { elbowroom, temporaryFolder } from '../host/cli/run.ts';

const folder = temporaryFolder();
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const box = '<collision><geometry><box size="1 1 1"/></geometry></collision>';
const arm = (limit: string, inside = box, more = '') => `<robot name="r"><link name="base">${box}</link>
<link name="arm">${inside}</link><joint name="j1" type="revolute"><parent link="base"/><child link="arm"/>${more}
${limit}</joint></robot>`;
const warningsOf = async (text: string) => (await readUrdf(text, 'r.urdf')).warnings.join('\n');
const refusalOf = async (text: string) => {
  const error = await readUrdf(text, 'r.urdf').catch((reason: unknown) => reason);
  return (error as Error).message;
};
const range = 'lower="-3" upper="3"';

describe('limits', () => {
  test('of 0 are no missing limits: a joint that is planned with one is refused, with the key to set', async () => {
    for (const kind of ['velocity', 'acceleration', 'jerk']) {
      const velocity = kind === 'velocity' ? '' : 'velocity="1"';
      put('zero.urdf', arm(`<limit ${range} effort="1" ${velocity} ${kind}="0"/>`));
      const scene = (more: string) =>
        `format: elbowroom-scene/1\nrobot: {urdf: zero.urdf${more}}\nstart: [0]\ngoal: [1]\n`;
      put('zero.yaml', `${scene('')}allow: [[base, arm]]`);
      const { code, stderr } = await elbowroom(['plan', 'zero.yaml'], { cwd: folder });
      expect(code).toBe(2);
      expect(stderr).toContain(
        `zero.yaml:2: robot.limits.j1.${kind}: joint "j1" is planned, but its ${kind} limit is 0`,
      );
      expect(stderr).toContain(`limits: {j1: {${kind}: …}}`);
      put('zero.yaml', `${scene(`, limits: {j1: {${kind}: 1}}`)}allow: [[base, arm]]`);
      expect((await elbowroom(['plan', 'zero.yaml'], { cwd: folder })).code).toBe(0);
    }
  }, 30_000);

  test('below 0 are not stated, with a warning', async () => {
    const read = await readUrdf(arm(`<limit ${range} velocity="-1" effort="-1"/>`), 'r.urdf');
    expect(read.tree.joints[0].velocity).toBeUndefined();
    expect(read.warnings).toHaveLength(2);
    expect(read.warnings[0]).toMatch(/joint "j1": its velocity limit is -1, which is negative: taken as not stated/);
  });

  test('without a range are a warning: 0…0 cannot move', async () => {
    expect(await warningsOf(arm('<limit velocity="1" effort="1"/>'))).toMatch(
      /j1.*no lower and upper.*0…0, it cannot move/,
    );
    expect(await warningsOf(arm('<limit lower="0" upper="0" velocity="1"/>'))).toMatch(/j1.*0…0: it cannot move/);
    expect(await warningsOf(arm('<limit lower="-1" velocity="1"/>'))).toMatch(/states no upper, 0 is taken.*-1…0/);
    expect(await warningsOf(arm(`<limit ${range} velocity="1" effort="1"/>`))).toBe('');
  });
});

test('a sphere of radius 0 and a box of size 0 are left out with a warning; flat boxes and cylinders of radius 0 are refused', async () => {
  const shaped = (shape: string) =>
    arm(`<limit ${range} velocity="1"/>`, `${box}<collision><geometry>${shape}</geometry></collision>`);
  const read = await readUrdf(shaped('<sphere radius="0.0"/>'), 'r.urdf');
  expect(read.links[1].collisions).toHaveLength(1);
  expect(read.warnings.join()).toMatch(/link "arm": radius of the sphere is 0: it is left out/);
  const jaco = await readUrdf(shaped('<box size="0 0 0"/>'), 'r.urdf'); // as the arms of Kinova have it
  expect(jaco.links[1].collisions).toHaveLength(1);
  expect(jaco.warnings.join()).toMatch(/link "arm": size of the box is 0 0 0: it is left out/);
  for (const shape of [
    '<box size="0 1 1"/>',
    '<sphere radius="-0.1"/>',
    '<sphere radius="0x0"/>',
    '<sphere radius=""/>',
    '<cylinder radius="0" length="1"/>',
  ])
    expect(await refusalOf(shaped(shape))).toMatch(/link "arm"/);
});

test('two elements where one counts are refused', async () => {
  const limit = `<limit ${range} velocity="1"/>`;
  const two = (inside: string) => refusalOf(arm(limit, `<collision>${inside}</collision>`));
  const geometry = '<geometry><sphere radius="1"/></geometry>';
  expect(await two('<geometry><sphere radius="1"/><box size="1 1 1"/></geometry>')).toMatch(
    /link "arm": a <geometry> has two shapes, <sphere> and <box>/,
  );
  expect(await two(geometry + geometry)).toMatch(/<collision> has 2 <geometry>/);
  expect(await two(`<origin xyz="0 0 1"/><origin xyz="0 0 2"/>${geometry}`)).toMatch(/<collision> has 2 <origin>/);
  expect(await refusalOf(arm(limit, box, '<axis xyz="1 0 0"/><axis xyz="0 1 0"/>'))).toMatch(/<joint> has 2 <axis>/);
  expect(await refusalOf(arm(limit, box, '<origin/><origin/>'))).toMatch(/<joint> has 2 <origin>/);
});

describe('angles without unit beyond a full turn', () => {
  test('are a warning in URDF, scenes and options', async () => {
    expect(await warningsOf(arm(`<limit ${range} velocity="1"/>`, box, '<origin rpy="0 180 0"/>'))).toMatch(
      /joint "j1": rpy of <origin> is 0 180 0: 180 is read as radians.*180 deg.*3\.141592654/,
    );
    put('arm.urdf', arm(`<limit ${range} velocity="1" acceleration="1"/>`));
    const posed = (
      rpy: string,
      start = '0',
    ) => `format: elbowroom-scene/1\nrobot: arm.urdf\nstart: [${start}]\nallow: [[base, arm]]\nobstacles:
  - {name: far, type: sphere, radius: 1, pose: {xyz: [9, 9, 9], rpy: [0, ${rpy}, 0]}}\n`;
    const warned = async (text: string) => {
      put('posed.yaml', text);
      return (await elbowroom(['validate', 'posed.yaml'], { cwd: folder, input: '[0]\n' })).stderr;
    };
    expect(await warned(posed('180'))).toMatch(
      /posed\.yaml:6: obstacles\[0\]\.pose\.rpy\[1\]: 180 is read as radians.*`180 deg`/,
    );
    expect(await warned(posed('"-90"'))).toMatch(/-90 is read as radians/);
    expect(await warned(posed('0', '90'))).toMatch(/posed\.yaml:3: start\[0\]: 90 is read as radians/);
    for (const fine of ['180 deg', '2*pi', '4*pi', '6.2832', '-6.28']) expect(await warned(posed(fine))).toBe('');
    const ik = await elbowroom(['ik', 'arm.urdf', '--link', 'arm', '--xyz', '0,0,0', '--rpy', '0,0,180'], {
      cwd: folder,
    });
    expect(ik.stderr).toMatch(/warning: --rpy: 180 is read as radians/);
  }, 30_000);

  test('are distinguished from radians by unit, pi and magnitude', () => {
    expect(degreesHint([0, 6.2832, -6.2832])).toBeUndefined();
    expect(degreesHint([0, 6.3])).toMatch(/6\.3 is read as radians/);
    expect([180, '180', '1e2', '2*90'].map(isBareNumber)).toEqual([true, true, true, true]);
    expect(['180 deg', '4*pi', '20 mm'].map(isBareNumber)).toEqual([false, false, false]);
  });
});

describe('packages that nobody mapped', () => {
  const urdf = (address: string) =>
    `<robot name="r"><link name="a"><collision><geometry><mesh filename="${address}"/></geometry></collision></link></robot>`;
  const tetrahedron = (size: number) =>
    `v 0 0 0\nv ${size} 0 0\nv 0 ${size} 0\nv 0 0 ${size}\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n`;
  const loaded = async (file: string, packages = {}) => {
    const { links, warnings } = await loadRobot(file, { packages });
    const { points } = links[0].collisions[0].shape as unknown as { points: readonly (readonly number[])[] };
    return { size: Math.max(...points.flat()), warnings };
  };

  test('whose files are links, as of colcon build --symlink-install: the error names the option that permits them', async () => {
    put('ws/src/hand/package.xml', '<package><name>hand</name></package>');
    put('ws/src/hand/urdf/hand.urdf', urdf('package://hand/meshes/a.obj'));
    put('ws/src/hand/meshes/a.obj', tetrahedron(3));
    const installed = (name: string) => {
      const path = join(folder, 'ws/install/hand/share/hand', name);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(join(folder, 'ws/src/hand', name), path);
      return path;
    };
    const [file] = ['urdf/hand.urdf', 'package.xml', 'meshes/a.obj'].map(installed);
    const error = await loadRobot(file).catch((reason: unknown) => reason);
    const { message, note } = error as { message: string; note: string };
    expect(message).toMatch(/lies outside the robot's folders/);
    const [, option] = /link into the package "hand", which --package hand=(.*) permits/.exec(note) ?? [];
    expect((await loaded(file, { hand: option })).size).toBe(3);
  });

  test('are the nearest folders above of their name that have the file, without package.xml', async () => {
    put('arm_pkg/meshes/a.obj', tetrahedron(1));
    expect(await loaded(put('arm_pkg/urdf/deep/er/r.urdf', urdf('package://arm_pkg/meshes/a.obj')))).toEqual({
      size: 1,
      warnings: [],
    });
    const nested = put('arm_pkg/src/arm_pkg/urdf/r.urdf', urdf('package://arm_pkg/meshes/a.obj'));
    expect(await loaded(nested)).toEqual({ size: 1, warnings: [] });
    put('arm_pkg/src/arm_pkg/meshes/a.obj', tetrahedron(2));
    const both = await loaded(put('arm_pkg/src/arm_pkg/urdf/other.urdf', urdf('package://arm_pkg/meshes/a.obj')));
    expect(both.size).toBe(2);
    expect(both.warnings.join()).toMatch(
      /several folders are package "arm_pkg": .*src.arm_pkg is used, not .*--package arm_pkg=DIR/,
    );
    put('mapped/meshes/a.obj', tetrahedron(3));
    expect(await loaded(nested, { arm_pkg: join(folder, 'mapped') })).toEqual({ size: 3, warnings: [] });
  });

  test('are found above the file that a link leads to, and cannot be left', async () => {
    put('real/hand_pkg/meshes/a.obj', tetrahedron(1));
    const real = put('real/hand_pkg/urdf/r.urdf', urdf('package://hand_pkg/meshes/a.obj'));
    symlinkSync(real, join(folder, 'linked.urdf'));
    expect(await loaded(join(folder, 'linked.urdf'))).toEqual({ size: 1, warnings: [] });
    put('real/outside.obj', tetrahedron(1));
    const out = put('real/hand_pkg/urdf/out.urdf', urdf('package://hand_pkg/../outside.obj'));
    await expect(loaded(out)).rejects.toThrow(/outside/);
  });

  test('may have three slashes, with a warning', async () => {
    put('three_pkg/meshes/a.obj', tetrahedron(1));
    const { warnings } = await loaded(put('three_pkg/urdf/r.urdf', urdf('package:///three_pkg/meshes/a.obj')));
    expect(warnings.join()).toMatch(
      /link "a": mesh package:\/\/\/three_pkg\/meshes\/a\.obj: it is read as package:\/\/three_pkg/,
    );
  });
});
