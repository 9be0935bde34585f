import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InputError } from '../errors.ts';
import { readText } from './readFiles.ts';

/** Reads the built page of `viewer/`, without scene data. Throws `InputError` if it has not been built. */
export async function readPageTemplate(): Promise<string> {
  const beside = fileURLToPath(new URL('../viewer/index.html', import.meta.url));
  const built = existsSync(beside) ? beside : fileURLToPath(new URL('../../dist/viewer/index.html', import.meta.url));
  if (!existsSync(built)) throw new InputError('the page has not been built', 'Run `npm run build`.');
  return readText(built);
}
