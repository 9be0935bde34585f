import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { root } from './run.ts';

const run = promisify(execFile);
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('examples', () => {
  test.each(readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.mjs')))('%s runs', async (file) => {
    const { stdout, stderr } = await run(process.execPath, [join('examples', file)], { cwd: root });
    expect(stderr).toBe('');
    expect(stdout.split('\n').length).toBeGreaterThan(1);
  });

  test('README shows examples/plan.mjs as it is, and what it prints', async () => {
    const [, ...lines] = readFileSync(join(root, 'examples/plan.mjs'), 'utf8').trim().split('\n');
    expect(readme).toContain(lines.join('\n'));
    const { stdout } = await run(process.execPath, ['examples/plan.mjs'], { cwd: root });
    expect(readme).toContain(stdout.trim());
  });
});
