import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { bin } from '../run.ts';
import { runHere } from '../runHere.ts';

const shell = `elbowroom() { ${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} "$@"; }\n`;

/** Returns the words of a command; undefined if it needs a shell. */
function wordsOf(command: string): string[] | undefined {
  const words = command.match(/'[^']*'|"[^"$`\\]*"|[^\s'"|&;<>(){}$`\\*?~#]+/g) ?? [];
  return words.join(' ') === command ? words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2')) : undefined;
}

/**
 * Runs each command that a console block of a page shows after `$ `, and expects it to print, on stdout and stderr,
 * what the block shows. Returns the number of commands.
 * @param compared the text that is compared, for output that varies from run to run
 */
export async function expectShownOutput(
  block: string,
  cwd: string,
  compared = (text: string) => text,
): Promise<number> {
  const commands = [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)];
  for (const [, command, shown] of commands) {
    const [name, ...args] = wordsOf(command) ?? [];
    if (args[0] === 'plan' && !args.includes('--time-limit')) args.push('--time-limit', '100'); // for slow machines
    const printed =
      name === 'elbowroom'
        ? (await runHere(args, cwd)).printed
        : spawnSync('sh', ['-c', `${shell}{ ${command}; } 2>&1`], { cwd, encoding: 'utf8' }).stdout;
    expect(compared(printed), command).toBe(compared(shown));
  }
  return commands.length;
}
