import { channel } from 'node:diagnostics_channel';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { InputError, nearestName } from '../../errors.ts';
import { decodeText, refusePointer } from '../../formats/text/fileText.ts';
import { GOALS_FILE } from '../../formats/trajectories/trajectoryFormat.ts';
import { readInputStream } from './inputStreams.ts';
import { isKernelFile, kindOf } from './outputTarget.ts';

/** Largest text (URDF, SRDF, scene, states), bytes; larger files are refused before they are read. */
const MAX_TEXT_SIZE = 64 * 1024 * 1024;

/** A regular file that has been read, with its size. */
export interface ReadFile {
  readonly file: string;
  readonly bytes: number;
}

/** Publishes each `ReadFile` of this thread, for verbose runs. */
export const reads: {
  readonly subscribe: (onRead: (read: unknown) => void) => void;
  readonly publish: (read: ReadFile) => void;
} = channel('elbowroom:reads');

/**
 * Reads a UTF-8 text file. Throws `InputError` if the file does not exist, cannot be read, is too large, has another
 * encoding or is not a regular file: a device or named pipe that is referenced by another file could block forever.
 * @param largest size limit, bytes; default 64 MiB
 */
export async function readText(file: string, largest = MAX_TEXT_SIZE): Promise<string> {
  return decodeText(await readBytes(file, largest), file);
}

/** Like `readText`, for files on the command line, which may also be stdin or a pipe, as in `plan <(command)`. */
export async function readInputText(file: string, largest = MAX_TEXT_SIZE): Promise<string> {
  return decodeText(await readInputBytes(file, largest), file);
}

/**
 * Reads the bytes of a file or pipe on the command line that may be text or binary, such as a trajectory. Of a folder
 * with the goals of a program, returns the text of the program.
 */
export async function readContent(file: string): Promise<Uint8Array> {
  if (!existsSync(join(file, GOALS_FILE))) return readInputBytes(file, MAX_TEXT_SIZE);
  const { joinedGoals } = await import('../../formats/trajectories/rosGoals.ts');
  const order = join(file, GOALS_FILE);
  return Buffer.from(await joinedGoals(await readText(order), order, (name) => readText(join(file, name))));
}

/** Reads a regular file. Throws `InputError` if it has more than `largest` bytes. */
export async function readBytes(file: string, largest: number): Promise<Uint8Array> {
  try {
    refuseIrregular(file, statSync(file));
    // never blocks, even if a pipe has replaced the file
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = fstatSync(descriptor);
      refuseIrregular(file, status);
      const { size } = status;
      if (size > largest) throw new InputError(`${file}: it has ${size} bytes, the limit is ${largest}`);
      const bytes = readFileSync(descriptor);
      refusePointer(bytes, file);
      reads.publish({ file, bytes: bytes.length });
      return bytes;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw unreadable(error, file);
  }
}

async function readInputBytes(file: string, largest: number): Promise<Uint8Array> {
  return (await readInputStream(file, largest)) ?? readBytes(file, largest);
}

/** @internal Throws InputError unless this is a regular file outside procfs and sysfs. */
export function refuseIrregular(file: string, status: Stats): void {
  if (!status.isFile()) throw new InputError(`${file}: this is ${kindOf(status)}`);
  if (isKernelFile(file)) throw new InputError(`${file}: files of the kernel (procfs, sysfs) are not read`);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
};

/** Converts an error of the file system to an `InputError`; returns any other error unchanged. */
export function unreadable(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof InputError || code === undefined) return error;
  const missing = file === '-' ? 'To read stdin, give /dev/stdin.' : missingFileNote(file);
  const note = code === 'ENOENT' ? missing : '';
  return new InputError(`${file}: ${reasons[code] ?? `it cannot be read (${code})`}`, note);
}

/**
 * Returns `Did you mean "X"?` for a missing file if its folder has a file with a similar name; otherwise an empty text.
 * @param isWanted filters the candidates; default: those with the same extension
 */
export function similarFileNote(
  path: string,
  isWanted: (name: string) => boolean = (name) => extname(name) === extname(path),
): string {
  const stems = new Map<string, string>();
  for (const name of namesIn(dirname(path)).filter(isWanted))
    for (const stem of [stemOf(name), name]) if (!stems.has(stem)) stems.set(stem, name);
  const near = nearestName(stemOf(path), [...stems.keys()]) ?? (stems.has(stemOf(path)) ? stemOf(path) : undefined);
  return near === undefined ? '' : `Did you mean "${stems.get(near)}"?`;
}

/** As `similarFileNote`, and the folder in which the file was searched. */
export function missingFileNote(path: string, isWanted?: (name: string) => boolean): string {
  const folder = resolve(dirname(path));
  if (!existsSync(folder)) return `There is no folder ${folder}.`;
  return `${similarFileNote(path, isWanted)} It was searched in ${folder}.`.trimStart();
}

/** Name without extensions: similar ones do not make names similar. */
const stemOf = (path: string): string => basename(path).replace(/(?<!^)\..*$/, '');

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
