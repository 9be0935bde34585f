import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../cli/run.ts';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

test.skipIf(!hasRedis)(
  'the queue loses no run and makes none twice while workers, the collecting command and Redis die',
  {
    timeout: 300_000,
  },
  () => {
    const args = [join(root, 'scripts/queue-trial.mjs'), '--runs', '100', '--every', '2'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const result = JSON.parse(stdout.trim() || '{}');
    expect(result, stderr).toMatchObject({ runs: 100, lost: 0, twice: 0, different: 0, redisStops: 2 });
    expect(result.workersKilled).toBeGreaterThan(0);
    expect(status).toBe(0);
  },
);
