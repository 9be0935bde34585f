import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { InputError } from '../../../errors.ts';
import type { RobotFileAccess } from '../../../formats/robots/index.ts';
import { decodeText, refusePointer } from '../../../formats/text/fileText.ts';
import type { Packages } from '../meshFiles.ts';
import { refuseIrregular, unreadable } from '../readFiles.ts';
import { Observations } from './observations.ts';
import { outsideNote } from './outsideNote.ts';
import { inSources, isInside, packageAround, packageCandidates, realPath, rootOfRobot } from './packageSearch.ts';

/** Largest included file, bytes; larger ones are refused before they are read. */
const MAX_INCLUDE_SIZE = 64 * 1024 * 1024;

/**
 * Returns the access of a robot file to the files that it includes: those below the root of the robot (`rootOfRobot`),
 * in `packages`, and in packages that were found by name. No other file is read, even through `..` or symbolic links.
 * @param observed notes all that is read or searched for
 */
export function robotFileAccess(robotFile: string, packages: Packages, observed = new Observations()): RobotFileAccess {
  const home = dirname(resolve(robotFile));
  const around = packageAround(home);
  const repository = rootOfRobot(home);
  const roots = new Set([repository, ...Object.values(packages).map((path) => resolve(path))]);

  function packageFolder(name: string): string | undefined {
    const find = () =>
      Object.hasOwn(packages, name)
        ? resolve(packages[name])
        : packageCandidates(robotFile, around, 'package', name)[0];
    const folder = find();
    observed.note(`package ${name}`, () => find() ?? '');
    if (folder !== undefined) roots.add(folder);
    return folder;
  }

  function readText(path: string): string {
    observed.file(path);
    const absolute = resolve(path);
    const isOwn = (at: string, folders: readonly string[]) => folders.some((root) => isInside(at, root));
    const outside = (target?: string) =>
      new InputError(`${path} lies outside the robot's folders`, outsideNote([...roots], target));
    if (!isOwn(absolute, [...roots])) throw outside();
    try {
      const real = realpathSync.native(absolute);
      const realRoots = [...roots].map((root) => realPath(root) ?? root);
      if (!isOwn(real, realRoots)) throw outside(real);
      return decodeText(readRegularFile(real, path), path);
    } catch (error) {
      throw unreadable(error, path);
    }
  }

  return {
    resolve: (address, from) => (isAbsolute(address) ? address : join(dirname(from), address)),
    exists(path) {
      observed.file(path);
      return existsSync(path);
    },
    inSources: (path) =>
      inSources(resolve(path), around === undefined ? [...roots] : [...roots, around], repository, observed),
    readText,
    fileNames(folder) {
      const names = () => fileNames(resolve(folder), roots);
      observed.note(`names ${resolve(folder)}`, names);
      return names();
    },
    packageFolder,
    absoluteFolder: (file) => dirname(resolve(file)),
    workingFolder: resolve('.'),
    environment(name) {
      observed.variable(name);
      return process.env[name];
    },
  };
}

/** Returns the names of the files in a folder below one of the roots, sorted and joined by `/`. */
function fileNames(folder: string, roots: Iterable<string>): string {
  if (![...roots].some((root) => isInside(folder, root)) || !existsSync(folder)) return '';
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return entries
    .map(({ name }) => name)
    .sort()
    .join('/');
}

/** @param name path for messages */
function readRegularFile(path: string, name: string): Uint8Array {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // never blocks on a pipe
  try {
    const status = fstatSync(descriptor);
    refuseIrregular(name, status);
    if (status.size > MAX_INCLUDE_SIZE)
      throw new InputError(`${name}: it has ${status.size} bytes, the limit is ${MAX_INCLUDE_SIZE}`);
    const bytes = readFileSync(descriptor);
    refusePointer(bytes, name);
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}
