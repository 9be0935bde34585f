import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import type { Transform } from '../../../src/core/math/transform.ts';
import { InputError } from '../../../src/errors.ts';
import type { RobotFileAccess, RobotFormat } from '../../../src/formats/robots/robotFormat.ts';
import { buildRobot } from '../../../src/formats/robots/urdf.ts';
import type { LinkGeometry } from '../../../src/formats/robots/urdfDocument.ts';
import { memoryFiles } from './memoryFiles.ts';

/** Files in memory: paths relative to the folder of the robot; the folder of package NAME is `NAME`. */
export function memoryAccess(files: Readonly<Record<string, string>> = {}): RobotFileAccess {
  const packageFolder = (name: string) =>
    Object.keys(files).some((path) => path.startsWith(`${name}/`)) ? name : undefined;
  return { ...memoryFiles(files), packageFolder };
}

/** A tetrahedron with one corner at the origin and the others at 1 m along the axes. */
const tetra = {
  points: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0),
  triangles: 3,
  warnings: [],
};

/** Reads a robot; every mesh file holds the tetrahedron. */
export async function robotOf(
  read: RobotFormat['read'],
  text: string,
  files: Readonly<Record<string, string>> = {},
  geometry: LinkGeometry = 'collision',
): Promise<RobotDescription> {
  const robot = await read(text, 'r.xml', { geometry, args: {}, files: memoryAccess(files) });
  return buildRobot(robot, new Map(robot.meshes.map(({ address }) => [address, tetra])));
}

/** The message of the error of reading a robot; with its notes. */
export async function refusalOf(
  read: RobotFormat['read'],
  text: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const error = await robotOf(read, text, files).catch((reason: unknown) => reason);
  if (!(error instanceof InputError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
  return `${error.message}\n${error.note}`;
}

/** The poses of all links for values of the joints that move independently. */
export function posesOf(
  robot: RobotDescription,
  values: Readonly<Record<string, number>>,
): ReadonlyMap<string, Transform> {
  const model = createRobotModel(robot);
  const state = new RobotState(model);
  forwardKinematics(
    state,
    Float64Array.from(model.variables, ({ name }) => values[name] ?? 0),
  );
  return new Map(model.links.map(({ name, index }) => [name, state.T_world_link[index]]));
}
