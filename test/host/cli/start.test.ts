import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { posts, root, temporaryFolder } from './run.ts';

/** A copy of what was built, to be spoiled. */
const copy = temporaryFolder();
mkdirSync(join(copy, 'dist'));
for (const part of ['bin', 'dist/cli']) cpSync(join(root, part), join(copy, part), { recursive: true });
for (const part of ['robots', 'node_modules', 'package.json']) symlinkSync(join(root, part), join(copy, part));
const codeFiles = readdirSync(join(copy, 'dist/cli'))
  .filter((name) => /^whole\..*\.code$/.test(name))
  .sort()
  .map((name) => join(copy, 'dist/cli', name));
const [codeFile] = codeFiles;

/** Runs the copy. The stack trace of an error shows whether the precompiled code ran. */
function run(...args: string[]) {
  return runWith('', ...args);
}

function runWith(NODE_OPTIONS: string, ...args: string[]) {
  const env = { ...process.env, ELBOWROOM_DEBUG: '1', ELBOWROOM_CACHE: 'off', NODE_OPTIONS };
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(copy, 'bin/elbowroom.js'), ...args], {
    encoding: 'utf8',
    env,
  });
  return { stdout, stderr, status, precompiled: /whole\.\w+\.\d\.cjs/.test(stderr) };
}

const plan = () => JSON.parse(run('plan', posts).stdout).hash;

test('commands run from the code that the build has kept, and from the modules where it is not to be used', () => {
  expect(run('pln')).toMatchObject({ status: 2, precompiled: true });
  expect(codeFiles.length).toBe(3);
  expect(runWith('--max-old-space-size=3000', 'pln')).toMatchObject({ status: 2, precompiled: true });
  const hash = plan();
  expect(hash).toMatch(/^[0-9a-f]{64}$/);

  const code = readFileSync(codeFile);
  const spoiled: [string, (bytes: Buffer) => Buffer, boolean?][] = [
    ['made of another source', (bytes) => Buffer.concat([Buffer.from('0'.repeat(64)), bytes.subarray(64)])],
    [
      'made by another V8',
      (bytes) => Buffer.concat([bytes.subarray(0, 64), Buffer.from(' '.repeat(16)), bytes.subarray(80)]),
    ],
    ['cut short', (bytes) => bytes.subarray(0, 1000), true], // the scripts without their code
    ['empty', () => Buffer.alloc(0)],
  ];
  for (const [how, spoil, precompiled = false] of spoiled) {
    writeFileSync(codeFile, spoil(code));
    expect(run('pln'), how).toMatchObject({ status: 2, precompiled });
    expect(plan(), how).toBe(hash);
  }
  writeFileSync(codeFile, code);
  for (const file of codeFiles.slice(1)) writeFileSync(file, 'spoiled');
  expect(run('pln')).toMatchObject({ status: 2, precompiled: true });
  expect(plan()).toBe(hash);
  rmSync(codeFile);
  expect(run('pln')).toMatchObject({ status: 2, precompiled: false });
  expect(plan()).toBe(hash);
});
