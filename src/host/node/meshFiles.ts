import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, InputErrors, nearestName } from '../../errors.ts';
import { isMeshName, type Mesh, readMesh } from '../../formats/meshes/index.ts';
import { sourceWarning } from '../../formats/robots/robotFormat.ts';
import type { MeshAddress, Urdf } from '../../formats/robots/urdf.ts';
import { decodePercent } from '../../formats/text/percentEncoding.ts';
import { Observations } from './packages/observations.ts';
import { outsideNote } from './packages/outsideNote.ts';
import {
  inSources,
  isInside,
  type PackageScheme,
  packageAround,
  packageCandidates,
  realFile,
  realPath,
  rootOfRobot,
  searchVariables,
} from './packages/packageSearch.ts';
import { readBytes, similarFileNote } from './readFiles.ts';

/** Largest mesh file, bytes; larger ones are refused before they are read. */
export const MAX_MESH_SIZE = 256 * 1024 * 1024;

/** Folder of each package, by package name. */
export type Packages = Readonly<Record<string, string>>;

/**
 * Reads the meshes of a URDF. A `package://` or `model://` address must resolve to a file in its package: the folder in
 * `packages`, or else the one found near the URDF or on the search paths of ROS and Gazebo. Other addresses must
 * resolve to a file below the root of the robot (`rootOfRobot`), or in one of `packages`. No other file is opened, even
 * through `..` or symbolic links. Reports all missing files in one error.
 * @param warn receives warnings about addresses
 * @param observed notes all that is read
 * @param read reads the bytes of a mesh
 */
