import { dirname, extname, relative, sep } from 'node:path';
import { isMeshName } from '../../../formats/meshes/index.ts';
import { packageAround } from '../packages/packageSearch.ts';
import { labelOf } from './sourceRecords.ts';

/** Characters that paths in URDF files or on some systems cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
const UNSAFE = /[\u0000-\u001f\\:*?"<>|]/g;

/**
 * Returns a path below `meshes/` for each file, so that no two are equal, also without regard to case. Files of a
 * package keep their paths in it; with several packages, its name comes first.
 * Meshes whose name does not end in a format, as targets of symbolic links, are given the ending of their address.
 * @param files absolute paths without symbolic links
 * @param addresses an address of each file
 */
export function placeFiles(
  files: readonly string[],
  addresses: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const distinct = [...new Set(files)];
  const loose = commonFolder(distinct.filter((file) => packageAround(dirname(file)) === undefined));
  const rootOf = (file: string) => packageAround(dirname(file)) ?? loose;
  const roots = [...new Set(distinct.map(rootOf))];
  const used = new Set<string>();
  const folderOf = new Map(roots.map((root) => [root, roots.length === 1 ? '' : `${unused(labelOf(root), used)}/`]));
  const taken = new Set<string>();
  return new Map(
    distinct.map((file) => {
      const root = rootOf(file);
      const path = `${relative(root, file)}${endingFor(file, addresses.get(file))}`
        .split(sep)
        .join('/')
        .replace(UNSAFE, '_')
        .replace(/^meshes\//, '');
      return [file, `meshes/${folderOf.get(root)}${unused(path, taken, folderOf.get(root))}`];
    }),
  );
}

/** Returns the ending that a mesh needs to be read as its address says; empty if its own ending is that of a mesh. */
function endingFor(file: string, address: string | undefined): string {
  return address === undefined || isMeshName(file) || !isMeshName(address) ? '' : extname(address);
}

/** Returns the deepest folder that contains all files. */
function commonFolder(files: readonly string[]): string {
  const [first, ...others] = files.map((file) => dirname(file).split(sep));
  if (first === undefined) return '';
  let length = first.length;
  for (const parts of others) {
    let same = 0;
    while (same < length && parts[same] === first[same]) same++;
    length = same;
  }
  return first.slice(0, length).join(sep) || sep;
}

/** Returns the path, with a number before its extension if it is used already, and notes it. */
function unused(path: string, used: Set<string>, within = ''): string {
  const [, stem, extension] = /^(.*?)(\.[^./]*)?$/s.exec(path)!;
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? path : `${stem}_${n}${extension ?? ''}`;
    const key = `${within}${candidate}`.toLowerCase();
    if (used.has(key)) continue;
    used.add(key);
    return candidate;
  }
}
