import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import type { LinkDescription, RobotDescription } from '../../src/core/kinematics/robotModel.ts';
import { IDENTITY_POSE, type Obstacle } from '../../src/core/scene/scene.ts';
import { temporaryFolder } from '../host/cli/run.ts';
import { elbowroom } from '../host/cli/runHere.ts';

// A robot whose URDF had no <collision> at all was proved collision-free everywhere: nothing was there to collide.

const folder = temporaryFolder();
const put = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return name;
};
const box = '<geometry><box size="0.1 0.1 0.6"/></geometry>';
const urdf = (
  base: string,
  arm: string,
) => `<robot name="bare"><link name="base">${base}</link><link name="arm">${arm}</link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" velocity="1" effort="1"/></joint></robot>`;
const visual = `<visual>${box}</visual>`;
const collision = `<collision>${box}</collision>`;
put('bare.urdf', urdf(visual, visual));
put('nothing.urdf', urdf('', ''));
put('base.urdf', urdf(collision, visual));
put('mixed.urdf', urdf(collision, visual));
put('missing.urdf', urdf('', '<visual><geometry><mesh filename="no.stl"/></geometry></visual>'));
const scene = (robot: string, more = '') =>
  `format: elbowroom-scene/1\nrobot: ${robot}\nstart: [-1]\ngoal: [1]\n${more}obstacles:
  - {name: post, type: box, size: [0.5, 0.5, 0.5], pose: {xyz: [0, 0, 0.6]}}\n`;
/** Runs a command, with one state on stdin if it reads it. */
const run = (...args: string[]) =>
  elbowroom(args, { cwd: folder, ...((args[0] === 'serve' || args.includes('-')) && { input: '[0]\n' }) });

describe('a robot without any collision geometry', () => {
  test('is refused by every command with a scene, with its line and the remedies', async () => {
    put('bare.yaml', scene('bare.urdf'));
    put('t.json', '{}');
    put('c.json', '{"format": "elbowroom-certificate/1", "trajectory": "", "duration": 1, "pairs": []}');
    const commands = [
      ['plan', 'bare.yaml'],
      ['validate', 'bare.yaml', '-'],
      ['check', 'bare.yaml', 't.json'],
      ['verify', 'c.json', 'bare.yaml', 't.json'],
      ['recertify', 'bare.yaml', 't.json'],
      ['optimize', 'bare.yaml', 't.json'],
      ['time', 'bare.yaml', 't.json'],
      ['serve', 'bare.yaml', '--stdio'],
      ['view', 'bare.yaml', '--port', '0'],
      ['ik', '--scene', 'bare.yaml', '--link', 'arm', '--xyz', '0,0,0.1'],
    ];
    for (const args of commands) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout], args.join(' ')).toEqual([2, '']);
      expect(stderr, args.join(' ')).toMatch(/bare\.yaml:2: robot: robot "bare" has no collision geometry/);
      expect(stderr).toMatch(/geometry: visual.*robot\.empty/);
    }
  }, 60_000);

  test('is refused although it carries an object', async () => {
    put('carry.yaml', scene('bare.urdf', 'attached: [{name: cup, type: sphere, radius: 0.1, link: arm}]\n'));
    expect((await run('plan', 'carry.yaml')).code).toBe(2);
  });

  test('is a problem for --doctor, while robot, fk and ik work', async () => {
    const doctor = await run('robot', 'bare.urdf', '--doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/problem: bare\.urdf:1: robot "bare" has no collision geometry/);
    const robot = await run('robot', 'bare.urdf', '--json');
    expect([robot.code, JSON.parse(robot.stdout).links[1].collisions]).toEqual([0, 0]);
    expect(robot.stderr).toMatch(/warning: robot "bare" has no collision geometry/);
    expect((await run('fk', 'bare.urdf', '-')).code).toBe(0);
    expect((await run('ik', 'bare.urdf', '--link', 'arm', '--xyz', '0,0,0.1')).code).toBe(0);
  });

  test('is checked with its visual geometry if the scene selects it', async () => {
    put('visual.yaml', scene('{urdf: bare.urdf, geometry: visual}'));
    const { code, stdout } = await run('validate', 'visual.yaml', '-');
    expect([code, JSON.parse(stdout).collisions]).toEqual([1, [['arm', 'post']]]);
    const robot = await run('robot', 'bare.urdf', '--geometry', 'visual', '--json');
    const { links, warnings } = JSON.parse(robot.stdout);
    expect([links[1].collisions, warnings]).toEqual([1, []]);
  });

  test('is accepted if all its links are listed in robot.empty, which must be right', async () => {
    const answerTo = async (empty: string, file = 'bare.urdf') => {
      put('empty.yaml', scene(`{urdf: ${file}, empty: ${empty}}`));
      const { code, stderr } = await run('validate', 'empty.yaml', '-');
      return `${code} ${stderr}`;
    };
    expect(await answerTo('[base, arm]')).toBe('0 ');
    expect(await answerTo('[base]')).toMatch(/^2 .*no collision geometry.*does not list arm/s);
    expect(await answerTo('[base, amr]')).toMatch(/^2 .*robot\.empty\[1\]: it is "amr".*Did you mean "arm"/s);
    expect(await answerTo('[base]', 'base.urdf')).toMatch(
      /robot\.empty\[0\]: it is "base", which has collision geometry/,
    );
  }, 20_000);

  test('cannot be made of visual geometry that is not there', async () => {
    put('missing.yaml', scene('{urdf: missing.urdf, geometry: visual}'));
    const missing = await run('plan', 'missing.yaml');
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/no\.stl.*no such file/)]);
    put('nothing.yaml', scene('{urdf: nothing.urdf, geometry: visual}'));
    expect((await run('plan', 'nothing.yaml')).code).toBe(2);
  });
});

