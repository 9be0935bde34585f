import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../cli/run.ts';

// A short run of scripts/fault-serve.mjs, which docs/serve.md describes.

test('clients that plan, cancel, change scenes, disconnect and are killed get correct results and leave nothing behind', async () => {
  const args = ['scripts/fault-serve.mjs', '--seconds', '3', '--clients', '8', '--pythons', '1', '--seed', '5'];
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, args[0]), ...args.slice(1)], {
    cwd: root,
  });
  expect(stdout).toMatch(/^ +[1-9]\d* answers$/m);
  expect(stdout).toMatch(/^no findings$/m);
}, 180_000);
