import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { nearestName } from '../../errors.ts';

/**
 * Returns `Did you mean "X"?` for a missing file if its folder has a file with a similar name; otherwise an empty text.
 * @param isWanted filters the candidates; default: those with the same extension
 */
export async function similarFileNote(
  path: string,
  isWanted: (name: string) => boolean = (name) => extname(name) === extname(path),
): Promise<string> {
  const near = nearestName(basename(path), namesIn(dirname(path)).filter(isWanted));
  return near === undefined ? '' : `Did you mean "${near}"?`;
}

/** As `similarFileNote`; without a similar name, the folder in which the file was searched. */
export async function missingFileNote(path: string, isWanted?: (name: string) => boolean): Promise<string> {
  const folder = resolve(dirname(path));
  const place = existsSync(folder) ? `It was searched in ${folder}.` : `There is no folder ${folder}.`;
  return (await similarFileNote(path, isWanted)) || place;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
