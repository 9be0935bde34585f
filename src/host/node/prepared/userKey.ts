import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const KEY_SIZE = 32;
/** Permissions of group and others. */
const OF_OTHERS = 0o077;

/** Returns the file of the secret: `elbowroom/cache.key` in `$XDG_DATA_HOME`, or else in `~/.local/share`. */
export function userKeyFile(
  { XDG_DATA_HOME: data }: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return join(data || join(homedir(), '.local', 'share'), 'elbowroom', 'cache.key');
}

/**
 * Returns the secret of the user, which is created on first use; undefined if it cannot be read or written, or if
 * others could read or write it.
 */
export function userKey(file: string, randomBytes: (size: number) => Uint8Array): Uint8Array | undefined {
  try {
    return readKey(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(file, 'wx', 0o600); // another process may be first
    let isWritten = false;
    try {
      const key = randomBytes(KEY_SIZE);
      isWritten = writeSync(descriptor, key) === KEY_SIZE;
      return isWritten ? key : undefined;
    } finally {
      closeSync(descriptor);
      if (!isWritten) unlinkSync(file); // the next run creates it again
    }
  } catch {
    return undefined;
  }
}

function readKey(file: string): Uint8Array | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const about = fstatSync(descriptor);
    const isOwn = process.getuid === undefined || (about.uid === process.getuid() && (about.mode & OF_OTHERS) === 0);
    if (!about.isFile() || about.size !== KEY_SIZE || !isOwn) return undefined;
    const key = new Uint8Array(KEY_SIZE);
    return readSync(descriptor, key) === KEY_SIZE ? key : undefined;
  } finally {
    closeSync(descriptor);
  }
}
