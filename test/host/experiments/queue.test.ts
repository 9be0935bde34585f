import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { elbowroom, posts, temporaryFolder } from '../cli/run.ts';

describe('errors are one line and a fix, exit 2', () => {
  const file = join(temporaryFolder(), 'x.yaml');
  test.each<[string, readonly string[], string]>([
    ['no queue', ['worker'], 'experiment worker: --queue is missing\n  note: Write --queue redis://HOST:PORT.'],
    [
      'no address',
      ['worker', '--queue', 'localhost'],
      '--queue is "localhost"\n  note: Give the address of a Redis server',
    ],
    [
      'nobody there',
      ['worker', '--queue', 'redis://:secret@127.0.0.1:9'],
      '--queue: redis://127.0.0.1:9 does not respond (connect ECONNREFUSED 127.0.0.1:9)\n',
    ],
    [
      'threads for others',
      [posts, '--queue', 'redis://127.0.0.1:9', '--jobs', '2'],
      '--jobs has no effect with --queue: the workers plan\n',
    ],
    [
      'a part of a queue',
      ['worker', '--queue', 'redis://127.0.0.1:9', '--shard', '1/2'],
      'experiment worker does not accept --shard\n',
    ],
    ['two words', ['worker', file, '--queue', 'redis://127.0.0.1:9'], `experiment worker: unexpected "${file}"\n`],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await elbowroom(['experiment', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`elbowroom: error: ${message}`);
    expect(stderr).not.toContain('secret');
  });
});
