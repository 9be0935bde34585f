import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../../cases.ts';
import { root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';
import { expectShownOutput } from './pageCommands.ts';

const page = readFileSync(join(root, 'docs/moving.md'), 'utf8');
const blocks = [...page.matchAll(/```(yaml|console)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({ kind, text }));

/** Replaces numbers: durations and counts vary with the version. */
const withoutNumbers = (text: string) =>
  text
    .replace(/^warning: .*\n/gm, '')
    .replace(/\b\d+(\.\d+)?(e-?\d+)?/g, '#')
    .trim();

test.runIf(isLong)('docs/moving.md shows what its commands print', async () => {
  const folder = temporaryFolder();
  let commands = 0;
  for (const { kind, text } of blocks) {
    if (kind === 'yaml') {
      writeFileSync(join(folder, /^# (\S+)\n/.exec(text)![1]), text);
      continue;
    }
    commands += await expectShownOutput(text, folder, withoutNumbers);
  }
  expect(commands).toBe(7);
});

test('a state is checked at its time, in JSON lines and in CSV', async () => {
  const q = [0, -1.3, 1.9, -2.2, -1.57, 0];
  const names = ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3'].map(
    (one) => `${one}_joint`,
  );
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'door.yaml'), blocks[0].text);
  const lines = [0, 3, 'soon'].map((t) => JSON.stringify({ q, t })).join('\n');
  const { stdout, code } = await elbowroom(['validate', 'door.yaml'], { input: lines, cwd });
  const [closed, open, wrong] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([closed.valid, closed.collisions, open.valid]).toEqual([false, [['forearm_link', 'door']], true]);
  expect(wrong.error).toMatch(/^t is "soon", not a time in seconds/);
  expect(code).toBe(2);
  const table = [
    ['t', ...names],
    [0, ...q],
    [3, ...q],
  ]
    .map((row) => row.join(','))
    .join('\n');
  const csv = await elbowroom(['validate', 'door.yaml'], { input: table, cwd });
  expect(
    csv.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).valid),
  ).toEqual([false, true]);
  const threads = await elbowroom(['validate', 'door.yaml', '--jobs', '2'], { input: table, cwd });
  expect(threads.stdout).toBe(csv.stdout);
});

test('commands that do not support moving scenes refuse them with exit code 2 and write nothing', async () => {
  const cwd = temporaryFolder();
  const scene = 'revolving-door';
  writeFileSync(join(cwd, 'some.json'), '{}');
  for (const args of [
    ['optimize', scene, 'some.json'],
    ['time', scene, 'some.json'],
    ['ik', '--scene', scene, '--xyz', '0.4,0.2,0.3'],
    ['repair', scene, 'some.json'],
    ['settle', scene, '-o', 'out.yaml'],
    ['validate', scene, '--motions'],
    ['plan', scene, '--jobs', '2'],
    ['plan', scene, '--no-timing'],
    ['plan', scene, '--planner', 'prm'],
  ]) {
    const { code, stdout, stderr } = await elbowroom(args, { cwd });
    expect({ code, stdout }, `${args.join(' ')}: ${stderr}`).toEqual({ code: 2, stdout: '' });
  }
});

test.each(['revolving-door', 'conveyor-pick'])('the bundled scene %s is planned and verified', async (scene) => {
  const cwd = temporaryFolder();
  const args = ['plan', scene, '-o', 'm.json', '--certificate', 'c.json'];
  expect(await elbowroom(args, { cwd })).toMatchObject({ code: 0 });
  expect(await elbowroom(['verify', 'c.json', scene, 'm.json'], { cwd })).toMatchObject({ code: 0 });
});

test('an experiment plans moving scenes as plan does, and refuses settings that they do not support', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'door.yaml'), blocks[0].text);
  const file = (more: string) => `format: elbowroom-experiment/1\nscenes: door.yaml\nseeds: [3]\n${more}`;
  writeFileSync(join(cwd, 'one.yaml'), file(''));
  writeFileSync(join(cwd, 'two.yaml'), file('planners: [rrt-connect, prm]\n'));
  expect((await elbowroom(['experiment', 'one.yaml', '-o', 'out', '--jobs', '1'], { cwd })).code).toBe(0);
  const planned = await elbowroom(['plan', 'door.yaml', '--seed', '3'], { cwd });
  const { hash } = JSON.parse(readFileSync(join(cwd, 'out/runs.jsonl'), 'utf8'));
  expect(hash).toBe(JSON.parse(planned.stdout).hash);
  const { code, stderr } = await elbowroom(['experiment', 'two.yaml', '-o', 'other'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/two.yaml:1: "prm" uses another planner/)]);
});
