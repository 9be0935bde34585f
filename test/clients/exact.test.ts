import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cases } from '../cases.ts';
import { root, temporaryFolder } from '../host/cli/run.ts';

// The second checker, clients/python/elbowroom_verify. Its own tests are in clients/python/tests/exact.

const run = promisify(execFile);
const folder = join(root, 'clients/python');
const works = (...args: string[]) => {
  try {
    execFileSync('python3', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasPython = works('-c', 'import sys; assert sys.version_info >= (3, 9)');

describe.skipIf(!hasPython)('the second checker', () => {
  test('agrees with verify on random motions, and neither accepts a mutation', async () => {
    const output = join(temporaryFolder(), 'agree.jsonl');
    const args = [
      'scripts/exact/agree.mjs',
      '--blocks',
      '1',
      '--worlds',
      `${cases(8)}`,
      '--mutations',
      '6',
      '-o',
      output,
    ];
    const { stdout } = await run(process.execPath, args, { cwd: root });
    expect(stdout).toMatch(
      /^(\d+) of \1 motions, \d+ of them programs, proved by both, (\d+) of \2 mutations refused by both\n$/,
    );
  }, 300_000);

  const modules = readdirSync(join(folder, 'elbowroom_verify')).filter((name) => name.endsWith('.py'));
  const sources = modules
    .map((name) => readFileSync(join(folder, 'elbowroom_verify', name), 'utf8'))
    .map((text) => text.replace(/"""[\s\S]*?"""/g, ''));

  test('has at most 2,500 lines without comments', () => {
    const bare = sources.map((text) => text.replace(/^\s*#.*$/gm, ''));
    expect(
      bare
        .join('\n')
        .split(/\n+/)
        .filter((line) => line.trim() !== '').length,
    ).toBeLessThanOrEqual(2500);
  });

  test('imports the standard library alone', () => {
    const imported = sources.flatMap((text) =>
      [...text.matchAll(/^(?:from|import) ([\w.]+)/gm)].map(([, name]) => name),
    );
    const standard =
      '__future__ base64 bisect fractions hashlib itertools json math os re struct sys typing xml.etree.ElementTree';
    expect(new Set(imported.filter((name) => !name.startsWith('.')))).toEqual(new Set(standard.split(' ')));
  });
});
