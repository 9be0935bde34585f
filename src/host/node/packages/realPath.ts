import { realpathSync } from 'node:fs';

/** Returns a path with all symbolic links resolved; undefined if it does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
