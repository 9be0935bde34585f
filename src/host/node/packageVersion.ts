import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the version in the package.json of this package, in the nearest parent folder of the bundle that has one. */
export function packageVersion(): string {
  let at = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(at, 'package.json')) && at !== dirname(at)) at = dirname(at);
  return String((JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { version: unknown }).version);
}
