import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../../cases.ts';
import { bin, root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';
import { expectShownOutput } from './pageCommands.ts';

const page = readFileSync(join(root, 'docs/programs.md'), 'utf8');
const [, tutorial] = /## From an empty file.*\n([\s\S]*?)\n## Steps/.exec(page)!;
const blocks = [...tutorial.matchAll(/```(yaml|console)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({ kind, text }));

/** Replaces numbers: durations and counts vary with the version. */
const withoutNumbers = (text: string) => text.replace(/(?<!exit code )\b\d+(\.\d+)?(e-?\d+)?|null/g, '#').trim();

test.runIf(isLong)('docs/programs.md shows six small steps, and what their commands print', async () => {
  expect(tutorial.match(/^\*\*\d\. /gm)).toHaveLength(6);
  const folder = temporaryFolder();
  let commands = 0;
  for (const { kind, text } of blocks) {
    if (kind === 'yaml') {
      const [, name, continued] = /^# (\S+?)(, continued)?\n/.exec(text)!;
      (continued ? appendFileSync : writeFileSync)(join(folder, name), text);
      continue;
    }
    commands += await expectShownOutput(text, folder, withoutNumbers);
  }
  expect(commands).toBe(8);
});

test('every step of the reference is one that scenes may have', () => {
  const schema = spawnSync(process.execPath, [bin, 'schema', 'scene'], { encoding: 'utf8' }).stdout;
  for (const kind of ['move', 'line', 'arc', 'attach', 'detach', 'wait', 'set', 'allow', 'forbid']) {
    expect(page).toContain(`\`${kind}: `);
    expect(schema).toContain(`"${kind}"`);
  }
});

test('commands that take single motions refuse programs with exit code 2 and write nothing', async () => {
  const cwd = temporaryFolder();
  expect(await elbowroom(['plan', 'pick-and-place', '-o', 'job.json'], { cwd })).toMatchObject({ code: 0 });
  const scene = 'pick-and-place';
  for (const [args, what] of [
    [['optimize', scene, 'job.json'], 'the scene is a program of'],
    [['recertify', scene, 'job.json'], 'the scene is a program of'],
    [['time', scene, 'job.json'], 'the scene is a program of'],
    [['plan', scene, '--optimize'], '--optimize: '],
    [['plan', scene, '--goal', 'home'], '--goal: '],
  ] as const) {
    const { code, stdout, stderr } = await elbowroom(args, { cwd });
    expect({ code, stdout }, args.join(' ')).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(what);
  }
});

test('validate checks states in the scene before the first step', async () => {
  const { code, stdout } = await elbowroom(['validate', 'pick-and-place'], {
    input: '[0, -1.57, 1.57, -1.57, -1.57, 0]\n',
  });
  expect({ code, valid: JSON.parse(stdout).valid }).toEqual({ code: 0, valid: true });
});
