import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Observations } from './observations.ts';

/** URI schemes that name a package. */
export type PackageScheme = 'package' | 'model';

/** Environment variables with package search paths, and the subfolder of each path that contains the packages. */
export const searchVariables: Readonly<Record<PackageScheme, readonly (readonly [string, string])[]>> = {
  package: [
    ['ROS_PACKAGE_PATH', ''],
    ['AMENT_PREFIX_PATH', 'share'],
  ],
  model: [
    ['GAZEBO_MODEL_PATH', ''],
    ['GZ_SIM_RESOURCE_PATH', ''],
  ],
};

/**
 * Returns the candidate folders of a package without an explicit mapping, without duplicates, in the order of
 * precedence: a folder of its name beside the URDF; the package that the URDF lies in, if it has that name; the folders
 * above the URDF with that name, nearest first, whether or not they hold a package.xml (then those above the target of
 * a symbolic link); packages beside these folders; packages on the search paths of ROS or Gazebo; packages of
 * repositories beside these folders, as in a workspace of ROS; packages elsewhere in the repository. Candidates of the
 * last four kinds must contain a package.xml or model.config.
 * @param around package that contains the URDF
 */
export function packageCandidates(
  urdfFile: string,
  around: string | undefined,
  scheme: PackageScheme,
  name: string,
): string[] {
  if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) return [];
  const home = dirname(resolve(urdfFile));
  const beside = join(home, name);
  const own = around !== undefined && (basename(around) === name || packageName(around) === name) ? [around] : [];
  const searched = [...foldersAbove(home).slice(0, LEVELS), ...searchPaths(scheme)].flatMap((folder) =>
    basename(folder) === name ? [folder, join(folder, name)] : [join(folder, name)],
  );
  const candidates = [
    ...(existsSync(beside) ? [beside] : []),
    ...own,
    ...foldersAbove(home).filter((folder) => basename(folder) === name),
    ...foldersAbove(dirname(realFile(urdfFile) ?? resolve(urdfFile))).filter((folder) => basename(folder) === name),
    ...searched.filter(isPackage),
  ];
  if (candidates.length > 0 || scheme === 'model') return [...new Set(candidates)];
  const near = packagesOfNeighbors(home, name);
  return near.length > 0 ? near : packagesOfRepository(home, name);
}

/** Folders with more entries are no workspaces. */
const MOST_REPOSITORIES = 200;

/**
 * Returns the packages of a name in the repositories of the workspace that contains the URDF: the folders beside the
 * nearest of its parents that have such a package in them, or are one.
 */
function packagesOfNeighbors(home: string, name: string): string[] {
  for (const folder of foldersAbove(home).slice(1, LEVELS)) {
    const beside = subfolders(folder);
    if (beside.length > MOST_REPOSITORIES) continue;
    const found = beside.flatMap((repository) => {
      const inside = join(repository, name);
      if (existsSync(join(inside, 'package.xml'))) return [inside];
      return packageName(repository) === name ? [repository] : [];
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** Levels of a repository, and folders of it, in which packages are searched. */
const DEPTH = 4;
const MOST_FOLDERS = 2000;

/** Returns the packages of a name that lie deeper in the repository (.git) of the URDF; of the highest level alone. */
function packagesOfRepository(home: string, name: string): string[] {
  const repository = rootOfRobot(home);
  if (!existsSync(join(repository, '.git'))) return [];
  let level = [repository];
  for (let depth = 0; depth < DEPTH && level.length <= MOST_FOLDERS; depth++) {
    level = level.flatMap(subfolders);
    const found = level.filter((folder) => (packageName(folder) ?? '') === name);
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the folders in a folder, sorted, without hidden ones; none if it cannot be read. */
function subfolders(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name);
    return names.sort().map((entry) => join(folder, entry));
  } catch {
    return [];
  }
}

/** Number of levels above a URDF in which packages are searched. */
const LEVELS = 6;

/**
 * Returns the nearest of the folder and its four nearest parents that contains a package.xml; undefined if none does.
 */
export function packageAround(folder: string): string | undefined {
  return foldersAbove(folder)
    .slice(0, 5)
    .find((at) => existsSync(join(at, 'package.xml')));
}

/**
 * Returns the folder below which a robot may read files: the highest of its own folder and the five above it that has a
 * package.xml, a licence or, which ends the search, `.git`; the parent of its folder if none has. Never the home folder
 * of the user, nor one above it, nor the root of the file system.
 */
export function rootOfRobot(home: string): string {
  const above = foldersAbove(home).slice(0, LEVELS);
  const ends = above.findIndex((at) => isInside(homedir(), at));
  const near = ends < 0 ? above : above.slice(0, ends);
  const repository = near.findIndex((at) => existsSync(join(at, '.git')));
  const root = near.slice(0, repository < 0 ? near.length : repository + 1).findLast(isRoot);
  if (root !== undefined) return root;
  const parent = dirname(home);
  return parent === dirname(parent) ? home : parent;
}

const ROOT_FILE = /^(\.git|package\.xml|(un)?licen[cs]e(\.\w+)?|copying(\.\w+)?)$/i;

function isRoot(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => ROOT_FILE.test(name));
  } catch {
    return false;
  }
}

/**
 * Returns the only file or folder at a path of an installed package in its sources, where it lies in a folder more:
 * `description/urdf/arm.xacro` for `urdf/arm.xacro`; or in a folder beside the package, which an installation merges
 * with it: `more/meshes/hand.stl` for `package/meshes/hand.stl`. Undefined if there is none, or several.
 * @param roots folders of packages
 * @param repository folder that contains the files of the robot: nothing beside it is searched
 * @param observed notes the result
 */
export function inSources(
  path: string,
  roots: readonly string[],
  repository: string,
  observed: Observations,
): string | undefined {
  const find = () => onlySource(path, roots, repository);
  observed.note(`source of ${path}`, () => find() ?? '');
  return find();
}

function onlySource(path: string, roots: readonly string[], repository: string): string | undefined {
  const root = roots.find((folder) => isInside(path, folder) && isPackage(folder));
  if (root === undefined) return undefined;
  const existing = (folders: readonly string[]) =>
    folders.map((folder) => join(folder, relative(root, path))).filter((place) => existsSync(place));
  const within = existing(subfolders(root));
  const isBelow = root !== repository && isInside(root, repository);
  const found = within.length === 0 && isBelow ? existing(subfolders(dirname(root))) : within;
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the path of a file with all symbolic links resolved; undefined if it does not exist. */
export function realFile(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function searchPaths(scheme: PackageScheme): string[] {
  return searchVariables[scheme].flatMap(([variable, below]) =>
    (process.env[variable] ?? '').split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, below)])),
  );
}

const isPackage = (folder: string): boolean =>
  ['package.xml', 'model.config'].some((file) => existsSync(join(folder, file)));

/** Returns the folder and all its parents, nearest first, without the root of the file system. */
function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [folder, ...foldersAbove(above)];
}

/**
 * Returns the name that the package.xml of a folder states; undefined if there is none, or if it cannot be the name of
 * a folder.
 */
export function packageName(folder: string): string | undefined {
  try {
    const [, name = ''] = /<name>\s*([^<]*?)\s*<\/name>/.exec(readFileSync(join(folder, 'package.xml'), 'utf8')) ?? [];
    return /^[\w-][\w.-]*$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

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
