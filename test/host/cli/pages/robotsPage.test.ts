import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../../cases.ts';
import { root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';
import { expectShownOutput } from './pageCommands.ts';

const page = readFileSync(join(root, 'docs/robots.md'), 'utf8');
const folder = join(root, 'test/fixtures/xacro');

test.runIf(isLong)('docs/robots.md shows what its commands print', async () => {
  const [, block] = /```console\n([\s\S]*?)```/.exec(page)!;
  expect(await expectShownOutput(block, folder)).toBe(3);
});

const srdf = `<robot name="arm">
  <group name="first"><joint name="joint_1"/></group>
  <group name="arm"><chain base_link="world" tip_link="link_2"/></group>
  <group_state name="home" group="first"><joint name="joint_1" value="1"/></group_state>
  <group_state name="home" group="arm"><joint name="joint_1" value="0.5"/><joint name="joint_2" value="0.25"/></group_state>
</robot>`;

test('a scene plans the group of a robot in xacro, from the named state of the group', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'arm.srdf'), srdf);
  const scene = (robot: object, goal: unknown) =>
    writeFileSync(
      join(cwd, 'scene.json'),
      JSON.stringify({
        format: 'elbowroom-scene/1',
        robot: { urdf: join(folder, 'arm.urdf.xacro'), args: { joints: 2, hand: 'none' }, srdf: 'arm.srdf', ...robot },
        start: 'home',
        goal,
      }),
    );
  scene({ group: 'arm' }, [0, 0]);
  const both = await elbowroom(['plan', 'scene.json', '--no-timing'], { cwd });
  const { joint_names, points } = JSON.parse(both.stdout);
  expect([joint_names, points[0].positions]).toEqual([
    ['joint_1', 'joint_2'],
    [0.5, 0.25],
  ]);
  scene({ group: 'first' }, [0]);
  const one = JSON.parse((await elbowroom(['plan', 'scene.json', '--no-timing'], { cwd })).stdout);
  expect([one.joint_names, one.points[0].positions]).toEqual([['joint_1'], [1]]);
  scene({}, [0, 0]);
  const none = await elbowroom(['plan', 'scene.json', '--no-timing'], { cwd });
  expect(none.stderr).toContain(
    'robot "arm": all 2 independent joints are planned (joint_1, joint_2); robot.group selects one of its groups: first, arm',
  );
  scene({ group: 'arn' }, [0, 0]);
  const wrong = await elbowroom(['plan', 'scene.json'], { cwd });
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toMatch(/scene\.json:1: robot\.group: "arm" has no group "arn"\n {2}note: Did you mean "arm"\?/);
});

