import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { jointsOutOfLimits } from '../../../core/collision/validators/robotJointSpace.ts';
import { withMount } from '../../../core/kinematics/composition/mountedRobot.ts';
import { withBase } from '../../../core/kinematics/composition/robotBase.ts';
import { withGroupStates } from '../../../core/kinematics/planningGroups.ts';
import type { RobotDescription, RobotModel } from '../../../core/kinematics/robotModel.ts';
import { configurationOf } from '../../../core/scene/configurationOf.ts';
import { type OtherRobot, otherTrajectoryFault } from '../../../core/scene/movingScene.ts';
import type { JointGoal, RobotReference } from '../../../core/scene/scene.ts';
import type { StatedRobotFiles } from '../../../core/scene/statedRobot.ts';
import { inJointOrder, type Trajectory } from '../../../core/trajectory/trajectory.ts';
import { InputError, InputErrors } from '../../../errors.ts';
import { type Mesh, readMesh } from '../../../formats/meshes/index.ts';
import { isXacro } from '../../../formats/robots/index.ts';
import { readSrdf } from '../../../formats/robots/srdf.ts';
import { buildRobot, readUrdf } from '../../../formats/robots/urdf.ts';
import type { OtherRobotDraft } from '../../../formats/scenes/robots/otherRobots.ts';
import { isXmlText } from '../../../formats/scenes/robots/robotReference.ts';
import type { ProblemDraft } from '../../../formats/scenes/sceneFile.ts';
import { completeJoints } from '../../../tasks/checking/completeJoints.ts';
import { otherRobotModel } from '../../../tasks/sceneRobot.ts';
import { cachedMeshParts, computedMeshParts } from '../partsCache.ts';
import { missingFileNote, readBytes, refuseIrregular, unreadable } from '../readFiles.ts';
import { builtInFolder, loadRobot, type RobotFiles, unknownRobotNote } from '../robots.ts';
import type { EmbeddedFiles } from './resolved/embeddedFiles.ts';

type Place = readonly (string | number)[];

/** Largest trajectory of another robot, bytes. */
const MAX_TRAJECTORY_SIZE = 64 * 1024 * 1024;

type ErrorAt = ProblemDraft['errorAt'];

/**
 * Loads a robot that a scene names at `place`, with what is mounted on it and its base; paths are relative to `folder`.
 */
export async function loadReference(
  reference: RobotReference,
  place: Place,
  errorAt: ErrorAt,
  folder: string,
  cache: boolean,
  embedded: EmbeddedFiles,
): Promise<RobotDescription> {
  const { parts, geometry, mounts = [], base, group } = reference;
  const options = { parts, geometry, cache };
  const at = async (key: Place, change: () => RobotDescription): Promise<RobotDescription> => {
    try {
      return change();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw await errorAt([...place, ...key], error.message.replace(/^robot\.\w+: /, ''), error.note);
    }
  };
  const load = (files: StatedRobotFiles, at: Place) => loadFiles(files, options, at, errorAt, folder, embedded);
  let robot = await load(reference, place);
  for (const mount of mounts) {
    const packages = { ...reference.packages, ...mount.packages };
    const tool = await load({ ...mount, packages }, [...place, ...mount.place]);
    robot = await at(mount.place, () => withMount(robot, { ...mount, robot: tool }));
  }
  if (base !== undefined) robot = await at(['base'], () => withBase(robot, base));
  return group === undefined ? robot : at(['group'], () => withGroupStates(robot, group));
}

/** Loads a robot from its files. Throws an error with its place in the scene for a file that is missing. */
async function loadFiles(
  files: StatedRobotFiles,
  options: RobotFiles,
  place: Place,
  errorAt: ErrorAt,
  folder: string,
  embedded: EmbeddedFiles,
): Promise<RobotDescription> {
  const { name = '', urdf, args, srdf, jointLimits, calibration, packages } = files;
  const named = { urdf, srdf, joint_limits: jointLimits, calibration };
  if (isXmlText(urdf)) {
    return loadInlineRobot(files, options, embedded).catch(async (error: unknown) => {
      if (!(error instanceof InputError) || error instanceof InputErrors) throw error;
      throw await errorAt([...place], error.message, error.note);
    });
  }
  const from = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  if (urdf === undefined && builtInFolder(name) === undefined) {
    throw await errorAt([...place], `unknown robot "${name}"`, unknownRobotNote(name));
  }
  for (const [key, path] of Object.entries({ ...named, ...prefixed(packages) })) {
    if (path === undefined || existsSync(from(path))) continue;
    const note = missingFileNote(from(path));
    throw await errorAt([...place, ...key.split('/')], `${from(path)}: there is no such file or folder`, note);
  }
  for (const [key, path] of Object.entries(named)) {
    if (path !== undefined) await refuseAt(errorAt, [...place, key], from(path));
  }
  return loadRobot(urdf === undefined ? name : from(urdf), {
    ...options,
    packages: Object.fromEntries(Object.entries(packages).map(([key, path]) => [key, from(path)])),
    args,
    srdf: srdf && from(srdf),
    limits: jointLimits && from(jointLimits),
    calibration: calibration && from(calibration),
  });
}

