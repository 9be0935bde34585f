import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

/** Schemes of addresses that name a package. */
export type PackageScheme = 'package' | 'model';

/** Variables of the environment that hold folders of packages, and where below each folder these lie. */
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
 * The folders that may be a package that nobody mapped, each once, in the order of precedence: a folder of its name beside the URDF; the
 * package that the URDF lies in, if it has that name; the folders above the URDF with that name, nearest first, whether or not they hold a
 * package.xml (those above the file that a symbolic link leads to come after); packages beside these folders; packages where ROS or Gazebo
 * search. The last two kinds must hold a package.xml or model.config.
 * @param around the package that the URDF lies in
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
  const own = around !== undefined && (basename(around) === name || declaredName(around) === name) ? [around] : [];
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
  return [...new Set(candidates)];
}

/** Levels above a URDF in whose folders packages are searched. */
const LEVELS = 6;

/** The nearest folder upwards, five steps at most, that holds a package.xml. */
export function packageAround(folder: string): string | undefined {
  return foldersAbove(folder)
    .slice(0, 5)
    .find((at) => existsSync(join(at, 'package.xml')));
}

/** The path of an existing file with all symbolic links resolved; undefined if there is none. */
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

/** The folder and all above it, nearest first, without the root of the file system. */
function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [folder, ...foldersAbove(above)];
}

function declaredName(folder: string): string | undefined {
  try {
    return /<name>\s*([^<\s]+)\s*<\/name>/.exec(readFileSync(join(folder, 'package.xml'), 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
