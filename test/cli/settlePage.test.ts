import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, root, temporaryFolder } from './run.ts';

const page = readFileSync(join(root, 'docs/settle.md'), 'utf8');

/** Milliseconds vary from run to run. */
const withoutTimes = (text: string) => text.replace(/solved in .*?\): /, 'solved: ').trim();

test('docs/settle.md shows what its commands print, to the digit', () => {
  const folder = temporaryFolder();
  const shell = `elbowroom() { ${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} "$@"; }\n`;
  const [, scene] = /```yaml\n(# crate.yaml\n[\s\S]*?)```/.exec(page)!;
  writeFileSync(join(folder, 'crate.yaml'), scene);
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text]) => text);
  const commands = [...blocks.join('').matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)];
  expect(commands).toHaveLength(6);
  for (const [, command, shown] of commands) {
    const { stdout } = spawnSync('sh', ['-c', `${shell}{ ${command}; } 2>&1`], { cwd: folder, encoding: 'utf8' });
    expect(withoutTimes(stdout), command).toBe(withoutTimes(shown));
  }
});
