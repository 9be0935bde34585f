import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../../src/host/cli/commands/index.ts';
import { elbowroom, fixtures, posts, temporaryFolder } from './run.ts';

const folder = temporaryFolder();
const armFile = join(fixtures, 'arm.urdf');
const written = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
test('--quiet leaves warnings and errors, and the same result', async () => {
  const [loud, quiet] = await Promise.all([elbowroom(['plan', posts]), elbowroom(['plan', posts, '--quiet'])]);
  expect(loud.stderr).toContain('posts');
  expect(quiet).toEqual({ ...loud, stderr: '' });
  const failed = await elbowroom(['plan', join(folder, 'none.yaml'), '--quiet']);
  expect(failed.stderr).toContain('elbowroom: error: ');
});

test('--verbose adds files and phases, and the result is the same', async () => {
  const scene = written('fast.yaml', `${readFileSync(posts, 'utf8').replace('arm.urdf', armFile)}tcp_speed: 250\n`);
  const verbose = await elbowroom(['plan', scene, '--verbose']);
  expect(verbose.stdout).toBe((await elbowroom(['plan', scene, '--quiet'])).stdout);
  expect(verbose.stderr).toMatch(/^read .*arm\.urdf: \d+ bytes$/m);
  expect(verbose.stderr).toMatch(/^posts: planning: \d+ ms$/m);
  expect(verbose.stderr).toMatch(/^plan: exit code 0, \d+ ms of CPU, at most \d+ MiB$/m);
  const both = await elbowroom(['plan', posts, '--verbose', '--quiet']);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--quiet and --verbose are both given') });
});

test('no command has an option of its own with the name of a global one', async () => {
  for (const { load } of Object.values(commands)) {
    const { options } = await load();
    for (const name of ['quiet', 'verbose']) expect(Object.keys(options)).not.toContain(name);
  }
});
