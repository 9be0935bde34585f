import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { readInputStream } from '../../../src/host/node/inputStreams.ts';
import { temporaryFolder } from '../cli/run.ts';

/** Seconds; 30 in commands. */
const SILENCE = 0.5;

describe.skipIf(process.platform === 'win32')('named pipes as input', () => {
  function createPipe(): string {
    const path = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [path]);
    return path;
  }
  const writing = (path: string, command: string) =>
    spawn('sh', ['-c', `exec > "$1"; ${command}`, 'sh', path], { stdio: 'ignore' });

  test('one that no process writes is given up after the longest silence', async () => {
    const path = createPipe();
    const began = performance.now();
    const error = await readInputStream(path, 1000, SILENCE).catch((one: unknown) => one);
    const took = performance.now() - began;
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(`${path}: nothing was written to this pipe for ${SILENCE} s`);
    expect(took).toBeGreaterThan(900 * SILENCE);
    expect(took).toBeLessThan(10_000);
  });

  test('one whose writer stops in the middle is given up, too', async () => {
    const path = createPipe();
    const writer = writing(path, 'printf abc; exec sleep 20');
    await expect(readInputStream(path, 1000, SILENCE)).rejects.toThrow('nothing was written to this pipe');
    writer.kill('SIGKILL');
    await once(writer, 'exit');
  });

  test('one whose writer is slow, and never silent for long, is read to its end', async () => {
    const path = createPipe();
    writing(path, 'for i in 1 2 3 4 5 6; do printf $i; sleep 0.2; done');
    const bytes = await readInputStream(path, 1000, 3 * SILENCE);
    expect(Buffer.from(bytes!).toString()).toBe('123456');
  });

  test('one that writes more than is read is refused', async () => {
    const path = createPipe();
    writing(path, 'yes');
    await expect(readInputStream(path, 1000, SILENCE)).rejects.toThrow('more than 1000 bytes, which is the limit');
  });
});