export async function readMeshes(
  urdf: Pick<Urdf, 'file' | 'meshes' | 'packages'>,
  packages: Packages,
  warn: (warning: string) => void = () => {},
  observed = new Observations(),
  read: (bytes: Uint8Array, name: string, address: string) => Promise<Mesh> = (bytes, name) => readMesh(bytes, name),
): Promise<Map<string, Mesh>> {
  const folders = new RobotFolders(urdf.file, { ...urdf.packages, ...packages }, warn, observed);
  const answers = await Promise.allSettled(
    urdf.meshes.map(async (mesh) => {
      const path = await folders.find(mesh, urdf.file);
      return readMeshFile(path, mesh.address, (bytes, name) => read(bytes, name, mesh.address));
    }),
  );
  folders.warnOfSources();
  const problems: InputError[] = [];
  const meshes = new Map<string, Mesh>();
  for (const [i, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') meshes.set(urdf.meshes[i].address, answer.value);
    else if (answer.reason instanceof InputError) problems.push(answer.reason);
    else throw answer.reason;
  }
  if (problems.length > 0) throw new InputErrors(byPackage(problems));
  return meshes;
}

/** Up to this number, missing or moved meshes are reported one by one; more are one problem or warning. */
const FEW_MISSING = 3;

/** Joins the problems of many meshes of a package that is missing, or whose files are, to one. */
function byPackage(problems: readonly InputError[]): InputError[] {
  const groups = new Map<string, InputError[]>();
  for (const problem of problems) {
    const [, name] =
      /: mesh (?:package|model):\/+([^/]+)\/.*: (?:package ".*" is not known|there is no such file)/.exec(
        problem.message,
      ) ?? [undefined, problem.message];
    groups.set(name, [...(groups.get(name) ?? []), problem]);
  }
  return [...groups].flatMap(([name, [first, ...others]]) =>
    others.length < FEW_MISSING
      ? [first, ...others]
      : [new InputError(`${first.message}; nor are ${others.length} other meshes of package "${name}"`, first.note)],
  );
}

/** Returns an error for each mesh of a URDF that cannot be found, without reading any. */
export async function findMissingMeshes(
  urdf: Pick<Urdf, 'file' | 'meshes' | 'packages'>,
  packages: Packages,
): Promise<readonly InputError[]> {
  const found = await locateMeshes(urdf, packages);
  return byPackage([...found.values()].filter((answer) => answer instanceof InputError));
}

/** Finds the real path of each mesh of a URDF by its address, or the error that says why there is none. */
export async function locateMeshes(
  urdf: Pick<Urdf, 'file' | 'meshes' | 'packages'>,
  packages: Packages,
): Promise<ReadonlyMap<string, string | InputError>> {
  const folders = new RobotFolders(urdf.file, { ...urdf.packages, ...packages }, () => {}, new Observations());
  const answers = await Promise.all(
    urdf.meshes.map((mesh) =>
      folders.find(mesh, urdf.file).catch((error: unknown) => {
        if (error instanceof InputError) return error;
        throw error;
      }),
    ),
  );
  const found = new Map<string, string | InputError>();
  for (const [i, { address }] of urdf.meshes.entries()) if (!found.has(address)) found.set(address, answers[i]);
  return found;
}

/**
 * Reads a mesh file.
 * @param name determines the format if `path` has no known extension
 */
export async function readMeshFile(
  path: string,
  name = path,
  read: (bytes: Uint8Array, name: string) => Promise<Mesh> = readMesh,
): Promise<Mesh> {
  return read(await readBytes(path, MAX_MESH_SIZE), isMeshName(path) ? path : name);
}

/** A mesh file that an address names. */
interface Located {
  /** Absolute path. */
  readonly path: string;
  /** The path before its percent-encoded characters are decoded. */
  readonly encoded: string;
  /** Folders that must contain it. */
  readonly roots: readonly string[];
}

/** Folders that may be read for one robot. */
class RobotFolders {
  private readonly home: string;
  private readonly around: string | undefined;
  private readonly roots: readonly string[];
  /** Warnings of meshes that were found in the sources of their package. */
  private readonly inSources: string[] = [];

  constructor(
    private readonly urdfFile: string,
    private readonly packages: Packages,
    private readonly warn: (warning: string) => void,
    private readonly observed: Observations,
  ) {
    this.home = dirname(resolve(urdfFile));
    this.around = packageAround(this.home);
    this.roots = [rootOfRobot(this.home), ...Object.values(packages).map((path) => resolve(path))];
  }

  /** Returns the real path of a mesh. Throws `InputError` if it is missing or outside of the allowed folders. */
  async find({ address, file: own, line, link }: MeshAddress, file: string): Promise<string> {
    const place = `${own ?? file}:${line}: link "${link}": mesh ${address.slice(0, 200)}`;
    const { path, encoded, roots } = this.locate(address, place);
    const outside = (target?: string) =>
      new InputError(`${place} lies outside the robot's folders`, outsideNote(roots, target));
    if (!roots.some((root) => isInside(path, root))) throw outside();
    this.observed.file(path);
    const stated = realPath(path);
    const real = stated ?? this.moved(path, place, roots);
    if (real === undefined)
      throw new InputError(
        `${place}: there is no such file: ${path}`,
        encoded !== path && existsSync(encoded)
          ? `There is ${JSON.stringify(basename(encoded))}: in an address, write %25 for its percent signs.`
          : similarFileNote(path, isMeshName),
      );
    const allowed = stated === undefined ? [...roots, ...this.roots] : roots;
    const realRoots = allowed.map((root) => realPath(root) ?? root);
    if (!realRoots.some((root) => isInside(real, root))) throw outside(real);
    return real;
  }

  /** Returns the real path of a file that an installation puts at `path`, and adds a warning; or undefined. */
  private moved(path: string, place: string, roots: readonly string[]): string | undefined {
    const packages = this.around === undefined ? roots : [...roots, this.around];
    const source = inSources(path, packages, this.roots[0], this.observed);
    if (source === undefined) return undefined;
    this.observed.file(source);
    this.inSources.push(sourceWarning(place, source));
    return realPath(source);
  }

  /** Warns of the meshes that were found in the sources of their package; many are one warning. */
  warnOfSources(): void {
    const [first, ...others] = this.inSources;
    if (others.length < FEW_MISSING) for (const warning of this.inSources) this.warn(warning);
    else this.warn(`${first}; so are ${others.length} other meshes`);
  }

  /** Resolves an address to a path, and returns the folders that must contain it. */
  private locate(address: string, place: string): Located {
    const [, scheme, rest] = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(address) ?? [];
    if (scheme === undefined) {
      const path = resolve(this.home, address.replaceAll('\\', '/'));
      return { path, encoded: path, roots: this.roots };
    }
    const named = /^(package|model)$/.exec(scheme.toLowerCase())?.[1] as PackageScheme | undefined;
    if (named !== undefined) return this.inPackage(named, rest, place);
    if (scheme.toLowerCase() !== 'file') {
      throw new InputError(
        `${place}: ${scheme}: addresses are not supported`,
        'Use package://NAME/…, model://NAME/…, or a path relative to the URDF.',
      );
    }
    const [mark] = /[?#]/.exec(rest) ?? [];
    if (mark !== undefined)
      throw new InputError(
        `${place}: ${mark} ends the path of a file address`,
        `Write ${mark === '#' ? '%23' : '%3F'} for this character of a file name.`,
      );
    decodePercent(rest, place);
    try {
      const path = fileURLToPath(address);
      return { path, encoded: path, roots: this.roots };
    } catch {
      throw new InputError(`${place}: this is not the address of a local file`);
    }
  }

  private inPackage(scheme: PackageScheme, rest: string, place: string): Located {
    const [, slashes, encodedName, encoded] = /^(\/\/+)([^/]+)\/(.*)$/s.exec(rest.replaceAll('\\', '/')) ?? [];
    if (encodedName === undefined) throw new InputError(`${place}: ${scheme}:// needs a name and a path`);
    const [name, path] = [decodePercent(encodedName, place), decodePercent(encoded, place)];
    if (slashes.length > 2) this.warn(`${place}: it is read as ${scheme}://${name}/…, with two slashes`);
    const root = Object.hasOwn(this.packages, name)
      ? resolve(this.packages[name])
      : this.findPackage(scheme, name, path, place);
    if (root !== undefined) return { path: join(root, path), encoded: join(root, encoded), roots: [root] };
    const near = nearestName(name, Object.keys(this.packages));
    const variables = searchVariables[scheme].map(([variable]) => variable).join(', ');
    throw new InputError(
      `${place}: package "${name}" is not known`,
      `${near === undefined ? '' : `Did you mean "${near}"? `}Say where it is: --package ${name}=DIR, or ` +
        `\`packages\` in the scene, or ${variables}.`,
    );
  }

  /**
   * Finds the folder of a package that is not in the map: the first candidate that contains the file, or else the first
   * candidate. Warns if candidates contain different files.
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
