import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { InputError } from '../../errors.ts';
import { packageFolder } from './packageFolder.ts';

/** Where the bytes of an output file are written. */
export type OutputTarget =
  | { readonly kind: 'stdout' }
  | { readonly kind: 'stderr' }
  /** A device or pipe that is opened and written directly. */
  | { readonly kind: 'device'; readonly path: string }
  /** A file that a complete temporary file replaces. `existing`: its status before, undefined if there is none. */
  | { readonly kind: 'file'; readonly path: string; readonly existing: Stats | undefined };

/** More symbolic links than this in a row are a loop, as for the kernel. */
const MAX_SYMLINKS = 40;
/** `f_type` of procfs and sysfs: their files are interfaces of the kernel. */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);
const OWN_DESCRIPTOR = /^(?:\/dev\/fd|\/proc\/(?:self|thread-self)\/fd)\/(\d+)$/;

/**
 * The target of an output path. Symbolic links are followed, so that the file behind them is replaced and not the link.
 * `/dev/stdout`, `/dev/stderr`, `/dev/null` and the pipes and files of `/dev/fd/N` (shell: `-o >(gzip > FILE)`) are
 * written directly.
 * @throws InputError for `-`, folders, other devices, named pipes, sockets, files of procfs and sysfs, symbolic links
 *   without target, and files or folders without write permission
 */
export function outputTarget(file: string): OutputTarget {
  if (file === '-')
    throw new InputError('-: this output is not written', 'For stdout, give /dev/stdout; for a file, ./-.');
  let path = resolve(file);
  for (let links = 0; links <= MAX_SYMLINKS; links++) {
    const own = ownDescriptor(path);
    if (own !== undefined) return own;
    const status = lstatOf(path, file);
    if (!status?.isSymbolicLink()) return fileTarget(path, status, file, links > 0);
    path = resolve(realpathSync(dirname(path)), readlinkSync(path));
  }
  throw new InputError(`${file}: its symbolic links form a loop`, 'Name another file.');
}

/** Throws InputError if the file cannot be written: for commands that would otherwise fail only after their work. */
export function checkOutput(file: string): void {
  outputTarget(file);
}

/**
 * Checks the output files of a command, as `checkOutput` does. Absent ones are skipped.
 * @throws InputError also if two name the same file: the second would replace the first
 */
export function checkOutputs(files: readonly (string | undefined)[]): void {
  const given = files.filter((file) => file !== undefined);
  for (const file of given) checkOutput(file);
  refuseSameOutputs(given);
}

/** Throws InputError if two outputs are the same file or folder, also by symbolic links. Devices may repeat. */
export function refuseSameOutputs(files: readonly string[]): void {
  const seen = new Set<string>();
  for (const file of files) {
    const real = realNameOf(file);
    if (seen.has(real))
      throw new InputError(`${file}: two outputs have this name, so that one would replace the other`, NAME_OTHERS);
    if (ownDescriptor(resolve(file)) === undefined && real !== '/dev/null') seen.add(real);
  }
}

/** Throws InputError if an output is the scene file that a command reads, also by symbolic links. */
export function refuseSceneAsOutput(scene: string, files: readonly (string | undefined)[]): void {
  const real = realNameOf(scene);
  for (const file of files)
    if (file !== undefined && realNameOf(file) === real)
      throw new InputError(`${file}: this output would replace the scene`, 'Name another file.');
}

/** Returns the absolute name of a file without symbolic links, also of one that does not exist yet. */
function realNameOf(file: string): string {
  const path = resolve(file);
  return existsSync(path) ? realPathOf(path) : join(realPathOf(dirname(path)), basename(path));
}

/**
 * True if a file lies in procfs or sysfs. A path that does not exist yet belongs to the file system of its nearest
 * existing folder.
 */
export function isKernelFile(path: string): boolean {
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      return KERNEL_FILE_SYSTEMS.has(statfsSync(at).type);
    } catch {
      if (at === dirname(at)) return false;
    }
  }
}

