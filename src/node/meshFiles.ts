import { existsSync, readFileSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, InputErrors, nearestName } from '../errors.ts';
import { isMeshName, type Mesh, readMesh } from '../formats/meshes.ts';
import type { MeshAddress, Urdf } from '../formats/urdf.ts';
import { nearFile } from './nearFile.ts';
import { readBytes, refuseIrregular } from './readFiles.ts';

/** Meshes beyond this many bytes are refused before they are read. */
const LARGEST_MESH = 256 * 1024 * 1024;

/** Package name → its folder. */
export type Packages = Readonly<Record<string, string>>;

/**
 * Reads the meshes that a URDF asks for. A `package://` or `model://` address stays in its package, which is the
 * one of the map, or else looked for near the URDF and where ROS and Gazebo look. Other addresses stay in the package that the URDF
 * lies in, or else in the folder above the URDF's (descriptions keep `urdf/` and `meshes/` side by side), or in a package given. Nothing
 * else is opened, wherever `..` or symbolic links may lead. All that is missing is reported at once.
 */
export async function readMeshes(urdf: Pick<Urdf, 'file' | 'meshes'>, packages: Packages): Promise<Map<string, Mesh>> {
  const folders = new RobotFolders(urdf.file, packages);
  const answers = await Promise.allSettled(
    urdf.meshes.map(async (mesh) => readMeshFile(await folders.find(mesh, urdf.file), mesh.address)),
  );
  const problems: InputError[] = [];
  const meshes = new Map<string, Mesh>();
  for (const [i, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') meshes.set(urdf.meshes[i].address, answer.value);
    else if (answer.reason instanceof InputError) problems.push(answer.reason);
    else throw answer.reason;
  }
  if (problems.length > 0) throw new InputErrors(problems);
  return meshes;
}

/** Reads one mesh file. */
export async function readMeshFile(path: string, name = path): Promise<Mesh> {
  return readMesh(await readBytes(path, LARGEST_MESH), isMeshName(path) ? path : name);
}

/** The folders that may be read for one robot. */
class RobotFolders {
  private readonly home: string;
  private readonly around: string | undefined;
  private readonly roots: readonly string[];

  constructor(
    urdfFile: string,
    private readonly packages: Packages,
  ) {
    this.home = dirname(resolve(urdfFile));
    this.around = packageAround(this.home);
    const above = dirname(this.home);
    const own = this.around ?? (above === dirname(above) ? this.home : above); // never the whole file system
    this.roots = [own, ...Object.values(packages).map((path) => resolve(path))];
  }

  /** The real path of a mesh. */
  async find({ address, line, link }: MeshAddress, file: string): Promise<string> {
    const place = `${file}:${line}: link "${link}": mesh ${address.slice(0, 200)}`;
    const { path, roots } = this.locate(address, place);
    const outside = () =>
      new InputError(
        `${place} lies outside the robot's folders`,
        `Only ${roots.map((root) => relative('', root) || '.').join(', ')} may be read; --package NAME=DIR adds a folder.`,
      );
    if (!roots.some((root) => isInside(path, root))) throw outside();
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined)
      throw new InputError(`${place}: there is no such file: ${path}`, await nearFile(path, isMeshName));
    const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
    if (!realRoots.some((root) => isInside(real, root))) throw outside();
    return real;
  }

  /** Where an address leads, and the folders that it may lead to. */
  private locate(address: string, place: string): { path: string; roots: readonly string[] } {
    const [, scheme, rest] = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(address) ?? [];
    if (scheme === undefined) return { path: resolve(this.home, address.replaceAll('\\', '/')), roots: this.roots };
    const named = /^(package|model)$/.exec(scheme.toLowerCase())?.[1] as PackageScheme | undefined;
    if (named !== undefined) {
      const { root, path } = this.inPackage(named, rest, place);
      return { path: join(root, path), roots: [root] };
    }
    if (scheme.toLowerCase() !== 'file') {
      throw new InputError(
        `${place}: ${scheme}: addresses are not read`,
        'Use package://NAME/…, model://NAME/…, or a path relative to the URDF.',
      );
    }
    try {
      return { path: fileURLToPath(address), roots: this.roots };
    } catch {
      throw new InputError(`${place}: this is not an address of a file here`);
    }
  }

  private inPackage(scheme: PackageScheme, rest: string, place: string): { root: string; path: string } {
    const [, name, path] = /^\/\/([^/]+)\/(.*)$/s.exec(rest.replaceAll('\\', '/')) ?? [];
    if (name === undefined) throw new InputError(`${place}: ${scheme}:// needs a name and a path`);
    const root = Object.hasOwn(this.packages, name) ? resolve(this.packages[name]) : this.findPackage(scheme, name);
    if (root !== undefined) return { root, path };
    const near = nearestName(name, Object.keys(this.packages));
    const variables = searchVariables[scheme].map(([variable]) => variable).join(', ');
    throw new InputError(
      `${place}: package "${name}" is not known`,
      `${near === undefined ? '' : `Did you mean "${near}"? `}Say where it is: --package ${name}=DIR, or \`packages\` in the scene, or ${variables}.`,
    );
  }

  /**
   * A package nobody named: a folder of its name beside the URDF, the package that the URDF lies in, one that lies beside that or above it,
   * or one on the paths that ROS or Gazebo search. Only folders that say that they are packages count, but for the first.
   */
  private findPackage(scheme: PackageScheme, name: string): string | undefined {
    if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) return undefined;
    const beside = join(this.home, name);
    if (existsSync(beside)) return beside;
    const { around } = this;
    if (around !== undefined && (basename(around) === name || declaredName(around) === name)) return around;
    const candidates = [...foldersAbove(this.home), ...searchPaths(scheme)].flatMap((folder) =>
      basename(folder) === name ? [folder, join(folder, name)] : [join(folder, name)],
    );
    return candidates.find(isPackage);
  }
}

type PackageScheme = 'package' | 'model';

/** Variables of the environment that hold folders of packages, and where below each folder these lie. */
const searchVariables: Readonly<Record<PackageScheme, readonly (readonly [string, string])[]>> = {
  package: [
    ['ROS_PACKAGE_PATH', ''],
    ['AMENT_PREFIX_PATH', 'share'],
  ],
  model: [
    ['GAZEBO_MODEL_PATH', ''],
    ['GZ_SIM_RESOURCE_PATH', ''],
  ],
};

function searchPaths(scheme: PackageScheme): string[] {
  return searchVariables[scheme].flatMap(([variable, below]) =>
    (process.env[variable] ?? '').split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, below)])),
  );
}

const isPackage = (folder: string): boolean =>
  ['package.xml', 'model.config'].some((file) => existsSync(join(folder, file)));

/** The folder and those above it, this many. */
function foldersAbove(folder: string, count = 6): string[] {
  const above = dirname(folder);
  return count === 1 || above === folder ? [folder] : [folder, ...foldersAbove(above, count - 1)];
}

/** The nearest folder upwards, five steps at most, that holds a package.xml. */
function packageAround(folder: string): string | undefined {
  let at = folder;
  for (let step = 0; step < 5; step++) {
    if (existsSync(join(at, 'package.xml'))) return at;
    at = dirname(at);
  }
  return undefined;
}

function declaredName(folder: string): string | undefined {
  const file = join(folder, 'package.xml');
  try {
    refuseIrregular(file, statSync(file));
    return /<name>\s*([^<\s]+)\s*<\/name>/.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** True if a path leads to the folder or to something in it; both absolute, links not followed. */
export function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
