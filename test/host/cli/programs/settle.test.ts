import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fixtures, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const ground = '  - {name: ground, type: halfspace, normal: [0, 0, 1]}\n';
const block = '  - {name: block, type: box, size: [0.1, 0.1, 0.1], pose: {xyz: [5, 0, 0.2]}, free: {density: 700}}\n';
const head = (robot = join(fixtures, 'arm.urdf')) => `format: elbowroom-scene/1\nrobot: ${robot}\n`;

function sceneIn(folder: string, text: string, name = 'scene.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('a block falls onto the ground; the result is an ordinary scene, and settling it again changes no byte', async () => {
  const folder = temporaryFolder();
  const from = sceneIn(folder, `${head()}# a comment\nobstacles:\n${ground}${block}`);
  const [to, again] = [join(folder, 'settled.yaml'), join(folder, 'again.yaml')];
  const stats = join(folder, 'stats.json');
  const first = await elbowroom(['settle', from, '-o', to, '--stats', stats]);
  expect(first).toMatchObject({ code: 0, stdout: '' });
  expect(first.stderr).toMatch(
    /^at rest after [\d.]+ s \(\d+ steps\): 1 body, 4 contacts, overlap at most 0\.0\d\d mm\n$/,
  );
  const { obstacles } = parse(readFileSync(to, 'utf8'));
  expect(obstacles[0]).toEqual({ name: 'ground', type: 'halfspace', normal: [0, 0, 1] });
  expect(obstacles[1]).toMatchObject({ name: 'block', type: 'box', size: [0.1, 0.1, 0.1], free: { density: 700 } });
  expect(Math.abs(obstacles[1].pose.xyz[2] - 0.05)).toBeLessThan(1e-4);
  expect(JSON.parse(readFileSync(stats, 'utf8'))).toMatchObject({ scene: 'scene', status: 'rest', seed: 1, bodies: 1 });
  expect(await elbowroom(['validate', to], { input: '[0, 0]\n' })).toMatchObject({ code: 0 });
  expect(await elbowroom(['settle', to, '-o', again])).toMatchObject({ code: 0 });
  expect(readFileSync(again, 'utf8')).toBe(readFileSync(to, 'utf8'));
});

test('dropped objects are listed in the result; other commands refuse the scene before', async () => {
  const folder = temporaryFolder();
  const drop = `drop:
  from: {type: cylinder, radius: 0.1, length: 0.3, pose: {xyz: [5, 0, 0.4]}}
  count: 5
  shapes: [{type: box, size: [40 mm, 40 mm, 20 mm], free: {mass: 0.1}}, {type: capsule, radius: 1 cm, length: 0.05, free: {}}]\n`;
  const from = sceneIn(folder, `${head()}${drop}obstacles:\n${ground}`);
  const to = (name: string) => join(folder, name);
  expect(await elbowroom(['settle', from, '-o', to('a.json'), '--seed', '3'])).toMatchObject({ code: 0 });
  expect(await elbowroom(['settle', from, '-o', to('b.json'), '--seed', '3'])).toMatchObject({ code: 0 });
  expect(await elbowroom(['settle', from, '-o', to('c.json'), '--seed', '4'])).toMatchObject({ code: 0 });
  expect(readFileSync(to('b.json'), 'utf8')).toBe(readFileSync(to('a.json'), 'utf8'));
  expect(readFileSync(to('c.json'), 'utf8')).not.toBe(readFileSync(to('a.json'), 'utf8'));
  const scene = JSON.parse(readFileSync(to('a.json'), 'utf8'));
  expect(scene.drop).toBeUndefined();
  expect(scene.obstacles.map(({ name }: { name: string }) => name)).toEqual([
    'ground',
    ...[1, 2, 3, 4, 5].map((i) => `dropped-${i}`),
  ]);
  expect(scene.obstacles[2]).toMatchObject({ type: 'capsule', radius: '1 cm', free: {} });
  const refused = await elbowroom(['validate', from], { input: '[0, 0]\n' });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toBe(
    `elbowroom: error: ${from}:3: drop: the objects of this scene have not been dropped yet\n` +
      '  note: Settle it first: elbowroom settle SCENE -o SETTLED.yaml, and use SETTLED.yaml.\n',
  );
  expect(await elbowroom(['plan', from])).toMatchObject({ code: 2, stdout: '' });
});

