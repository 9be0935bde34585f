import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns a folder of this package, which lies beside package.json in a parent folder of the bundle; undefined if it
 * does not exist.
 */
export function packageFolder(name: string): string | undefined {
  let at = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (existsSync(join(at, 'package.json')) && existsSync(join(at, name))) return join(at, name);
    if (at === dirname(at)) return undefined;
    at = dirname(at);
  }
}

/** Returns the files of the built-in scenes by name, sorted. */
export function builtInScenes(): Readonly<Record<string, string>> {
  const folder = packageFolder('scenes');
  if (folder === undefined) return {};
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return Object.fromEntries(files.sort().map((file) => [file.slice(0, -'.yaml'.length), join(folder, file)]));
}
