import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';
import { expectShownOutput } from './pageCommands.ts';

const page = readFileSync(join(root, 'docs/coordinate.md'), 'utf8');

/** Milliseconds vary from run to run. */
const withoutTimes = (text: string) => text.replace(/solved in .*?\): /, 'solved: ').trim();

test('the commands of docs/coordinate.md print what it shows, to the digit', () => {
  const folder = temporaryFolder();
  const texts = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text]) => text);
  const scene = /```yaml\n(# exchange.yaml[\s\S]*?)```/.exec(page)![1];
  writeFileSync(join(folder, 'exchange.yaml'), scene);
  writeFileSync(join(folder, 'left.yaml'), scene.slice(0, scene.indexOf('robots:')));
  const [bins, exchange, certificate] = texts.map((text) => () => expectShownOutput(text, folder, withoutTimes));
  expect([bins(), certificate(), exchange()]).toEqual([3, 2, 3]);
  const drawn = readFileSync(join(folder, 'diagram.svg'), 'utf8');
  expect(drawn).toBe(readFileSync(join(root, 'docs/pictures/two-ur5e-bins.svg'), 'utf8'));
});
