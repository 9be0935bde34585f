import { readCertificate } from '../../src/core/certificate/certificate.ts';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import { isRepeated, type Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { InputError } from '../../src/errors.ts';
import { readHeights } from '../../src/formats/clouds/heightField.ts';
import { MAX_CLOUD_POINTS, readCloud } from '../../src/formats/clouds/index.ts';
import { readMesh } from '../../src/formats/meshes/index.ts';
import { readMjcf } from '../../src/formats/robots/mjcf/mjcf.ts';
import type { RobotFileAccess, RobotFormat } from '../../src/formats/robots/robotFormat.ts';
import { readSdf } from '../../src/formats/robots/sdf/sdf.ts';
import { readSrdf } from '../../src/formats/robots/srdf.ts';
import { buildRobot, readUrdf } from '../../src/formats/robots/urdf.ts';
import { expandXacro, readXacro } from '../../src/formats/robots/xacro/xacro.ts';
import { sceneText } from '../../src/formats/scenes/moveit/foreignScene.ts';
import { readMoveitScene } from '../../src/formats/scenes/moveit/moveitScene.ts';
import { readPlanningScene } from '../../src/formats/scenes/moveit/planningScene.ts';
import { buildScene, readSceneFile } from '../../src/formats/scenes/sceneFile.ts';
import { readExperimentFile } from '../../src/formats/schemas/experimentFile.ts';
import { type MethodName, readParams, serviceMessages } from '../../src/formats/schemas/serviceMessages.ts';
import { MotionReader } from '../../src/formats/streams/motions.ts';
import { PairReader } from '../../src/formats/streams/pairs.ts';
import { StateReader } from '../../src/formats/streams/states.ts';
import { readToolPath } from '../../src/formats/toolpaths/index.ts';
import { orientedPoints } from '../../src/formats/toolpaths/orientedPoints.ts';
import { MAX_WAY_POINTS } from '../../src/formats/toolpaths/wayPoint.ts';
import { readTrajectory } from '../../src/formats/trajectories/index.ts';
import { experimentDefaults, experimentTables } from '../../src/host/experiments/names.ts';
import { RpcError, readRequest } from '../../src/host/service/jsonRpc.ts';
import { parseMessage } from '../../src/host/service/messageText.ts';
import { memoryFiles } from '../formats/robots/memoryFiles.ts';
import { isExecutedAs } from '../formats/trajectories/urscriptMachine.ts';
import { robotText } from './robotSamples.ts';

/**
 * Reads a file whole, as the commands do, and holds what came out to what was promised. Throws InputError for what
 * cannot be read.
 */
export type Target = (bytes: Uint8Array) => Promise<void> | void;

const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

function promise(holds: boolean, what: string): void {
  if (!holds) throw new Error(`broken promise: ${what}`);
}

const mesh =
  (ending: string): Target =>
  async (bytes) => {
    const { points, triangles } = await readMesh(bytes, `t.${ending}`);
    promise(points.every(Number.isFinite), 'points are finite');
    promise(triangles > 0 && points.length === 9 * triangles, 'nine numbers a triangle');
  };

const cloud =
  (ending: string): Target =>
  (bytes) => {
    const { points } = readCloud(bytes, `t.${ending}`);
    promise(points.every(Number.isFinite), 'points are finite');
    promise(points.length > 0 && points.length <= 3 * MAX_CLOUD_POINTS, 'one point at least, and not too many');
  };

const toolPath =
  (ending: string): Target =>
  (bytes) => {
    const points = orientedPoints(readToolPath(decode(bytes), `t.${ending}`));
    promise(points.length > 1 && points.length <= MAX_WAY_POINTS, 'two way points at least, and not too many');
    for (const { xyz, quat_wxyz, speed = 1 } of points) {
      promise(xyz.every(Number.isFinite), 'positions are finite');
      promise(speed > 0 && speed < Number.POSITIVE_INFINITY, 'speeds are above 0 and finite');
      if (quat_wxyz) promise(Math.abs(Math.hypot(...quat_wxyz) - 1) < 1e-9, 'quaternions are unit quaternions');
    }
  };

function playable({ points }: Trajectory): void {
  promise(points.length > 0, 'there is a point at least');
  for (const [i, point] of points.entries()) {
    const { positions, velocities = [], time_from_start: time = i } = point;
    promise([...positions, ...velocities, time].every(Number.isFinite), 'positions, velocities and times are finite');
    const increases = i === 0 || time > (points[i - 1].time_from_start ?? i - 1);
    promise(increases || isRepeated(point, points[i - 1]), 'times increase, but at repeated points');
  }
}

const jointNames = ['shoulder', 'wrist'];
const wholeUrdf = readUrdf(robotText, 'r.urdf');
/** What scenes are held against: two joints that move by themselves, and a state. */
const wholeRobot = readUrdf(robotText.replace(/<mimic[^>]*>/, ''), 'r.urdf').then((urdf) =>
  buildRobot(urdf, new Map(), { allowed: [], states: { up: { j: 1 } }, groups: {}, warnings: [] }),
);
const tetra = {
  points: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: 2,
  warnings: [],
};
const dots = { points: Float64Array.of(0, 0, 0, 1, 1, 1), skipped: 0 };
const rows = [
  [0, 1],
  [1, 0],
];
/** A map that has the same for every name. */
const always = <T>(value: T): ReadonlyMap<string, T> => Object.assign(new Map<string, T>(), { get: () => value });

/** Checks whether all numbers in plain data are finite. */
const hasFiniteNumbers = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers);

