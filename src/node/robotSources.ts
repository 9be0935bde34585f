import type { Mesh } from '../formats/meshes/index.ts';
import { readSrdf } from '../formats/robots/srdf.ts';
import { readUrdf, type Urdf } from '../formats/robots/urdf.ts';
import type { RobotDescription } from '../kinematics/robotModel.ts';
import { readMeshes } from './meshFiles.ts';
import { readInputText } from './readFiles.ts';
import { coveredRobot, locateRobot, type RobotFiles } from './robots.ts';

/** A text and the name of its file. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** A robot with all that it was read from: for questions about its files. */
export interface RobotSources {
  readonly robot: RobotDescription;
  readonly urdf: Urdf;
  /** By the address that the URDF gives. */
  readonly meshes: ReadonlyMap<string, Mesh>;
  readonly urdfFile: TextFile;
  /** Undefined where there is none. */
  readonly srdfFile: TextFile | undefined;
}

/** Loads a robot by built-in name or URDF path, covered as asked for, and keeps what it was made from. */
export async function loadRobotSources(nameOrPath: string, files: RobotFiles = {}): Promise<RobotSources> {
  const located = locateRobot(nameOrPath, files);
  const urdfFile = await textFile(located.urdf);
  const read = await readUrdf(urdfFile.text, urdfFile.file, files.geometry);
  const srdfFile = located.srdf === undefined ? undefined : await textFile(located.srdf);
  const semantics = srdfFile && (await readSrdf(srdfFile.text, srdfFile.file, read));
  const addressWarnings: string[] = [];
  const meshes = await readMeshes(read, files.packages ?? {}, (warning) => addressWarnings.push(warning));
  const urdf = { ...read, warnings: [...read.warnings, ...addressWarnings] };
  const robot = await coveredRobot(urdf, meshes, semantics, 'hull', files.hullVertices);
  return { robot, urdf, meshes, urdfFile, srdfFile };
}

const textFile = async (file: string): Promise<TextFile> => ({ file, text: await readInputText(file) });
