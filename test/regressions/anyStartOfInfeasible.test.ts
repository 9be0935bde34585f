import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, test } from 'vitest';
import { elbowroom, posts, temporaryFolder } from '../host/cli/run.ts';

test('verify --any-start refuses a proof that no motion exists from the start of the scene', async () => {
  const file = join(temporaryFolder(), 'no.json');
  writeFileSync(file, JSON.stringify({ format: 'elbowroom-infeasibility/1', reason: '', goals: [], walls: [] }));
  const { code, stderr } = await elbowroom(['verify', file, posts, '--any-start']);
  assert.equal(code, 2);
  assert.match(stderr, /unexpected option --any-start/);
});
