import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error a script without declarations
import { install, pack } from '../../../../scripts/check-package.mjs';
import { root, temporaryFolder } from '../run.ts';

const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({ kind, text }));

/** Replaces numbers: durations and counts vary with the version. */
const withoutNumbers = (text: string) => text.replace(/(?<!exit code )\b\d+(\.\d+)?(e-?\d+)?|null/g, '#').trim();

/** Runs `npm install TARBALL` without a registry, all other commands in a shell. */
function run(command: string, folder: string): string {
  if (command.startsWith('npm install ./elbowroom-')) {
    install(pack(folder).tarball, folder);
    return '';
  }
  const { stdout } = spawnSync('sh', ['-c', `{ ${command}; } 2>&1`], { cwd: folder, encoding: 'utf8' });
  return stdout.replace(/^npm warn .*\n/gm, ''); // of settings that a machine has for npm
}

test('the tutorial leads from an empty folder to a certified pick and place in ten commands', {
  timeout: 600_000,
}, () => {
  const folder = temporaryFolder();
  const commands: string[] = [];
  for (const { kind, text } of blocks) {
    const [, name] = /^(?:.*\n)?(?:#|\/\/|<!--) (\S+\.\w+)/.exec(text) ?? [];
    if (kind !== 'console') {
      writeFileSync(join(folder, name), text);
      continue;
    }
    for (const [, command, shown] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      commands.push(command);
      expect(withoutNumbers(run(command, folder)), command).toBe(withoutNumbers(shown));
    }
  }
  expect(commands).toHaveLength(10);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(commands[0]).toBe(`npm install ./elbowroom-${version}.tgz --omit=optional`);
});
