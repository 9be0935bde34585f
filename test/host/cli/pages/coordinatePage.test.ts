import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';
import { expectShownOutput } from './pageCommands.ts';

const page = readFileSync(join(root, 'docs/coordinate.md'), 'utf8');

/** Milliseconds vary from run to run. */
const withoutTimes = (text: string) => text.replace(/solved in .*?\): /, 'solved: ').trim();

test('the commands of docs/coordinate.md print what it shows, to the digit', async () => {
  const folder = temporaryFolder();
  const texts = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text]) => text);
  expect(await expectShownOutput(texts.join(''), folder, withoutTimes)).toBe(5);
  const drawn = readFileSync(join(folder, 'diagram.svg'), 'utf8');
  expect(drawn).toBe(readFileSync(join(root, 'docs/pictures/two-ur5e-bins.svg'), 'utf8'));
});
