import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { bin } from '../run.ts';

const shell = `elbowroom() { ${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} "$@"; }\n`;

/**
 * Runs each command that a console block of a page shows after `$ `, and expects it to print, on stdout and stderr,
 * what the block shows. Returns the number of commands.
 * @param compared the text that is compared, for output that varies from run to run
 */
export function expectShownOutput(block: string, cwd: string, compared = (text: string) => text): number {
  const commands = [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)];
  for (const [, command, shown] of commands) {
    const { stdout } = spawnSync('sh', ['-c', `${shell}{ ${command}; } 2>&1`], { cwd, encoding: 'utf8' });
    expect(compared(stdout), command).toBe(compared(shown));
  }
  return commands.length;
}
