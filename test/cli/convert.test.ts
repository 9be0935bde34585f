import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { elbowroom, fixtures, temporaryFolder } from './run.ts';

const text = '(noname)+\n* ball\n1\nsphere\n0.3\n0 1 0\n0 0 0 1\n0 0 0 0\n.\n';

test('a .scene becomes a scene that validate reads', async () => {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, 'a.scene'), join(folder, 'a.yaml')];
  writeFileSync(from, text);
  const robot = join(fixtures, 'arm.urdf');
  expect(await elbowroom(['convert', from, '--robot', robot, '-o', to])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  });
  expect(readFileSync(to, 'utf8')).toContain('{name: "ball", type: "sphere", radius: 0.3, pose: {xyz: [0, 1, 0]}}');
  const { code, stdout } = await elbowroom(['validate', to], { input: '[0, 0]\n' });
  expect({ code, valid: JSON.parse(stdout).valid }).toEqual({ code: 0, valid: true });
});

test('an invalid scene is an input error, reported in one line', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.scene');
  writeFileSync(file, text.slice(0, -2));
  expect(await elbowroom(['convert', file])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `elbowroom: error: ${file}:9: the file ends too early\n  note: The list of objects ends with a line that holds a single dot.\n`,
  });
  expect(await elbowroom(['convert', join(folder, 'a.txt')])).toMatchObject({ code: 2 });
});
