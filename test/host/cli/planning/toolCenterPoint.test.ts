import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const folder = temporaryFolder();
const scene = join(folder, 'tcp.yaml');
const two = join(folder, 'two.yaml');
const home = [0, -1.57, 1.57, -1.57, -1.57, 0];

beforeAll(() => {
  const text = 'format: elbowroom-scene/1\nrobot: ur5e\nstart: [0, -1.57, 1.57, -1.57, -1.57, 0]\n';
  writeFileSync(scene, `${text}tcp: {link: tool0, xyz: [0, 0, 0.2]}\n`);
  writeFileSync(two, 'format: elbowroom-scene/1\nrobot: dual12\n');
});

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('fk --tcp', () => {
  test('adds the pose of the last link of the chain, or of the TCP of a scene', async () => {
    const input = `${JSON.stringify(home)}\n`;
    const [plain] = lines((await elbowroom(['fk', 'ur5e', '--tcp'], { input })).stdout);
    expect(plain.tcp).toEqual(plain.links.tool0);
    const [stated] = lines((await elbowroom(['fk', '--scene', scene, '--tcp'], { input })).stdout);
    expect(stated.links).toEqual(plain.links);
    expect(stated.tcp.quat_wxyz).toEqual(plain.tcp.quat_wxyz);
    // the tool points down at this state
    expect(stated.tcp.xyz[2]).toBeCloseTo(plain.tcp.xyz[2] - 0.2, 5);
    const [without] = lines((await elbowroom(['fk', '--scene', scene], { input })).stdout);
    expect(without).not.toHaveProperty('tcp');
  });

  test('reads the states of a scene from its only operand', async () => {
    const states = join(folder, 'states.jsonl');
    writeFileSync(states, `${JSON.stringify(home)}\n`);
    const { code, stdout } = await elbowroom(['fk', '--scene', scene, states]);
    expect([code, lines(stdout).length]).toEqual([0, 1]);
  });

  test.each([
    [['dual12', '--tcp'], 'ambiguous', 'State it in the scene'],
    [['--scene', two, '--tcp'], 'ambiguous', 'left_tool0'],
    [['--tcp'], 'fk: ROBOT is missing', '--scene'],
    [['ur5e', 'x', '--scene', scene], 'fk: ROBOT and --scene are both given', 'omit'],
    [['--scene', scene, '--geometry', 'visual'], '--geometry and --scene are both given', 'omit'],
  ])('%j is refused', async (args, what, note) => {
    const { code, stdout, stderr } = await elbowroom(['fk', ...args], { input: '' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(what);
    expect(stderr).toContain(note);
    expect(stderr.trim().split('\n')).toHaveLength(2);
  });
});

test('plan --svg draws the path of the TCP', async () => {
  const text = readFileSync(new URL('../../../../scenes/shelf.yaml', import.meta.url), 'utf8');
  const draw = async (name: string, keys: string) => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, `${text}\n${keys}\n`);
    const args = ['--svg', join(folder, `${name}.svg`), '-o', join(folder, `${name}.json`)];
    expect((await elbowroom(['plan', file, ...args])).code).toBe(0);
    return readFileSync(join(folder, `${name}.svg`), 'utf8');
  };
  const flange = await draw('flange', 'tcp: {link: tool0}');
  const tool = await draw('tool', 'tcp: {link: tool0, xyz: [0, 0, 0.14]}');
  expect(tool).not.toBe(flange);
  expect(await draw('default', 'tcp: {}')).toBe(flange);
});

describe('ik', () => {
  test('without --link moves the TCP of the scene to the pose', async () => {
    const pose = ['--xyz', '0.4,0.2,0.3', '--rpy', 'pi,0,0'];
    const { code, stdout } = await elbowroom(['ik', '--scene', scene, ...pose]);
    expect(code).toBe(0);
    const input = lines(stdout)
      .map(({ q }) => `${JSON.stringify(q)}\n`)
      .join('');
    const poses = lines((await elbowroom(['fk', '--scene', scene, '--tcp'], { input })).stdout);
    expect(poses.length).toBeGreaterThan(2);
    for (const { tcp, links } of poses) {
      for (const [i, x] of [0.4, 0.2, 0.3].entries()) expect(tcp.xyz[i]).toBeCloseTo(x, 5);
      expect(links.tool0.xyz[2]).toBeCloseTo(0.5, 5);
    }
    expect((await elbowroom(['ik', 'ur5e', ...pose])).stdout).toBe(
      (await elbowroom(['ik', 'ur5e', '--link', 'tool0', ...pose])).stdout,
    );
  });

  test('a free axis of the tolerance has more solutions', async () => {
    const pose = ['ik', 'ur5e', '--xyz', '0.4,0.2,0.3', '--rpy', 'pi,0,0', '--solutions', '60', '--tolerance'];
    const one = lines((await elbowroom([...pose, '0.1 mm, 0.1 deg'])).stdout);
    const free = lines((await elbowroom([...pose, '0.1 mm, 0.1 deg, 0.1 deg, 180 deg'])).stdout);
    expect(free.length).toBeGreaterThan(3 * one.length);
    expect((await elbowroom([...pose, '0.1 mm, 1 deg, 0, 1 deg'])).stderr).toContain('above 0');
    expect((await elbowroom([...pose, '0.1 mm, 1 deg, 1 deg'])).stderr).toContain('Give 4');
  });

  test('of a robot with several ends requires a link or a TCP', async () => {
    const { code, stderr } = await elbowroom(['ik', 'dual12', '--xyz', '0.4,0.2,0.3']);
    expect(code).toBe(2);
    expect(stderr).toContain('the tool center point of "dual12" is ambiguous');
  });
});
