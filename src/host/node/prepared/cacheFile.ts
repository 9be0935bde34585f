import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Largest cache file, bytes. */
const MAX_FILE_SIZE = 64 * 1024 * 1024;
/** Only the user may read cache files: those of the inputs may be private. */
const PRIVATE = 0o600;
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Names of files that are not complete yet: of a process that was killed while it wrote one, the file remains. */
export const PARTIAL_CACHE_FILE = /^\.elbowroom-cache-\d+-\d+\.part$/;

/**
 * Reads a cache file; undefined if it cannot be read, is a symbolic link or no regular file, or is too large. Never
 * blocks: a pipe may have this name.
 */
export function readCacheFile(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const about = fstatSync(descriptor);
    return about.isFile() && about.size <= MAX_FILE_SIZE ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Writes a cache file completely or not at all, and creates its folder. What has its name is replaced: of a symbolic
 * link, which others may have made in a shared folder, the link and not the file behind it. Returns false if that
 * fails, on a full disk for example: the next run computes the content again.
 */
export function writeCacheFile(file: string, parts: readonly Uint8Array[]): boolean {
  let temporary: { readonly path: string; readonly descriptor: number } | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true });
    temporary = createTemporary(dirname(file));
    try {
      for (const part of parts)
        for (let done = 0; done < part.length; ) done += writeSync(temporary.descriptor, part, done);
    } finally {
      closeSync(temporary.descriptor);
    }
    renameSync(temporary.path, file);
    return true;
  } catch {
    if (temporary !== undefined) rmSync(temporary.path, { force: true });
    return false;
  }
}

/** Threads share a process id, containers a folder: creation is exclusive, and the next number is tried. */
function createTemporary(folder: string): { readonly path: string; readonly descriptor: number } {
  for (let number = 0; ; number++) {
    const path = join(folder, `.elbowroom-cache-${process.pid}-${number}.part`);
    try {
      return { path, descriptor: openSync(path, O_WRONLY | O_CREAT | O_EXCL, PRIVATE) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
