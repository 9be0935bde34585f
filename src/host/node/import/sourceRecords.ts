import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { packageAround, packageName } from '../packages/packageSearch.ts';

/** Where files come from: a package, or a folder without package.xml. */
export interface SourceRecord {
  /** Name of the package or folder. */
  readonly name: string;
  /** Absolute path of its folder. */
  readonly folder: string;
  /** Version and licences that its package.xml states. */
  readonly version?: string;
  readonly licences: readonly string[];
  /** Licence files of the folder and of the folders above it, up to that of the repository; absolute paths. */
  readonly licenceFiles: readonly string[];
  readonly repository?: Repository;
  /** Files, relative to the folder. */
  readonly files: readonly string[];
}

/** A checkout of a repository. */
export interface Repository {
  readonly commit: string;
  /** Address of the remote "origin", without user and password. */
  readonly address?: string;
}

const LICENCE = /^(licen[cs]e|copying|copyright|notice)([.-].*)?$/i;

/** Returns the packages and folders that contain the files, each once, in the order of the files. */
export function sourceRecords(files: readonly string[]): SourceRecord[] {
  const folders = new Map<string, string[]>();
  for (const file of new Set(files.map((path) => resolve(path)))) {
    const folder = packageAround(dirname(file)) ?? dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), relative(folder, file).split(sep).join('/')]);
  }
  return [...folders].map(([folder, own]) => {
    const { top, repository } = repositoryOf(folder);
    const manifest = textOf(join(folder, 'package.xml')).replace(/<!--[\s\S]*?-->/g, '');
    const [, version] = /<version[^>]*>\s*([^<]*?)\s*<\/version>/.exec(manifest) ?? [];
    const licences = [...manifest.matchAll(/<license[^>]*>\s*([^<]*?)\s*<\/license>/g)].map(([, licence]) => licence);
    const licenceFiles = foldersUpTo(folder, top ?? folder).flatMap(licencesIn);
    return {
      name: labelOf(folder),
      folder,
      ...(version === undefined ? {} : { version }),
      licences,
      licenceFiles,
      ...(repository === undefined ? {} : { repository }),
      files: own,
    };
  });
}

/** Returns the name of a package, or of its folder. */
export function labelOf(folder: string): string {
  return packageName(folder) ?? (basename(folder) || 'files');
}

function foldersUpTo(folder: string, top: string): string[] {
  return folder === top || dirname(folder) === folder ? [folder] : [folder, ...foldersUpTo(dirname(folder), top)];
}

function licencesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => LICENCE.test(name));
  return names
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .sort();
}

/** Finds the checkout that contains a folder, and reads its commit and address without git. */
function repositoryOf(folder: string): { top?: string; repository?: Repository } {
  let top = folder;
  while (!existsSync(join(top, '.git'))) {
    if (dirname(top) === top) return {};
    top = dirname(top);
  }
  const entry = join(top, '.git');
  const linked = /^gitdir:\s*(.+)$/m.exec(statSync(entry).isFile() ? textOf(entry) : '')?.[1];
  const own = linked === undefined ? entry : resolve(top, linked.trim());
  const common = resolve(own, textOf(join(own, 'commondir')).trim());
  const head = textOf(join(own, 'HEAD')).trim();
  const ref = /^ref:\s*(\S+)$/.exec(head)?.[1];
  const packed =
    ref &&
    textOf(join(common, 'packed-refs'))
      .split('\n')
      .find((line) => line.endsWith(` ${ref}`));
  const commit = ref === undefined ? head : textOf(join(common, ref)).trim() || (packed ?? '').split(' ')[0];
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return { top };
  const origin = /\[remote "origin"\][^[]*?\n\s*url\s*=\s*(\S+)/.exec(textOf(join(common, 'config')))?.[1];
  const address = origin?.replace(/^(\w+:\/\/)[^/]*@/, '$1');
  const isPublic = address !== undefined && /^(https?|ssh|git):\/\/|^\w+@[\w.-]+:/.test(address);
  return { top, repository: { commit, ...(isPublic ? { address } : {}) } };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
