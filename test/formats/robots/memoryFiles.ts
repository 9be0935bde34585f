import { posix } from 'node:path';
import { InputError } from '../../../src/errors.ts';
import type { RobotFileAccess } from '../../../src/formats/robots/index.ts';

/** Access to files in memory, by path; the package `parts` is the folder `/parts`, the variable `SIDE` is `left`. */
export function memoryFiles(texts: Readonly<Record<string, string>> = {}): RobotFileAccess {
  const path = (file: string) => posix.normalize(file);
  return {
    resolve: (address, from) => path(posix.isAbsolute(address) ? address : posix.join(posix.dirname(from), address)),
    exists: (file) => Object.hasOwn(texts, path(file)),
    readText: (file) => {
      if (Object.hasOwn(texts, path(file))) return texts[path(file)];
      throw new InputError(`${file}: there is no such file`);
    },
    inSources: () => undefined,
    fileNames: (folder) =>
      Object.keys(texts)
        .filter((file) => posix.dirname(file) === path(folder).replace(/(.)\/$/, '$1'))
        .map((file) => posix.basename(file))
        .sort()
        .join('/'),
    packageFolder: (name) => (name === 'parts' ? '/parts' : undefined),
    absoluteFolder: (file) => posix.join('/home', posix.dirname(file)),
    workingFolder: '/home',
    environment: (name) => (name === 'SIDE' ? 'left' : undefined),
  };
}
