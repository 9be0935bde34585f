import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** Returns a path with all symbolic links resolved; undefined if it does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** True if a path is the folder or lies in it. Both are absolute; symbolic links are not followed. */
export function isInside(path: string, root: string): boolean {
  const fromRoot = relative(root, path);
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}