/** `/dev/stdout`, `/dev/fd/3`: this process's own descriptors; undefined for any other path. */
function ownDescriptor(path: string): OutputTarget | undefined {
  const number = path === '/dev/stdout' ? '1' : path === '/dev/stderr' ? '2' : OWN_DESCRIPTOR.exec(path)?.[1];
  if (number === undefined) return undefined;
  if (number === '1') return { kind: 'stdout' };
  if (number === '2') return { kind: 'stderr' };
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isFIFO() || status?.isFile()) return { kind: 'device', path };
  throw new InputError(`${path}: this is not an open pipe or file`, 'Name a file.');
}

/**
 * Returns true if a path lies in a package that is installed in `node_modules`, also through symbolic links: its scenes
 * and robots are those of every project, and the next install replaces them.
 * @param scenes folder of the bundled scenes; undefined: unknown
 */
export function isOfInstalledPackage(path: string, scenes = packageFolder('scenes')): boolean {
  if (scenes === undefined) return false;
  const root = realPathOf(dirname(scenes));
  if (!root.split(sep).includes('node_modules')) return false;
  let at = resolve(path);
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at);
  return `${realPathOf(at)}${sep}`.startsWith(`${root}${sep}`);
}

function fileTarget(path: string, status: Stats | undefined, file: string, isLinked: boolean): OutputTarget {
  if (isOfInstalledPackage(path))
    throw new InputError(`${file}: this is in the folder of the installed package, which is not written`, NAME_OWN);
  if (status === undefined) {
    if (isLinked) throw new InputError(`${file}: its symbolic link leads to ${path}, which does not exist`, NAME_FILE);
    if (isKernelFile(path)) throw kernelFile(file);
    refuseUnwritableFolder(dirname(path), file);
    return { kind: 'file', path, existing: undefined };
  }
  if (status.isDirectory()) throw new InputError(`${file}: this is a folder`, 'Name a file in it.');
  if (!status.isFile()) {
    if (realPathOf(path) === '/dev/null') return { kind: 'device', path };
    throw new InputError(`${file}: this is ${kindOf(status)}, which is not written`, NAME_FILE);
  }
  if (isKernelFile(path)) throw kernelFile(file);
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw cannotWrite(file, error);
  }
  refuseUnwritableFolder(dirname(path), file);
  return { kind: 'file', path: join(realPathOf(dirname(path)), basename(path)), existing: status };
}

const NAME_FILE = 'Name a regular file.';
const NAME_OTHERS = 'Name a file for each.';
const NAME_OWN = 'Name a file in a folder of your own.';

/** Names the kind of an irregular file: "a device", "a named pipe" … */
export function kindOf(status: Pick<Stats, 'isFIFO' | 'isSocket' | 'isDirectory'>): string {
  return status.isFIFO()
    ? 'a named pipe'
    : status.isSocket()
      ? 'a socket'
      : status.isDirectory()
        ? 'a folder'
        : 'a device';
}

const kernelFile = (file: string) =>
  new InputError(`${file}: this is a file of the kernel (procfs or sysfs), which is not written`, NAME_FILE);

/**
 * Throws `InputError` if the folder of the target cannot be written: the temporary file is created there. A missing
 * folder is created later.
 */
function refuseUnwritableFolder(folder: string, file: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw cannotWrite(file, error);
  }
}

function lstatOf(path: string, file: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** An output that could not be written: commands with many inputs do not continue with the next one. */
export class OutputError extends InputError {}

/** Notes on errors of the file system that are not about permissions. */
const notes: Readonly<Record<string, string>> = {
  ENOSPC: 'Its disk is full: free space, or name a file on another disk.',
  EDQUOT: 'Your quota of its disk is used up: free space, or name a file on another disk.',
  EFBIG: 'It is larger than files may be there: name a file on another disk.',
  EROFS: 'Its disk is read-only: name a file on another disk.',
  EIO: 'Its disk does not work: name a file on another disk.',
};

/** Converts an error of the file system while writing to an `OutputError`. */
export function cannotWrite(file: string, error: unknown): OutputError {
  const reason = error instanceof Error ? error.message.split(',')[0] : String(error);
  const { code = '' } = error as NodeJS.ErrnoException;
  const note = notes[code] ?? 'Name a file in a folder that you may write to.';
  return new OutputError(`${file}: cannot be written (${reason})`, note);
}