/** Files that the samples of xacro include. */
const xacroParts = {
  '/parts/part.xacro': '<robot xmlns:xacro="x"><xacro:property name="height" value="0.5"/></robot>',
  '/parts/d.yaml': 'list: [1, 2.5]\nupper: !degrees 90\n',
};

/** The files that samples of robots include. */
const includedFiles: Readonly<Record<string, string>> = {
  '/part/model.config': '<model><sdf version="1.6">part.sdf</sdf></model>',
  '/part/part.sdf': '<sdf version="1.6"><model name="p"><link name="l"/></model></sdf>',
  'limb.xml': '<mujocoinclude><body name="y"><geom size="1"/></body></mujocoinclude>',
};
const access: RobotFileAccess = {
  resolve: (address) => address,
  readText(path) {
    if (Object.hasOwn(includedFiles, path)) return includedFiles[path];
    throw new InputError(`${path}: there is no such file`);
  },
  inSources: () => undefined,
  fileNames: () => '',
  packageFolder: (name) => (name === 'part' ? '/part' : undefined),
  exists: (path) => Object.hasOwn(includedFiles, path),
  absoluteFolder: () => '/',
  workingFolder: '/',
  environment: () => undefined,
};

const robotFile =
  (read: RobotFormat['read']): Target =>
  async (bytes) => {
    const robot = await read(decode(bytes), 'r', { geometry: 'collision', args: {}, files: access });
    const description = await buildRobot(robot, always(tetra));
    const { links, joints } = createRobotModel(description);
    promise(links.length === joints.length + 1, 'a robot is a tree');
    promise(
      hasFiniteNumbers(description.links.map(({ collisions }) => collisions)),
      'the numbers of shapes are finite',
    );
  };

const sceneFile: Target = async (bytes) => {
  const included = 'format: elbowroom-scene/1\nobstacles: [{name: post, type: sphere, radius: 1}]\n';
  const open = async (address: string) => ({ text: included, file: address, id: address });
  const { problems } = await readSceneFile(decode(bytes), 's.yaml', {}, open);
  const robot = await wholeRobot;
  for (const problem of problems) {
    await problem.check(robot);
    const { obstacles } = await buildScene(problem, {
      meshes: always(tetra),
      clouds: always(dots),
      heights: always(rows),
    });
    promise(JSON.stringify(obstacles) !== undefined, 'a scene is plain data');
    promise(hasFiniteNumbers(problem.scene), 'the numbers of a scene survive JSON');
  }
};