test('paths of the result lead to the same files from its own folder', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'scenes/parts'), { recursive: true });
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(folder, 'scenes/arm.urdf'), readFileSync(join(fixtures, 'arm.urdf')));
  writeFileSync(
    join(folder, 'scenes/parts/t.obj'),
    'v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n',
  );
  sceneIn(
    join(folder, 'scenes'),
    'format: elbowroom-scene/1\nobstacles:\n  - {name: pillar, type: box, size: [0.1, 0.1, 1]}\n',
    'post.yaml',
  );
  const mesh = '  - {name: tetra, type: mesh, file: parts/t.obj, pose: {xyz: [5, 0, 0.1]}, free: {}}\n';
  const from = sceneIn(join(folder, 'scenes'), `${head('./arm.urdf')}include: post.yaml\nobstacles:\n${ground}${mesh}`);
  const to = join(folder, 'out/settled.yaml');
  expect(await elbowroom(['settle', from, '-o', to])).toMatchObject({ code: 0 });
  const { robot, include, obstacles } = parse(readFileSync(to, 'utf8'));
  expect([robot, include, obstacles[1].file]).toEqual([
    '../scenes/arm.urdf',
    '../scenes/post.yaml',
    '../scenes/parts/t.obj',
  ]);
  expect(await elbowroom(['validate', to], { input: '[0, 0]\n' })).toMatchObject({
    stderr: expect.not.stringContaining('error'),
  });
  mkdirSync(join(folder, 'far/away'), { recursive: true });
  const far = join(folder, 'far/away/settled.yaml');
  const tooFar = await elbowroom(['settle', from, '-o', far]);
  expect(tooFar.code).toBe(2);
  expect(tooFar.stderr).toContain('must be below the parent');
  expect(existsSync(far)).toBe(false);
});

test('what never rests is named, with exit code 1 and no file', async () => {
  const folder = temporaryFolder();
  const from = sceneIn(folder, `${head()}obstacles:\n${block}`);
  const to = join(folder, 'settled.yaml');
  const { code, stderr, stdout } = await elbowroom(['settle', from, '-o', to, '--steps', '50']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe('still moving after 0.42 s (50 steps): "block"\n');
  expect(existsSync(to)).toBe(false);
  expect((await elbowroom(['settle', from, '--time-limit', '1e-9'])).stderr).toContain('(0 steps): "block"');
});

const wrong: readonly (readonly [string, string, string])[] = [
  ['free: {mass: 1, density: 2}', '', 'obstacles[1].free.density: mass and density are both given'],
  ['free: {mass: 0}', '', 'obstacles[1].free.mass: it is 0, must be greater than 0'],
  ['free: {mas: 1}', '', 'obstacles[1].free.mas'],
  ['free: {friction: -1}', '', 'obstacles[1].free.friction: it is -1, must be from 0'],
  ['free: {restitution: 1.01}', '', 'obstacles[1].free.restitution: it is 1.01, must be from 0 to 1'],
  ['free: {density: 3 m}', '', 'obstacles[1].free.density: it is "3 m", which is a length'],
  ['free: true', '', 'obstacles[1].free'],
  ['free: {}', 'gravity: [0, 0, 0]\n', 'gravity: it is [0,0,0], must be from 1e-6'],
  [
    'free: {}',
    'drop: {from: {type: halfspace, normal: [0, 0, 1]}, count: 1, shapes: [{type: sphere, radius: 1, free: {}}]}\n',
    'drop.from.type: it is "halfspace"',
  ],
  [
    'free: {}',
    'drop: {from: {type: sphere, radius: 1}, count: 1.5, shapes: [{type: sphere, radius: 1, free: {}}]}\n',
    'drop.count',
  ],
  [
    'free: {}',
    'drop: {from: {type: sphere, radius: 1}, count: 1, shapes: [{type: sphere, radius: 1}]}\n',
    'drop.shapes[0].free',
  ],
];

test.each(wrong)('%s %s is refused with its place', async (free, more, what) => {
  const folder = temporaryFolder();
  const box = `  - {name: block, type: box, size: [0.1, 0.1, 0.1], pose: {xyz: [0, 0, 1]}, ${free}}\n`;
  const from = sceneIn(folder, `${head()}${more}obstacles:\n${ground}${box}`);
  const { code, stdout, stderr } = await elbowroom(['settle', from, '-o', join(folder, 'out.yaml')]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`${from}:`);
  expect(stderr).toContain(what);
});

test('overlaps that cannot be resolved, free included objects and free grounds are refused by name', async () => {
  const folder = temporaryFolder();
  const wall = (name: string, x: number) =>
    `  - {name: ${name}, type: box, size: [0.1, 1, 1], pose: {xyz: [${x}, 0, 0]}}\n`;
  const box = '  - {name: wide, type: box, size: [0.1, 0.1, 0.1], free: {}}\n';
  const stuck = sceneIn(folder, `${head()}obstacles:\n${wall('left', -0.09)}${wall('right', 0.09)}${box}`);
  const { code, stderr } = await elbowroom(['settle', stuck]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/scene\.yaml:6: obstacles\[2\]: "wide" overlaps "(left|right)"/);
  sceneIn(folder, `format: elbowroom-scene/1\nobstacles:\n${block}`, 'part.yaml');
  const including = sceneIn(folder, `${head()}include: part.yaml\n`, 'including.yaml');
  expect((await elbowroom(['settle', including])).stderr).toContain(
    'part.yaml:3: obstacles[0].free: an included object',
  );
  const plane = sceneIn(folder, `${head()}obstacles:\n  - {name: p, type: halfspace, normal: [0, 0, 1], free: {}}\n`);
  expect((await elbowroom(['settle', plane])).stderr).toContain(
    'obstacles[0].type: it is "halfspace", which cannot be free',
  );
});
