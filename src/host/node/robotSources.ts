import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { InputError } from '../../errors.ts';
import type { Mesh } from '../../formats/meshes/index.ts';
import { isXacro } from '../../formats/robots/index.ts';
import { readSrdf } from '../../formats/robots/srdf.ts';
import { buildRobot, type Urdf } from '../../formats/robots/urdf.ts';
import { calibrated } from './calibrationFile.ts';
import { limited } from './limitsFile.ts';
import { readMeshes } from './meshFiles.ts';
import { Observations } from './packages/observations.ts';
import { robotFileAccess } from './packages/robotFileAccess.ts';
import { cachedMeshParts } from './partsCache.ts';
import { readInputText } from './readFiles.ts';
import { locateRobot, type RobotFiles, readLinks, readSrdfFile, type TextFile } from './robots.ts';

/** Robot with its source files, for commands that inspect them. */
export interface RobotSources {
  readonly robot: RobotDescription;
  readonly urdf: Urdf;
  /** Meshes by their address in the URDF. */
  readonly meshes: ReadonlyMap<string, Mesh>;
  /** File of the robot, in any format. */
  readonly urdfFile: TextFile;
  /** Undefined if the robot has no SRDF. */
  readonly srdfFile: TextFile | undefined;
}

/** Loads a robot by built-in name or URDF path, with the hulls of its meshes, and returns it with its source files. */
export async function loadRobotSources(nameOrPath: string, files: RobotFiles = {}): Promise<RobotSources> {
  const observed = new Observations();
  const located = locateRobot(nameOrPath, files);
  const urdfFile = await textFile(located.urdf);
  observed.file(located.urdf);
  const links = await readLinks(urdfFile.text, urdfFile.file, files, observed);
  const read = await calibrated(await limited(links, files.limits, observed), files.calibration, observed);
  const srdfFile = located.srdf === undefined ? undefined : await readSrdfFile(located.srdf, files, observed);
  const semantics = srdfFile && (await readSrdf(srdfFile.text, srdfFile.file, read));
  const addressWarnings: string[] = [];
  const meshes = await readMeshes(read, files.packages ?? {}, (warning) => addressWarnings.push(warning), observed);
  const urdf = { ...read, warnings: [...read.warnings, ...addressWarnings] };
  const robot = await buildRobot(urdf, meshes, semantics, cachedMeshParts.hull);
  return { robot, urdf, meshes, urdfFile, srdfFile };
}

/**
 * Expands the xacro file of a robot to URDF. Throws `InputError` if the file has another format.
 */
export async function expandRobot(
  nameOrPath: string,
  files: RobotFiles = {},
): Promise<{ readonly text: string; readonly warnings: readonly string[] }> {
  const { file, text } = await textFile(locateRobot(nameOrPath, files).urdf);
  if (!isXacro(text, file)) {
    throw new InputError(
      `${file}: this is no xacro file: there is nothing to expand`,
      'Xacro files have the extension .xacro, or contain elements such as <xacro:macro>.',
    );
  }
  const { expandXacro } = await import('../../formats/robots/xacro/xacro.ts');
  const { packages = {}, args = {} } = files;
  return expandXacro(text, file, { args, files: robotFileAccess(file, packages) });
}

const textFile = async (file: string): Promise<TextFile> => ({ file, text: await readInputText(file) });
