import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { InputError } from '../../../errors.ts';
import { isMeshName } from '../../../formats/meshes/index.ts';
import { isXacro } from '../../../formats/robots/index.ts';
import type { StatedLimits } from '../../../formats/robots/writing/jointLimitsFile.ts';
import { fileReferences, withAddresses, withStatedLimits } from '../../../formats/robots/writing/urdfEdits.ts';
import { inexpressible, writeUrdf } from '../../../formats/robots/writing/urdfWriter.ts';
import { treeOf, writeTree, type XacroElement } from '../../../formats/robots/xacro/xacroTree.ts';
import { parseXml } from '../../../formats/text/xmlDocument.ts';
import { locateMeshes } from '../meshFiles.ts';
import { cannotWrite } from '../outputTarget.ts';
import { packageAround, packageName } from '../packages/packageSearch.ts';
import { expandRobot, type RobotSources } from '../robotSources.ts';
import type { RobotFiles } from '../robots.ts';

/** A description as URDF whose files lie beside it. */
export interface CopiedDescription {
  /** The URDF, with relative addresses. */
  readonly urdf: string;
  /** The files that it names, by their path in the folder. */
  readonly files: ReadonlyMap<string, FileContent>;
  /** True if the URDF keeps visual and collision geometry apart, so that `geometry` has to be stated again. */
  readonly needsGeometry: boolean;
  readonly warnings: readonly string[];
}

/**
 * Converts a robot file to a URDF that needs nothing but files beside it: xacro is expanded, other formats are
 * converted, meshes and textures get relative addresses.
 * @param limits limits of joints to be written
 */
export async function copyDescription(
  sources: RobotSources,
  files: RobotFiles,
  limits: ReadonlyMap<string, StatedLimits>,
): Promise<CopiedDescription> {
  const { urdf } = sources;
  const { root, meshes } = await urdfElements(sources, files);
  const references = fileReferences(root).filter(({ address }) => !meshes.has(address));
  const wanted = references.map(({ address, line, link }) => ({ address, line, link }));
  const seen = new Set<string>();
  const distinct = wanted.filter(({ address }) => !seen.has(address) && seen.add(address));
  const found = await locateMeshes({ ...urdf, meshes: distinct }, files.packages ?? {});
  const paths = [...found].flatMap(([address, path]) => (path instanceof InputError ? [] : [[address, path] as const]));
  const places = placeFiles(
    paths.map(([, path]) => path),
    new Map(paths.map(([address, path]) => [path, address])),
  );
  const made = [...meshes].map(([address, text]) => [address, `shapes/${address}`, { text }] as const);
  const addresses = new Map([
    ...paths.map(([address, path]) => [address, places.get(path)!] as const),
    ...made.map(([address, path]) => [address, path] as const),
  ]);
  const missing = distinct.filter(({ address }) => found.get(address) instanceof InputError);
  return {
    urdf: writeTree(withStatedLimits(withAddresses(root, addresses), limits)),
    files: new Map<string, FileContent>([
      ...[...places].map(([from, to]) => [to, { from }] as const),
      ...made.map(([, path, content]) => [path, content] as const),
    ]),
    needsGeometry: urdf.document !== undefined,
    warnings: [
      ...missing.map(
        ({ address, link }) =>
          `${link.trim() === '' ? '' : `link "${link}": `}${address} was not found: this visual geometry is left out`,
      ),
      ...(urdf.document === undefined ? inexpressible(urdf) : []),
    ],
  };
}

async function urdfElements(
  { urdf, urdfFile }: RobotSources,
  files: RobotFiles,
): Promise<{ root: XacroElement; meshes: ReadonlyMap<string, string> }> {
  if (urdf.document === undefined) return writeUrdf(urdf);
  const text = isXacro(urdfFile.text, urdfFile.file) ? (await expandRobot(urdfFile.file, files)).text : urdfFile.text;
  return { root: treeOf(await parseXml(text, urdfFile.file, 'robot'), urdfFile.file), meshes: new Map() };
}

/** Content of a file: its text, or the path of the file to copy. */
export type FileContent = { readonly text: string } | { readonly from: string };

/** Throws `InputError` if a path is neither free nor an empty folder. */
export function requireEmptyFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const isFolder = statSync(folder).isDirectory();
  if (isFolder && readdirSync(folder).length === 0) return;
  throw new InputError(
    `${folder}: it exists already${isFolder ? ' and is not empty' : ''}`,
    'Give the path of a new folder: none of its files is replaced.',
  );
}

/**
 * Creates a folder with all files or not at all: they are written to a temporary folder beside it, which is renamed.
 * @param check receives the temporary folder; if it throws, nothing is left
 */
export async function writeNewFolder(
  folder: string,
  files: ReadonlyMap<string, FileContent>,
  check: (folder: string) => Promise<void>,
): Promise<void> {
  requireEmptyFolder(folder);
  const target = resolve(folder);
  let temporary: string | undefined;
  const discard = () => {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  };
  process.once('exit', discard); // also after Ctrl-C
  try {
    mkdirSync(dirname(target), { recursive: true });
    temporary = mkdtempSync(join(dirname(target), `.${basename(target)}-`));
    chmodSync(temporary, 0o777 & ~process.umask());
    for (const [path, content] of files) {
      const file = join(temporary, path);
      mkdirSync(dirname(file), { recursive: true });
      if ('text' in content) await writeFile(file, content.text);
      else await copyFile(content.from, file);
    }
    await check(temporary);
    if (existsSync(target)) rmdirSync(target);
    renameSync(temporary, target);
  } catch (error) {
    discard();
    throw error instanceof Error && 'code' in error ? cannotWrite(folder, error) : error;
  } finally {
    process.off('exit', discard);
  }
}

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
function placeFiles(
  files: readonly string[],
  addresses: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const distinct = [...new Set(files)];
  const loose = commonFolder(distinct.filter((file) => packageAround(dirname(file)) === undefined));
  const rootOf = (file: string) => packageAround(dirname(file)) ?? loose;
  const roots = [...new Set(distinct.map(rootOf))];
  const used = new Set<string>();
  const nameOf = (root: string) => packageName(root) ?? (basename(root) || 'files');
  const folderOf = new Map(roots.map((root) => [root, roots.length === 1 ? '' : `${unused(nameOf(root), used)}/`]));
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
