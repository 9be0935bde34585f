import { readdir } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { nearestName } from '../errors.ts';

/**
 * Returns `Did you mean "X"?` for a missing file if its folder has a file with a similar name; otherwise an empty text.
 * @param isWanted filters the candidates; default: those with the same extension
 */
export async function similarFileNote(
  path: string,
  isWanted: (name: string) => boolean = (name) => extname(name) === extname(path),
): Promise<string> {
  const names = await readdir(dirname(path)).catch(() => []);
  const near = nearestName(basename(path), names.filter(isWanted));
  return near === undefined ? '' : `Did you mean "${near}"?`;
}