/** Loads the other robots of a problem, in their order. */
export async function loadOtherDescriptions(
  { robots, errorAt }: ProblemDraft,
  folder: string,
  cache: boolean,
  embedded: EmbeddedFiles,
): Promise<RobotDescription[]> {
  const descriptions: RobotDescription[] = [];
  for (const { robot, path } of robots)
    descriptions.push(await loadReference(robot, [...path, 'robot'], errorAt, folder, cache, embedded));
  return descriptions;
}

/** Reads the trajectories and states of the other robots of a problem, whose drafts have been checked. */
export async function loadOtherRobots(
  { robots, errorAt }: ProblemDraft,
  descriptions: readonly RobotDescription[],
  folder: string,
  embedded: EmbeddedFiles,
): Promise<OtherRobot[]> {
  const loaded: OtherRobot[] = [];
  for (const [i, draft] of robots.entries()) {
    const { name, robot, startTime, path, q } = draft;
    const description = descriptions[i];
    try {
      // also checks magnitudes and rate limits, as of the planned robot
      const model = otherRobotModel({ robot, description });
      loaded.push({
        name,
        robot,
        description,
        startTime,
        ...(q === undefined ? {} : { q: stateOf(model, q) }),
        ...(draft.trajectory === undefined
          ? {}
          : { trajectory: await readOther(draft.trajectory, folder, model, embedded) }),
        // lines are found by parsing the file again: only if most commands refuse this robot
        ...((q ?? draft.trajectory) ? {} : { place: await placeIn(errorAt, path) }),
      });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const about = error instanceof InputErrors ? error.problems : [error];
      throw new InputErrors(
        await Promise.all(about.map((one) => errorAt(placeOf(draft, path), one.message, one.note))),
      );
    }
  }
  return loaded;
}

/** Returns the prefix of a message about a place in a scene file, without its colon. */
async function placeIn(errorAt: ErrorAt, path: Place): Promise<string> {
  return (await errorAt([...path], '')).message.replace(/: $/, '');
}

/** Returns the state in which another robot stands. Throws `InputError` if it is out of limits. */
function stateOf(model: RobotModel, given: JointGoal): number[] {
  const q = configurationOf(model, given, 'q');
  const [name] = jointsOutOfLimits(model, q);
  if (name === undefined) return Array.from(q);
  const { limits } = model.variables.find((joint) => joint.name === name)!;
  throw new InputError(`q: joint "${name}" is out of its limits`, `They are ${limits.lower} to ${limits.upper}.`);
}

const placeOf = ({ trajectory }: OtherRobotDraft, path: Place) =>
  trajectory === undefined ? [...path] : [...path, 'trajectory'];

/** Reads the trajectory of another robot, in the order of its joints. */
async function readOther(
  given: string,
  folder: string,
  model: RobotModel,
  embedded: EmbeddedFiles,
): Promise<Trajectory> {
  const { readTrajectory } = await import('../../../formats/trajectories/index.ts');
  const file = isAbsolute(given) ? given : join(folder, given);
  const bytes = embedded.bytesOf(given) ?? (await readBytes(file, MAX_TRAJECTORY_SIZE));
  const trajectory = inJointOrder(
    completeJoints(await readTrajectory(bytes, file, model), model, {}, file).trajectory,
    model.variables.map(({ name }) => name),
    file,
  );
  const fault = otherTrajectoryFault(trajectory);
  if (fault !== undefined) throw new InputError(`${file}: ${fault}`, 'Other robots follow timed trajectories.');
  return trajectory;
}

/**
 * Throws an error with its place in the scene for devices, named pipes and kernel files: only the command line may name
 * them.
 */
async function refuseAt(errorAt: ProblemDraft['errorAt'], place: (string | number)[], path: string): Promise<void> {
  try {
    refuseIrregular(path, statSync(path));
  } catch (error) {
    throw await errorAt(place, (unreadable(error, path) as Error).message);
  }
}

/** Prefixes the keys, so that they are places below `robot`: `packages/NAME`. */
function prefixed(packages: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(packages).map(([key, path]) => [`packages/${key}`, path]));
}

/**
 * Builds a robot whose URDF and SRDF are given as texts. Throws `InputError` if the text is no URDF, or if a mesh is
 * not embedded: no file is read.
 */
async function loadInlineRobot(
  { urdf = '', srdf, args, meshes = {} }: StatedRobotFiles,
  { parts = 'hull', geometry, cache }: RobotFiles,
  embedded: EmbeddedFiles,
): Promise<RobotDescription> {
  if (args !== undefined) throw new InputError('args: a robot that is given as text has no arguments');
  if (srdf !== undefined && !isXmlText(srdf)) throw new InputError('srdf: it must be the text of an SRDF, as urdf is');
  if (isXacro(urdf, 'robot.urdf')) throw new InputError('urdf: this text is xacro', 'Expand it: robot FILE --expand.');
  const read = await readUrdf(urdf, 'robot.urdf', geometry);
  const semantics = srdf === undefined ? undefined : await readSrdf(srdf, 'robot.srdf', read);
  const found = new Map<string, Mesh>();
  for (const { address } of read.meshes) {
    if (found.has(address)) continue;
    if (!Object.hasOwn(meshes, address)) throw new InputError(`meshes: the mesh ${address} of the robot is missing`);
    found.set(address, await readMesh(embedded.content(meshes[address], address), address));
  }
  return buildRobot(read, found, semantics, (cache ? cachedMeshParts : computedMeshParts)[parts]);
}
