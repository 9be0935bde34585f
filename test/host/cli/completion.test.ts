import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './run.ts';
import { elbowroom } from './runHere.ts';

const folder = temporaryFolder();
const scriptOf = (shell: string) => join(folder, `completion.${shell}`);
const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await elbowroom(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(scriptOf(shell), stdout);
  }
});

/** Returns what a shell offers for the last word of a line, sorted. */
const offers: Readonly<Record<string, (words: readonly string[]) => string[]>> = {
  bash: (words) => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const script = `source ${scriptOf('bash')}; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _elbowroom; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(execFileSync('bash', ['-c', script], { encoding: 'utf8' }));
  },
  fish: (words) => {
    const script = `source ${scriptOf('fish')}; complete -C '${words.join(' ')}'`;
    return lines(execFileSync('fish', ['-N', '-c', script], { encoding: 'utf8' })).map((line) => line.split('\t')[0]);
  },
};
const lines = (text: string) => text.split('\n').filter(Boolean).sort();

describe.each(['bash', 'fish'])('%s completes', (shell) => {
  test.runIf(isInstalled(shell)).each<[string, readonly string[], readonly string[]]>([
    ['commands', ['va'], ['validate']],
    ['options of the command', ['plan', '--plan'], ['--planner', '--planner-option']],
    ['values of an option', ['plan', '--planner', 'rrt-'], ['rrt-connect', 'rrt-star']],
    ['built-in scenes', ['check', 'pick'], ['pick-and-place']],
    ['built-in robots', ['fk', 'ur1'], ['ur10', 'ur10e', 'ur12e', 'ur16e']],
  ])('%s', (_, words, offered) => {
    expect(offers[shell](['elbowroom', ...words])).toEqual(offered);
  });
});

test.runIf(isInstalled('zsh'))('zsh reads its script', () => {
  const script = `autoload -Uz compinit; compinit -u -D; source ${scriptOf('zsh')}; print $_comps[elbowroom]`;
  expect(execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8' })).toBe('_elbowroom\n');
});

test('the script for PowerShell closes each bracket and text, and offers what the tables list', async () => {
  const { stdout } = await elbowroom(['completion', 'powershell']);
  const open: string[] = [];
  for (const [mark] of stdout
    .replace(/^#.*$/gm, '')
    .replace(/'(?:[^'\n]|'')*'/g, '')
    .matchAll(/[(){}[\]'"]/g))
    if (mark === '"' && open.at(-1) === '"') open.pop();
    else if ('({["\''.includes(mark)) open.push(mark);
    else expect(`${open.pop()}${mark}`).toMatch(/^(\(\)|\{\}|\[\])$/);
  expect(open).toEqual([]);
  expect(stdout).toContain("if ($previous -cin @('--planner')) { & $offer @(,@('rrt', 'rrt'); ,@('rrt-connect'");
  expect(stdout).toMatch(/^ {4}'check' \{[\s\S]*?else \{ & \$offer @\(.*'pick-and-place'.*\n {6}return\n {4}\}/m);
});

test('another shell is refused with the ones there are', async () => {
  const { code, stderr } = await elbowroom(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('unknown SHELL "tcsh"');
  expect(stderr).toContain('bash, zsh, fish, powershell');
});
