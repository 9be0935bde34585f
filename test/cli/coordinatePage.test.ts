import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, root, temporaryFolder } from './run.ts';

const page = readFileSync(join(root, 'docs/coordinate.md'), 'utf8');

/** Milliseconds vary from run to run. */
const withoutTimes = (text: string) => text.replace(/solved in .*?\): /, 'solved: ').trim();

test('the commands of docs/coordinate.md print what it shows, to the digit', () => {
  const folder = temporaryFolder();
  const shell = `elbowroom() { ${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} "$@"; }\n`;
  const [, text] = /```console\n([\s\S]*?)```/.exec(page)!;
  const commands = [...text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)];
  expect(commands).toHaveLength(3);
  for (const [, command, shown] of commands) {
    const { stdout } = spawnSync('sh', ['-c', `${shell}{ ${command}; } 2>&1`], { cwd: folder, encoding: 'utf8' });
    expect(withoutTimes(stdout), command).toBe(withoutTimes(shown));
  }
  const drawn = readFileSync(join(folder, 'diagram.svg'), 'utf8');
  expect(drawn).toBe(readFileSync(join(root, 'docs/pictures/two-ur5e-bins.svg'), 'utf8'));
});
