import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, posts, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const folder = temporaryFolder();
const recording = join(folder, 'posts.mcap');

test('plan --format mcap writes a recording that check, and verify with its certificate, read back', async () => {
  const proof = join(folder, 'proof.json');
  const planned = await elbowroom(['plan', posts, '--format', 'mcap', '-o', recording, '--certificate', proof]);
  expect(planned).toMatchObject({ code: 0, stdout: '' });
  const checked = await elbowroom(['check', posts, recording]);
  expect({ code: checked.code, stderr: checked.stderr }).toEqual({ code: 0, stderr: '' });
  const plain = JSON.parse((await elbowroom(['plan', posts])).stdout);
  expect(JSON.parse(checked.stdout)).toMatchObject({ valid: true, points: plain.points.length });
  expect(await elbowroom(['verify', proof, posts, recording])).toMatchObject({ code: 0 });
});

test('a redirected stdout takes the same bytes as a file', () => {
  const { stdout, status } = spawnSync(process.execPath, [bin, 'plan', posts, '--format', 'mcap']);
  expect(status).toBe(0);
  expect(Buffer.compare(stdout, readFileSync(recording))).toBe(0);
});

const script = '/usr/bin/script'; // of util-linux: gives a command a terminal
test.skipIf(!existsSync(script))('a terminal is spared the bytes', () => {
  const command = `'${process.execPath}' '${bin}' plan '${posts}' --format mcap`;
  const { stdout, status } = spawnSync(script, ['-qec', command, '/dev/null'], { encoding: 'utf8' });
  expect(status).toBe(2);
  const shown = stdout.replaceAll('\r', '').split('\u001b[K');
  expect(shown.slice(0, -1).join('')).toMatch(/^(plan: reading the input …|p)?$/); // the progress line, cleared
  expect(shown.at(-1)).toBe(
    'elbowroom: error: this format is binary, and stdout is a terminal\n  note: Give -o FILE, or redirect stdout.\n',
  );
});

test('a broken recording is refused in a line', async () => {
  const cut = join(folder, 'cut.mcap');
  writeFileSync(cut, readFileSync(recording).subarray(0, 2000));
  const { code, stderr } = await elbowroom(['check', posts, cut]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^elbowroom: error: .*cut\.mcap: this MCAP file is broken: [^\n]+\n {2}note: Write it again\.\n$/,
  );
});

test('without the packages it names those to install, and writes nothing', async () => {
  const hook = `export const resolve = (name, context, next) => {
    if (!name.startsWith('@mcap/')) return next(name, context);
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  };`;
  const loader = join(folder, 'loader.mjs');
  writeFileSync(
    loader,
    `import { register } from 'node:module';
     register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));`,
  );
  const file = join(folder, 'none.mcap');
  const env = { NODE_OPTIONS: `--import=${loader}` };
  const { code, stderr } = await elbowroom(['plan', posts, '--format', 'mcap', '-o', file], { env });
  expect(code).toBe(2);
  expect(stderr).toContain(
    'elbowroom: error: MCAP files need two packages that are not installed\n  note: Install them with: npm install @mcap/core @foxglove/schemas\n',
  );
  expect(existsSync(file)).toBe(false);
});
