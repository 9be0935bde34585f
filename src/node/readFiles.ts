import { open } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import { decodeText, refusePointer } from '../formats/fileText.ts';
import { nearFile } from './nearFile.ts';

/** Texts (URDF, SRDF, scenes, states) beyond this many bytes are refused before they are read. */
const LARGEST_TEXT = 64 * 1024 * 1024;

/** The text of a UTF-8 file, any other encoding refused. A file that is not there, is no file, cannot be read or is too large is refused in one line. */
export async function readText(file: string, largest = LARGEST_TEXT): Promise<string> {
  return decodeText(await readBytes(file, largest), file);
}

/** The bytes of a file that may be text or not, such as a trajectory: as large as a text may be. */
export async function readContent(file: string): Promise<Uint8Array> {
  return readBytes(file, LARGEST_TEXT);
}

/** The bytes of a file, at most `largest` of them. */
export async function readBytes(file: string, largest: number): Promise<Uint8Array> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size, isFile } = await handle.stat().then((s) => ({ size: s.size, isFile: s.isFile() }));
      if (!isFile) throw new InputError(`${file}: this is not a file`);
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
