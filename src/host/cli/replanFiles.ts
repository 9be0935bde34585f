import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError } from '../../errors.ts';
import { checkOutput } from '../node/outputTarget.ts';

/**
 * Returns the file of each robot's new trajectory in a folder: its name with the extension `.json`. Throws `InputError`
 * if two robots would have the same file, if a file cannot be written, or if it is one of `others`.
 * @param names names of the robots
 * @param others the other files of the command: inputs, which would be lost, and outputs
 */
export function replanFiles(folder: string, names: readonly string[], others: readonly string[]): string[] {
  const files = names.map((name) => join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.json`));
  const taken = new Set(others.map(realPath));
  for (const [i, file] of files.entries()) {
    if (files.indexOf(file) < i)
      throw new InputError(`--replan: ${file} would be the file of two robots`, 'Rename one of them.');
    checkOutput(file);
    if (taken.has(realPath(file)))
      throw new InputError(`--replan: ${file} is another file of this command`, 'Give another folder.');
  }
  return files;
}

/** Returns the path behind all symbolic links; of a file that does not exist, its absolute path. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}
