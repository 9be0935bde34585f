import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { isLong } from '../../../cases.ts';
import { root } from '../run.ts';

const run = promisify(execFile);
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** package.test.ts runs each example, from the installed package. */
describe('examples', () => {
  test('README shows examples/plan.mjs as it is, and what it prints', async () => {
    const [, ...lines] = readFileSync(join(root, 'examples/plan.mjs'), 'utf8').trim().split('\n');
    expect(readme).toContain(lines.join('\n'));
    const { stdout } = await run(process.execPath, ['examples/plan.mjs'], { cwd: root });
    expect(readme).toContain(stdout.trim());
  });

  test.runIf(isLong)('docs/serve.md shows examples/client.mjs as it is, and what it prints', async () => {
    const page = readFileSync(join(root, 'docs/serve.md'), 'utf8');
    const [, ...lines] = readFileSync(join(root, 'examples/client.mjs'), 'utf8').trim().split('\n');
    expect(page).toContain(lines.join('\n').trim());
    const { stdout } = await run(process.execPath, ['examples/client.mjs'], { cwd: root });
    expect(page).toContain(stdout.trim());
  });

  test.runIf(isLong)('docs/gate.md shows what examples/gate.mjs prints', async () => {
    const { stdout } = await run(process.execPath, ['examples/gate.mjs'], { cwd: root });
    expect(readFileSync(join(root, 'docs/gate.md'), 'utf8')).toContain(stdout.trim());
  });

  test.runIf(isLong)(
    'docs/library.md shows the programs of examples/library as they are, and what they print',
    async () => {
      const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
      for (const file of readdirSync(join(root, 'examples/library')))
        expect(page).toContain(`examples/library/${file}`);
      await run(process.execPath, ['scripts/library-docs.mjs', '--check'], { cwd: root });
    },
  );

  test('the program for browsers bundles without Node', async () => {
    const { outputFiles, warnings } = await build({
      absWorkingDir: root,
      entryPoints: ['examples/library/browser.mjs'],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
      external: ['@mcap/core', '@foxglove/schemas', 'vega', 'vega-lite'],
    });
    expect(outputFiles[0].text).not.toMatch(/from ?"node:/);
    expect(warnings).toEqual([]); // a bundler warns of each import of a module without side effects
  });
});
