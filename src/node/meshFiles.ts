import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, InputErrors, nearestName } from '../errors.ts';
import { isMeshName, type Mesh, readMesh } from '../formats/meshes/index.ts';
import type { MeshAddress, Urdf } from '../formats/robots/urdf.ts';
import { type PackageScheme, packageAround, packageCandidates, realFile, searchVariables } from './packageSearch.ts';
import { readBytes } from './readFiles.ts';
import { nearFile } from './similarFile.ts';

/** Meshes beyond this many bytes are refused before they are read. */
const LARGEST_MESH = 256 * 1024 * 1024;

/** Package name → its folder. */
export type Packages = Readonly<Record<string, string>>;

/**
 * Reads the meshes that a URDF asks for. A `package://` or `model://` address stays in its package, which is the
 * one of the map, or else looked for near the URDF and where ROS and Gazebo look. Other addresses stay in the package that the URDF
 * lies in, or else in the folder above the URDF's (descriptions keep `urdf/` and `meshes/` side by side), or in a package given. Nothing
 * else is opened, wherever `..` or symbolic links may lead. All that is missing is reported at once.
 * @param warn receives what is odd about the addresses, without stopping
 */
export async function readMeshes(
  urdf: Pick<Urdf, 'file' | 'meshes'>,
  packages: Packages,
  warn: (warning: string) => void = () => {},
): Promise<Map<string, Mesh>> {
  const folders = new RobotFolders(urdf.file, packages, warn);
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

/** Why meshes of a URDF cannot be found; empty if all can. Nothing is read. */
export async function findMissingMeshes(
  urdf: Pick<Urdf, 'file' | 'meshes'>,
  packages: Packages,
): Promise<readonly InputError[]> {
  const folders = new RobotFolders(urdf.file, packages, () => {});
  const found = await Promise.allSettled(urdf.meshes.map((mesh) => folders.find(mesh, urdf.file)));
  return found.flatMap((answer) => {
    if (answer.status === 'fulfilled') return [];
    if (answer.reason instanceof InputError) return [answer.reason];
    throw answer.reason;
  });
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
    private readonly urdfFile: string,
    private readonly packages: Packages,
    private readonly warn: (warning: string) => void,
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
    const [, slashes, name, path] = /^(\/\/+)([^/]+)\/(.*)$/s.exec(rest.replaceAll('\\', '/')) ?? [];
    if (name === undefined) throw new InputError(`${place}: ${scheme}:// needs a name and a path`);
    if (slashes.length > 2) this.warn(`${place}: it is read as ${scheme}://${name}/…, with two slashes`);
    const root = Object.hasOwn(this.packages, name)
      ? resolve(this.packages[name])
      : this.findPackage(scheme, name, path, place);
    if (root !== undefined) return { root, path };
    const near = nearestName(name, Object.keys(this.packages));
    const variables = searchVariables[scheme].map(([variable]) => variable).join(', ');
    throw new InputError(
      `${place}: package "${name}" is not known`,
      `${near === undefined ? '' : `Did you mean "${near}"? `}Say where it is: --package ${name}=DIR, or \`packages\` in the scene, or ${variables}.`,
    );
  }

  /**
   * The folder of a package that the map does not name: of the candidates the first that has the file, or else the first. Candidates that
   * have different files are a warning.
   */
  private findPackage(scheme: PackageScheme, name: string, path: string, place: string): string | undefined {
    const candidates = packageCandidates(this.urdfFile, this.around, scheme, name);
    const found = candidates.flatMap((folder) => {
      const file = realFile(join(folder, path));
      return file === undefined ? [] : [{ folder, file }];
    });
    const others = new Map(found.filter(({ file }) => file !== found[0].file).map((one) => [one.file, one.folder]));
    if (others.size > 0) {
      const used = `${found[0].folder} is used, not ${[...others.values()].join(', ')}`;
      this.warn(`${place}: several folders are package "${name}": ${used}; --package ${name}=DIR selects one`);
    }
    return found[0]?.folder ?? candidates[0];
  }
}

/** True if a path leads to the folder or to something in it; both absolute, links not followed. */
export function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
