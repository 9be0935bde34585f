import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import { packageFolder } from './packageFolder.ts';
import { readText } from './readFiles.ts';

/** Reads a built page of `viewer/`, without scene data. Throws `InputError` if it has not been built. */
export async function readPageTemplate(name: 'index' | 'playground' = 'index'): Promise<string> {
  const built = join(packageFolder('dist') ?? '.', 'viewer', `${name}.html`);
  if (!existsSync(built)) throw new InputError('the page has not been built', 'Run `npm run build`.');
  return readText(built);
}
