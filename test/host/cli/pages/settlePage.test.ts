import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';
import { expectShownOutput } from './pageCommands.ts';

const page = readFileSync(join(root, 'docs/settle.md'), 'utf8');

/** Milliseconds vary from run to run. */
const withoutTimes = (text: string) => text.replace(/solved in .*?\): /, 'solved: ').trim();

test('docs/settle.md shows what its commands print, to the digit', async () => {
  const folder = temporaryFolder();
  const [, scene] = /```yaml\n(# crate.yaml\n[\s\S]*?)```/.exec(page)!;
  writeFileSync(join(folder, 'crate.yaml'), scene);
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text]) => text);
  expect(await expectShownOutput(blocks.join(''), folder, withoutTimes)).toBe(6);
});
