import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';

/** Tests of the command line run what was built: a bundle older than the sources would be another program, so it is made again. */
export function setup(): void {
  const built = statSync(join(root, 'dist/cli/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const times = sources.filter((file) => file.endsWith('.ts')).map((file) => statSync(join(root, 'src', file)).mtimeMs);
  if (Math.max(...times) > built) {
    execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--bundle'], { stdio: 'inherit' });
  }
}
