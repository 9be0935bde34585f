import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version in this package's own package.json, wherever the bundle may lie below it. */
export function packageVersion(): string {
  let at = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(at, 'package.json')) && at !== dirname(at)) at = dirname(at);
  return String((JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { version: unknown }).version);
}
