import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { MeshDecomposerName } from '../../core/hulls/meshParts.ts';
import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { RecentMap } from '../../core/math/recentMap.ts';
import { InputError, suggestion } from '../../errors.ts';
import type { Mesh } from '../../formats/meshes/index.ts';
import { isXacro, readRobotFile, refuseUnsupportedFormat } from '../../formats/robots/index.ts';
import { readSrdf } from '../../formats/robots/srdf.ts';
import { buildRobot, type Urdf } from '../../formats/robots/urdf.ts';
import type { LinkGeometry } from '../../formats/robots/urdfDocument.ts';
import { isRobotPath } from '../../formats/scenes/robots/robotReference.ts';
import { calibrated } from './calibrationFile.ts';
import { limited } from './limitsFile.ts';
import { type Packages, readMeshes } from './meshFiles.ts';
import { packageFolder } from './packageFolder.ts';
import { Observations } from './packages/observations.ts';
import { searchVariables } from './packages/packageSearch.ts';
import { robotFileAccess } from './packages/robotFileAccess.ts';
import { cachedData, cachedMeshParts, computedMeshParts } from './partsCache.ts';
import { computedData, type Prepare } from './prepared/preparedData.ts';
import { preparedMesh } from './prepared/preparedMeshes.ts';
import { preparedRobot } from './prepared/preparedRobots.ts';
import { readInputText } from './readFiles.ts';

/** Files and options of a robot besides its URDF. */
export interface RobotFiles {
  /** SRDF file. Default: that of a built-in robot; none for a URDF path. */
  readonly srdf?: string | undefined;
  /** File with joint limits in the style of MoveIt (`joint_limits.yaml`). Default: none. */
  readonly limits?: string | undefined;
  /** File with the calibration of an arm of Universal Robots: see `readCalibration`. Default: none. */
  readonly calibration?: string | undefined;
  /** Folders of the packages that mesh addresses name. Default: they are searched for. */
  readonly packages?: Packages | undefined;
  /** Values of the arguments of a robot file in xacro. Default: those that the file states. */
  readonly args?: Readonly<Record<string, string>> | undefined;
  /** Method that covers its meshes with convex parts. Default: hull. */
  readonly parts?: MeshDecomposerName | undefined;
  /** Which geometry of its links is checked for collisions. Default: collision. */
  readonly geometry?: LinkGeometry | undefined;
  /** False: meshes are read and validated, but no convex parts are built, for kinematics only. Default: true. */
  readonly bodies?: boolean | undefined;
  /** False: decompositions are always computed, never read from cache files. Default: true. */
  readonly cache?: boolean | undefined;
}

/** A robot, and what it was made from. */
interface LoadedRobot {
  readonly robot: Promise<RobotDescription>;
  readonly observed: Observations;
}

/** The robots that were loaded last. */
const loaded = new RecentMap<string, LoadedRobot>(64);

/**
 * Loads a robot by built-in name or URDF path, with all its meshes. Descriptions are immutable and cached as long as no
 * file that was read, and no package or variable that it names, changes.
 */
export async function loadRobot(nameOrPath: string, files: RobotFiles = {}): Promise<RobotDescription> {
  const { urdf, srdf } = locateRobot(nameOrPath, files);
  const { packages = {}, args = {}, parts = 'hull', geometry = 'collision' } = files;
  const { bodies = true, cache = true, limits, calibration } = files;
  const variables = Object.values(searchVariables).flatMap((list) => list.map(([name]) => process.env[name] ?? ''));
  const ofFiles = [srdf, limits, calibration].map((file) => file ?? null);
  const given = [...ofFiles, packages, args, parts, geometry, bodies, cache];
  const key = JSON.stringify([resolve(urdf), resolve('.'), variables, ...given]);
  const known = loaded.get(key);
  if (known?.observed.areCurrent()) return known.robot;
  const cover = cache ? cachedMeshParts : computedMeshParts;
  const prepare = cache ? cachedData : computedData;
  const options = { packages, limits, calibration, args, parts: bodies ? parts : undefined, geometry };
  const observed = new Observations();
  const loading = { robot: readRobot(urdf, srdf, options, { cover, prepare }, observed), observed };
  loaded.set(key, loading);
  loading.robot.catch(() => {
    if (loaded.get(key) === loading) loaded.delete(key);
  });
  return loading.robot;
}

/** Throws `InputError` if the folder of a package does not exist, or is no folder. */
function requireFolders(packages: Packages): void {
  for (const [name, folder] of Object.entries(packages)) {
    const isFolder = existsSync(folder) && statSync(folder).isDirectory();
    if (isFolder) continue;
    const what = existsSync(folder) ? 'this is not a folder' : 'there is no such folder';
    throw new InputError(
      `package ${JSON.stringify(name)}: ${folder}: ${what}`,
      `Give the folder of package://${name}/: --package ${name}=DIR, or \`packages\` in the scene.`,
    );
  }
}

/** Throws `InputError` if arguments are given for a file that has none: they would be ignored. */
function refuseArguments(text: string, file: string, args: Readonly<Record<string, string>>): void {
  const [name] = Object.keys(args);
  if (name === undefined || isXacro(text, file)) return;
  throw new InputError(
    `${file}: this is no xacro file: it has no argument ${JSON.stringify(name)}`,
    'Leave --arg, or args of the scene, out.',
  );
}