const lines =
  (make: () => { read: (line: string) => unknown }): Target =>
  (bytes) => {
    const reader = make();
    for (const line of decode(bytes).split('\n')) reader.read(line);
  };

/** A message to the service, as far as it can be judged without a scene. */
function readMessage(line: string): void {
  try {
    const { method, params } = readRequest(parseMessage(line));
    if (Object.hasOwn(serviceMessages, method)) readParams(method as MethodName, params);
  } catch (error) {
    throw error instanceof RpcError ? new InputError(error.message, error.note) : error;
  }
}

/** Every reader there is, by name. */
export const targets: Readonly<Record<string, Target>> = {
  stl: mesh('stl'),
  obj: mesh('obj'),
  dae: mesh('dae'),
  ply: async (bytes) => (bytes.length % 2 === 0 ? mesh('ply') : cloud('ply'))(bytes),
  pcd: cloud('pcd'),
  xyz: cloud('xyz'),
  heights: (bytes) => {
    promise(readHeights(bytes, 't.csv').flat().every(Number.isFinite), 'heights are finite');
  },
  urdf: async (bytes) => {
    const urdf = await readUrdf(decode(bytes), 'r.urdf');
    createRobotModel(await buildRobot(urdf, always(tetra)), {});
  },
  xacro: async (bytes) => {
    const reading = { geometry: 'collision', args: { n: '2' }, files: memoryFiles(xacroParts) } as const;
    const text = decode(bytes);
    const urdf = await readXacro(text, 'r.xacro', reading);
    createRobotModel(await buildRobot(urdf, always(tetra)), {});
    const again = await expandXacro((await expandXacro(text, 'r.xacro', reading)).text, 'r.xacro', reading);
    promise(again.text.length > 0, 'an expanded file can be expanded, too');
  },
  sdf: robotFile(readSdf),
  mjcf: robotFile(readMjcf),
  srdf: async (bytes) => {
    await readSrdf(decode(bytes), 'r.srdf', await wholeUrdf);
  },
  scene: sceneFile,
  suite: sceneFile,
  states: lines(() => new StateReader(jointNames, 'states')),
  motions: lines(() => new MotionReader(jointNames)),
  pairs: lines(() => new PairReader()),
  requests: lines(() => ({ read: readMessage })),
  trajectory: async (bytes) => playable(await readTrajectory(decode(bytes), 't', jointNames)),
  urscript: async (bytes) => {
    const text = decode(bytes);
    const trajectory = await readTrajectory(text, 't.script', jointNames);
    playable(trajectory);
    const points = trajectory.points.map(({ positions }) => positions);
    promise(isExecutedAs(text, points), 'the moves are those of the second interpreter');
  },
  pathcsv: toolPath('csv'),
  gcode: toolPath('nc'),
  mcap: async (bytes) => playable(await readTrajectory(bytes, 't.mcap', jointNames)),
  recordings: async (bytes) => playable(await readTrajectory(bytes, 't.mcap', jointNames)),
  certificate: (bytes) => {
    readCertificate(decode(bytes), 'c.json');
  },
  moveit: async (bytes) => {
    await readSceneFile(sceneText(await readMoveitScene(decode(bytes), 't.scene'), 'r'), 'converted.yaml');
  },
  planning: async (bytes) => {
    await readSceneFile(sceneText(await readPlanningScene(decode(bytes), 't.yaml'), 'r'), 'converted.yaml');
  },
  experiment: async (bytes) => {
    const { conditions } = await readExperimentFile(decode(bytes), 'e.yaml', experimentTables, experimentDefaults);
    promise(conditions.length > 0, 'there is a condition at least');
  },
};
