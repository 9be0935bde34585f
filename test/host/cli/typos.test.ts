import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from './run.ts';
import { elbowroom } from './runHere.ts';

const head = 'format: elbowroom-scene/1\nrobot: ur5e\nstart: home\n';
const xacro = join(root, 'test/fixtures/xacro/arm.urdf.xacro');

async function messageOf(scene: string): Promise<string> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'scene.yaml'), `${head}${scene}`);
  const { code, stdout, stderr } = await elbowroom(['plan', 'scene.yaml'], { cwd });
  expect([code, stdout]).toEqual([2, '']);
  return stderr;
}

test.each([
  ['lin', 'line', '{lin: {by: [0, 0, 0.1]}}'],
  ['atach', 'attach', '{atach: part}'],
  ['detatch', 'detach', '{detatch: part}'],
])('the error of the misspelled step "%s" suggests "%s"', async (typo, meant, step) => {
  const message = await messageOf(`steps: [${step}]\n`);
  expect(message).toContain(`scene.yaml:4: steps[0].${typo}: unknown key\n  note: Did you mean "${meant}"?`);
  expect(message).not.toContain('steps[0].move');
});

test('a time with the unit of a length, or with one that is not known, is refused', async () => {
  expect(await messageOf('steps: [{wait: 0.5 mm}]\n')).toContain('steps[0].wait: it is "0.5 mm", which is a length;');
  const message = await messageOf('steps: [{wait: 0.5 h}]\n');
  expect(message).toContain('steps[0].wait: it is "0.5 h": it may not use "h"\n');
  expect(message).toContain('note: Write a number without unit; times are in seconds, masses in kilograms.');
});

test('a goal beside steps is one error', async () => {
  const message = await messageOf('goal: home\ndefaults: {speed: 0.5}\nsteps: [{wait: 1}]\n');
  expect(message).toMatch(/^elbowroom: error: scene.yaml:4: goal: the scene has steps, too\n.*\n$/);
});

test('a scene in the place of a trajectory is refused by its format, not by each key', async () => {
  const { code, stderr } = await elbowroom(['check', 'shelf', join(root, 'scenes/shelf.yaml')]);
  expect(code).toBe(2);
  expect(stderr.match(/error/g)).toHaveLength(1);
  expect(stderr).toContain('shelf.yaml:1: format: "elbowroom-scene/1" is not a trajectory format');
});

test('a state with a key of time other than t is not checked at time 0', async () => {
  const input = `${JSON.stringify({ q: [0, -1.3, 1.9, -2.2, -1.57, 0], time: 3 })}\n`;
  const { code, stdout } = await elbowroom(['validate', 'revolving-door'], { input });
  expect(code).toBe(2);
  expect(JSON.parse(stdout).error).toBe('it has the key time; the time of a state is t');
});

test('settle warns of a scene without free objects', async () => {
  const { code, stderr } = await elbowroom(['settle', 'shelf']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: shelf: no object is free, so that none falls/);
});

test('arguments that a robot file does not use are refused or warned of', async () => {
  const refused = await elbowroom(['robot', 'ur5e', '--arg', 'prefix=left_']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('ur5e.urdf: this is no xacro file: it has no argument "prefix"');
  const warned = await elbowroom(['robot', xacro, '--arg', 'joint=2', '--arg', 'hand=none']);
  expect(warned.code).toBe(0);
  expect(warned.stderr).toContain('the argument "joint" is given, but not used; did you mean "joints"?');
  expect(warned.stderr).not.toContain('"hand"');
});
