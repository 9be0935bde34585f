import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder of this package: beside package.json, wherever the bundle may lie below it. Undefined where there is none. */
export function packageFolder(name: string): string | undefined {
  let at = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (existsSync(join(at, 'package.json')) && existsSync(join(at, name))) return join(at, name);
    if (at === dirname(at)) return undefined;
    at = dirname(at);
  }
}

/** The scenes that come with the package, by name, sorted. */
export function builtInScenes(): Readonly<Record<string, string>> {
  const folder = packageFolder('scenes');
  if (folder === undefined) return {};
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return Object.fromEntries(files.sort().map((file) => [file.slice(0, -'.yaml'.length), join(folder, file)]));
}
