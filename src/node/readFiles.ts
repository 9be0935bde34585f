import { constants, type Stats, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import { decodeText, refusePointer } from '../formats/text/fileText.ts';
import { readInputStream } from './inputStreams.ts';
import { isKernelFile, kindOf } from './outputTarget.ts';
import { nearFile } from './similarFile.ts';

/** Texts (URDF, SRDF, scenes, states) beyond this many bytes are refused before they are read. */
const LARGEST_TEXT = 64 * 1024 * 1024;

/**
 * The text of a UTF-8 file. Throws InputError if the file does not exist, is not a regular file, cannot be read, is too large or has another
 * encoding: devices and named pipes that another file names could block for ever.
 */
export async function readText(file: string, largest = LARGEST_TEXT): Promise<string> {
  return decodeText(await readBytes(file, largest), file);
}

/** As `readText`, for a file that the user names on the command line: it may also be stdin or a pipe, as in `plan <(command)`. */
export async function readInputText(file: string, largest = LARGEST_TEXT): Promise<string> {
  return decodeText(await readInputBytes(file, largest), file);
}

/** The bytes of a file that the user names and that may be text or not, such as a trajectory; also of a pipe. */
export async function readContent(file: string): Promise<Uint8Array> {
  return readInputBytes(file, LARGEST_TEXT);
}

/** The bytes of a regular file, at most `largest` of them. */
export async function readBytes(file: string, largest: number): Promise<Uint8Array> {
  try {
    refuseIrregular(file, statSync(file));
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK); // never waits, whatever has replaced the file meanwhile
    try {
      const status = await handle.stat();
      refuseIrregular(file, status);
      const { size } = status;
      if (size > largest) throw new InputError(`${file}: it has ${size} bytes, more than ${largest} are not read`);
      const bytes = await handle.readFile();
      refusePointer(bytes, file);
      return bytes;
    } finally {
      await handle.close();
    }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw unreadable(error, file, isMissing ? await nearFile(file) : '');
  }
}

async function readInputBytes(file: string, largest: number): Promise<Uint8Array> {
  return (await readInputStream(file, largest)) ?? readBytes(file, largest);
}

/** Throws InputError unless this is a regular file outside procfs and sysfs. */
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
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
};

/** An error of the file system as people read it; any other as it is. */
export function unreadable(error: unknown, file: string, note = ''): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof InputError || code === undefined) return error;
  return new InputError(`${file}: ${reasons[code] ?? `it cannot be read (${code})`}`, note);
}
