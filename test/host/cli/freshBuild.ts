import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';

/**
 * Tests of the command line and of the examples run the built bundle. A bundle older than the sources is rebuilt before
 * the first test runs. The whole library takes longer to build and is built only if it is missing.
 */
export function setup(): void {
  const built = statSync(join(root, 'dist/cli/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const times = sources.filter((file) => file.endsWith('.ts')).map((file) => statSync(join(root, 'src', file)).mtimeMs);
  const isWhole = existsSync(join(root, 'dist/index.js'));
  if (isWhole && Math.max(...times) <= built) return;
  const how = isWhole ? ['--bundle'] : [];
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), ...how], { stdio: 'inherit' });
}
