import { dirname, relative } from 'node:path';
import { packageAround, packageName } from './packageSearch.ts';

/**
 * Returns the note of an error about a file outside the folders of a robot: the folders that may be read, and the
 * option that adds one.
 * @param real path of the file if a symbolic link leads out, as those of `colcon build --symlink-install` do
 */
export function outsideNote(roots: readonly string[], real?: string): string {
  const shown = (path: string) => relative('', path) || '.';
  const folder = real === undefined ? undefined : packageAround(dirname(real));
  const name = folder === undefined ? undefined : packageName(folder);
  if (name !== undefined)
    return `It is a symbolic link into the package "${name}", which --package ${name}=${shown(folder!)} permits.`;
  return `Only ${roots.map(shown).join(', ')} may be read; --package NAME=DIR adds a folder.`;
}