test('a robot with collision geometry on its fixed base alone is a warning: no motion can collide', async () => {
  put('base.yaml', scene('base.urdf'));
  const { code, stderr } = await run('validate', 'base.yaml', '-');
  expect(code).toBe(0);
  expect(stderr).toMatch(/warning: robot "bare": no link that a planned joint moves has collision geometry \(arm\)/);
  expect((await run('robot', 'base.urdf', '--doctor')).code).toBe(1);
});

describe('in the library', () => {
  const link = (name: string, collisions: LinkDescription['collisions'] = []): LinkDescription => ({
    name,
    collisions,
  });
  const described = (links: readonly LinkDescription[]): RobotDescription => ({
    name: 'hand-made',
    root: 'base',
    links,
    joints: [],
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  });
  const sphere = { shape: { type: 'sphere', radius: 0.1 }, pose: IDENTITY_POSE, triangles: 0, source: 0 } as const;
  const empty = { obstacles: [], attached: [], allow: [], padding: 0 };

  test('collision models and certificates refuse a robot without geometry', () => {
    const bare = createRobotModel(described([link('base')]));
    expect(() => new CollisionModel(bare, empty)).toThrow(/no collision geometry/);
    const trajectory = { jointNames: [], points: [{ positions: [] }] } as never;
    const certificate = { trajectory: '', duration: 0, pairs: [] } as never;
    expect(() => verifyCertificate(certificate, bare, empty, trajectory)).toThrow(/no collision geometry/);
    const stated = createRobotModel(described([link('base')]), { empty: ['base'] });
    expect(new CollisionModel(stated, empty).pairCount).toBe(0);
  });

  test('links of `empty` must be there, without geometry', () => {
    const robot = described([link('base', [sphere])]);
    expect(() => createRobotModel(robot, { empty: ['bse'] })).toThrow(/no link "bse"/);
    expect(() => createRobotModel(robot, { empty: ['base'] })).toThrow(/has collision geometry/);
  });

  test('an obstacle without parts is no free space', () => {
    const robot = createRobotModel(described([link('base', [sphere])]));
    const hollow: Obstacle = { name: 'hollow', parts: [], pose: IDENTITY_POSE };
    expect(() => new CollisionModel(robot, { ...empty, obstacles: [hollow] })).toThrow(/"hollow" has no parts/);
  });
});
