import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder with the packages that benches compare with; benches run from the root of the project. */
const folder = path.resolve('bench', 'peers');

/** What to say where a peer is missing. */
export const installHint = 'npm ci --prefix bench/peers brings the peers from npm';

export interface Imported<T> {
  readonly module: T;
  readonly version: string;
}

/** Imports a package of bench/peers on demand; returns undefined if it is not installed. */
export async function importPeer<T>(name: string, entry = name): Promise<Imported<T> | undefined> {
  const manifest = path.join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return undefined; // a package of the same name farther up is not the peer
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const file = createRequire(path.join(folder, 'package.json')).resolve(entry);
  const loaded = (await import(pathToFileURL(file).href)) as T & { default?: T };
  return { module: loaded.default ?? loaded, version };
}