test('a gripper and a camera are mounted on the robot of a scene', async () => {
  const cwd = temporaryFolder();
  const [, scene] = /```yaml\n(format: elbowroom-scene\/1\nrobot:\n {2}name: ur5e\n {2}tool: [\s\S]*?)```/.exec(page)!;
  const box = (size: string) => `<collision><geometry><box size="${size}"/></geometry></collision>`;
  const fixed = (
    child: string,
  ) => `<joint name="${child}_joint" type="fixed"><parent link="palm"/><child link="${child}"/>
    <origin xyz="0 0 0.1"/></joint>`;
  const finger = `<joint name="finger" type="prismatic"><parent link="palm"/><child link="jaw"/><axis xyz="0 1 0"/>
    <origin xyz="0 0 0.08"/><limit lower="0" upper="0.04" velocity="0.1"/></joint>`;
  const links = `<link name="palm">${box('0.08 0.1 0.08')}</link><link name="jaw">${box('0.02 0.01 0.06')}</link><link name="tip"/>`;
  writeFileSync(join(cwd, 'gripper.urdf'), `<robot name="gripper">${links}${finger}${fixed('tip')}</robot>`);
  writeFileSync(
    join(cwd, 'camera.urdf'),
    `<robot name="camera"><link name="lens">${box('0.05 0.05 0.05')}</link></robot>`,
  );
  writeFileSync(join(cwd, 'tool.yaml'), scene);
  const plan = await elbowroom(['plan', 'tool.yaml', '-o', 'tool.json', '--certificate', 'certificate.json'], { cwd });
  expect(plan).toMatchObject({ code: 0, stdout: '' });
  const proof = await elbowroom(['verify', 'certificate.json', 'tool.yaml', 'tool.json'], { cwd });
  expect(JSON.parse(proof.stdout)).toMatchObject({ proved: true });
  const { pairs } = JSON.parse(readFileSync(join(cwd, 'certificate.json'), 'utf8'));
  const names = new Set(pairs.map(({ a, b }: { a: string; b: string }) => [a, b].sort().join(' ')));
  expect(names).toContain('hand_jaw shoulder_link');
  expect(names).toContain('lens wrist_3_link');
  expect(names).not.toContain('forearm_link lens');
  for (const [from, to, message] of [
    ['forearm_link', 'foream_link', 'robot.mounts[0]: "ur5e" has no link "foream_link"'],
    ['camera.urdf', 'camra.urdf', 'robot.mounts[0].urdf: camra.urdf: there is no such file'],
    ['camera.urdf, link', 'gripper.urdf, prefix: hand_, link', 'the robot has a link "hand_palm" already'],
  ]) {
    writeFileSync(join(cwd, 'wrong.yaml'), scene.replace(from, to));
    const wrong = await elbowroom(['plan', 'wrong.yaml'], { cwd });
    expect(wrong, message).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain(message);
  }
});

test('the robot of a scene moves along a rail, and its motion is proved', async () => {
  const cwd = temporaryFolder();
  const [, scene] = /```yaml\n(format: elbowroom-scene\/1\nrobot: \{name: ur5e, base: [\s\S]*?)```/.exec(page)!;
  writeFileSync(join(cwd, 'rail.yaml'), scene);
  const plan = await elbowroom(['plan', 'rail.yaml', '-o', 'rail.json', '--certificate', 'certificate.json'], { cwd });
  expect(plan).toMatchObject({ code: 0, stdout: '' });
  const { joint_names, points } = JSON.parse(readFileSync(join(cwd, 'rail.json'), 'utf8'));
  expect(joint_names[0]).toBe('base_rail');
  expect(points[0].positions.slice(0, 3)).toEqual([-1, 0, -Math.PI / 2]);
  const proof = await elbowroom(['verify', 'certificate.json', 'rail.yaml', 'rail.json'], { cwd });
  expect(JSON.parse(proof.stdout)).toMatchObject({ proved: true });
  writeFileSync(join(cwd, 'far.yaml'), scene.replace('[0.5, 1.6, 0.4]', '[0.5, 3.6, 0.4]'));
  const far = await elbowroom(['plan', 'far.yaml'], { cwd });
  expect(far).toMatchObject({ code: 1, stdout: '' });
  writeFileSync(join(cwd, 'mast.urdf'), '<robot name="mast"><link name="base_origin"/></robot>');
  writeFileSync(join(cwd, 'taken.yaml'), scene.replace('name: ur5e', 'urdf: mast.urdf'));
  const taken = await elbowroom(['plan', 'taken.yaml'], { cwd });
  expect(taken.code).toBe(2);
  expect(taken.stderr).toContain('taken.yaml:2: robot.base: "mast" has a link "base_origin" already');
});

test('arguments may be empty; those of a scene go with --arg of robot; other formats cannot be expanded', async () => {
  const { stdout } = await elbowroom(['robot', join(folder, 'arm.urdf.xacro'), '--json', '--arg', 'prefix=']);
  expect(JSON.parse(stdout).joints[0].name).toBe('joint_1');
  const plain = await elbowroom(['robot', join(root, 'robots/ur5e/ur5e.urdf'), '--expand']);
  expect(plain).toMatchObject({ code: 2, stdout: '' });
  expect(plain.stderr).toContain('this is no xacro file: there is nothing to expand');
});
