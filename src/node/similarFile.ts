import { readdir } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { nearestName } from '../errors.ts';

/**
 * `Did you mean "X"?` for a file that is not there, if one beside it is called nearly the same; empty where none is.
 * @param isWanted which files come into question; by default those with the same ending
 */
export async function nearFile(
  path: string,
  isWanted: (name: string) => boolean = (name) => extname(name) === extname(path),
): Promise<string> {
  const names = await readdir(dirname(path)).catch(() => []);
  const near = nearestName(basename(path), names.filter(isWanted));
  return near === undefined ? '' : `Did you mean "${near}"?`;
}