/** Returns the names of the built-in robots, sorted. */
export function builtInRobots(): string[] {
  const folder = packageFolder('robots');
  if (folder === undefined) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, `${name}.urdf`)))
    .sort();
}

/** Returns the folder of a built-in robot; undefined if there is none of this name. */
export function builtInFolder(name: string): string | undefined {
  const robots = packageFolder('robots');
  if (robots === undefined || !readdirSync(robots).includes(name)) return undefined;
  return existsSync(join(robots, name, `${name}.urdf`)) ? join(robots, name) : undefined;
}

/** Returns the note of an error about an unknown robot: a similar name, or a URDF. */
export function unknownRobotNote(name: string): string {
  return `${suggestion(name, builtInRobots())} Or give the path of a robot file.`.trim();
}

async function readRobot(
  urdfFile: string,
  srdfFile: string | undefined,
  files: RobotFiles,
  { cover, prepare }: { readonly cover: typeof cachedMeshParts; readonly prepare: Prepare },
  observed: Observations,
): Promise<RobotDescription> {
  const { packages = {}, limits, calibration, parts, geometry = 'collision', args = {} } = files;
  observed.file(urdfFile);
  const text = await readInputText(urdfFile);
  refuseArguments(text, urdfFile, args);
  const access = robotFileAccess(urdfFile, packages, observed);
  const prepared = await preparedRobot(prepare, [geometry, JSON.stringify(args), urdfFile, text], access, (recorded) =>
    readRobotFile(text, urdfFile, { geometry, args, files: recorded }),
  );
  const { inputs } = prepared;
  const urdf = await calibrated(await limited(prepared.urdf, limits, observed), calibration, observed);
  const srdf = srdfFile === undefined ? undefined : await readSrdfFile(srdfFile, files, observed);
  const keep = inputs === undefined ? computedData : prepare;
  const semantics =
    srdf && (await keep('srdf', [srdf.file, srdf.text, ...(inputs ?? [])], () => readSrdf(srdf.text, srdf.file, urdf)));
  const addressWarnings: string[] = [];
  const warn = (warning: string) => addressWarnings.push(warning);
  const readMeshOf = parts === 'hull' && prepare !== computedData ? meshesAtScales(urdf, prepare) : undefined;
  const meshes = await readMeshes(urdf, packages, warn, observed, readMeshOf);
  const read = { ...urdf, warnings: [...urdf.warnings, ...addressWarnings] };
  return buildRobot(read, meshes, semantics, parts === undefined ? async () => [] : cover[parts]);
}

/** Returns the method that reads a mesh of a robot with its hulls at all scales of its links. */
const meshesAtScales =
  ({ links }: Urdf, prepare: Prepare) =>
  (bytes: Uint8Array, name: string, address: string): Promise<Mesh> => {
    const uses = links.flatMap(({ collisions }) =>
      collisions.flatMap(({ mesh }) => (mesh === undefined ? [] : [mesh])),
    );
    const scales = new Map(uses.flatMap((use) => (use.address === address ? [[use.scale.join(' '), use.scale]] : [])));
    return preparedMesh(bytes, name, [...scales.values()], prepare);
  };

/** Reads the links and joints of a robot file in any format, with the files that it includes. */
export async function readLinks(
  text: string,
  file: string,
  files: RobotFiles,
  observed = new Observations(),
): Promise<Urdf> {
  const { geometry = 'collision', args = {}, packages = {} } = files;
  refuseArguments(text, file, args);
  return readRobotFile(text, file, { geometry, args, files: robotFileAccess(file, packages, observed) });
}

/** Returns the files of a robot: for a built-in one those in robots/, with its own SRDF unless another is given. */
export function locateRobot(
  nameOrPath: string,
  { srdf, packages = {} }: RobotFiles,
): { urdf: string; srdf: string | undefined } {
  refuseUnsupportedFormat(nameOrPath);
  requireFolders(packages);
  if (isRobotPath(nameOrPath)) return { urdf: nameOrPath, srdf };
  const folder = builtInFolder(nameOrPath);
  if (folder === undefined) {
    if (existsSync(nameOrPath)) return { urdf: nameOrPath, srdf };
    throw new InputError(`unknown robot "${nameOrPath}"`, unknownRobotNote(nameOrPath));
  }
  const own = join(folder, `${nameOrPath}.srdf`);
  return { urdf: join(folder, `${nameOrPath}.urdf`), srdf: srdf ?? (existsSync(own) ? own : undefined) };
}

/** Text and name of a file. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** Packages and arguments of the robot. */
interface StatedFiles {
  readonly packages?: Packages | undefined;
  readonly args?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads an SRDF. One with the extension `.xacro` is expanded with the arguments and packages of the robot; lines of
 * messages are then those of the expanded text, and its name says so.
 * @param observed notes all that is read
 */
export async function readSrdfFile(file: string, files: StatedFiles, observed: Observations): Promise<TextFile> {
  observed.file(file);
  const text = await readInputText(file);
  if (!/\.xacro$/i.test(file)) return { file, text };
  const { expandXacro } = await import('../../formats/robots/xacro/xacro.ts');
  const { packages = {}, args = {} } = files;
  const expansion = await expandXacro(text, file, { args, files: robotFileAccess(file, packages, observed) });
  return { file: `${file} (expanded)`, text: expansion.text };
}
