import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../../../src/host/cli/commands/index.ts';
import { withGlobalOptions } from '../../../../src/host/cli/globalOptions.ts';
import { parseArguments } from '../../../../src/host/cli/parse.ts';
import { root } from '../run.ts';

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !file.startsWith('docs/api')),
];

/** Returns the words of each `elbowroom` command in the code blocks of a page, without pipes and comments. */
function commandsOf(page: string): string[][] {
  const found: string[][] = [];
  for (const [, block] of page.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```/gm)) {
    for (const [, text] of block.replaceAll('\\\n', ' ').matchAll(/(?:^|[;|(&] *|^\$ |npx |do )elbowroom ([^\n]*)/gm)) {
      const words: string[] = [];
      for (const [word] of text.split(/ \d?>/)[0].matchAll(/(?:"[^"]*"|'[^']*'|[^\s"';|&()]+)+|[;|&()]/g)) {
        if (/^[;|&()#]/.test(word)) break;
        words.push(word.replaceAll(/["']/g, ''));
      }
      found.push(words);
    }
  }
  return found;
}

test('the command line accepts the options and operands of every command in the pages', async () => {
  const refused: string[] = [];
  const counts = new Map<string, number>();
  for (const file of pages) {
    const found = commandsOf(readFileSync(join(root, file), 'utf8'));
    counts.set(file, found.length);
    for (const [verb, ...words] of found) {
      if (verb.startsWith('-') || verb === 'help') continue;
      try {
        if (!Object.hasOwn(commands, verb)) throw new Error('unknown command');
        parseArguments(verb, withGlobalOptions(await commands[verb as keyof typeof commands].load()), words);
      } catch (error) {
        refused.push(`${file}: ${[verb, ...words].join(' ')}: ${(error as Error).message}`);
      }
    }
  }
  expect(refused).toEqual([]);
  expect(counts.get('docs/experiments.md')).toBeGreaterThan(2);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(80);
});

test('a command that the command line refuses is found', async () => {
  const [[verb, ...words]] = commandsOf('```sh\nX=1; elbowroom plan scene.yaml --sead 3 | cat # seeds\n```\n');
  expect([verb, ...words]).toEqual(['plan', 'scene.yaml', '--sead', '3']);
  const plan = withGlobalOptions(await commands.plan.load());
  expect(() => parseArguments(verb, plan, words)).toThrow('--sead');
});
