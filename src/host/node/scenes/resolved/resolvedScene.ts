import { statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Certificate, certificateText } from '../../../../core/certificate/certificate.ts';
import { plannedJoints } from '../../../../core/kinematics/planningGroups.ts';
import type { RobotDescription } from '../../../../core/kinematics/robotModel.ts';
import type { Goal, RobotReference } from '../../../../core/scene/scene.ts';
import { canonicalJson, identityOf, type SceneIdentity } from '../../../../core/scene/sceneHash.ts';
import type { StatedRobotFiles } from '../../../../core/scene/statedRobot.ts';
import { InputError } from '../../../../errors.ts';
import { isMeshName } from '../../../../formats/meshes/index.ts';
import { isXacro } from '../../../../formats/robots/index.ts';
import type { Urdf } from '../../../../formats/robots/urdf.ts';
import { withCalibration, withStatedLimits } from '../../../../formats/robots/writing/urdfEdits.ts';
import { treeOf, writeTree } from '../../../../formats/robots/xacro/xacroTree.ts';
import { type PlainData, withQuantities, writtenObject } from '../../../../formats/scenes/resolvedObjects.ts';
import { isXmlText } from '../../../../formats/scenes/robots/robotReference.ts';
import type { ProblemDraft } from '../../../../formats/scenes/sceneFile.ts';
import { parseXml } from '../../../../formats/text/xmlDocument.ts';
import { readCalibrationFile } from '../../calibrationFile.ts';
import { readFilledLimits } from '../../limitsFile.ts';
import { locateMeshes } from '../../meshFiles.ts';
import { Observations } from '../../packages/observations.ts';
import { readBytes, readInputText } from '../../readFiles.ts';
import { expandRobot } from '../../robotSources.ts';
import { locateRobot, readLinks, readSrdfFile } from '../../robots.ts';
import { type LoadedScene, loadProblemsIn, loadUnsettledScene, splitName } from '../../scenes.ts';
import { FileTable } from './fileTable.ts';

/** A scene as one JSON text without includes, names of files, units and named states. */
export interface ResolvedScene {
  readonly text: string;
  readonly identity: SceneIdentity;
  /** SHA-256 of each file that it was made from. */
  readonly hashes: Readonly<Record<string, string>>;
}

/**
 * Resolves a scene, `SUITE#NAME`, or a built-in scene by name. A scene that is resolved already stays as it is. Throws
 * `InputError` if it has a part that a resolved scene cannot contain.
 */
export const resolveScene = async (path: string): Promise<ResolvedScene> => resolvedScene(await plainScene(path));

/** Returns the data of a scene for `resolvedScene`; throws as `resolveScene`. */
export async function plainScene(path: string): Promise<PlainData> {
  const loaded = await loadUnsettledScene(path);
  return JSON.parse(JSON.stringify(await resolvedData(loaded))) as PlainData; // keys without value are left out
}

/** Returns the text of a resolved scene with its hashes. */
export function resolvedScene(data: PlainData): ResolvedScene {
  const lines = Object.entries(data).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return {
    text: `{\n${lines.join(',\n')}\n}\n`,
    identity: identityOf(data),
    hashes: data.hashes as ResolvedScene['hashes'],
  };
}

/** Returns the hashes of a scene; undefined if it is not in a file, or cannot be resolved. */
export const sceneIdentity = async (path: string): Promise<SceneIdentity | undefined> =>
  (await sceneFiles(path))?.identity;

/** Returns the resolved scene; undefined likewise. */
export async function sceneFiles(path: string): Promise<ResolvedScene | undefined> {
  const { file } = splitName(path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined; // a pipe is read only once
  try {
    return await resolveScene(path);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Returns the text of a certificate that names its scene and robot by their hashes. */
export const certificateTextFor = async (certificate: Certificate, path: string): Promise<string> =>
  certificateText({ ...certificate, ...(await sceneIdentity(path)) });

/**
 * As `resolveScene`, and throws `InputError` unless the text is read as the same scene and robot, to the last digit of
 * each number.
 */
export async function resolveSceneChecked(path: string): Promise<ResolvedScene> {
  const original = await loadUnsettledScene(path);
  const result = await resolveScene(path);
  const [read] = await loadProblemsIn(result.text, 'resolved.json');
  if (comparable(read) !== comparable(original))
    throw new InputError(`${path}: the resolved scene is not read as the same scene`, 'Numbers of a pose round.');
  return result;
}

/** Text of all that results depend on: without names of files and warnings. */
function comparable({ scene, robot }: Pick<LoadedScene, 'scene' | 'robot'>): string {
  const ofRobot = ({
    name: _,
    urdf,
    srdf,
    jointLimits,
    calibration,
    args,
    meshes,
    packages,
    mounts,
    ...kept
  }: RobotReference) => kept;
  const described = ({ warnings, ...kept }: RobotDescription) => kept;
  const others = scene.robots?.map(({ robot: own, description, place, ...kept }) => ({
    ...kept,
    robot: ofRobot(own),
    description: described(description),
  }));
  const valuesOf = stateReader(robot, scene.robot);
  const named = (goal: Goal) => (goal.kind === 'joints' ? { ...goal, joints: valuesOf(goal.joints) } : goal);
  const steps = scene.steps?.map((step) => (step.kind === 'move' ? { ...step, goals: step.goals.map(named) } : step));
  const states = { start: valuesOf(scene.start), goals: scene.goals.map(named), steps };
  const all = { ...scene, ...states, robot: ofRobot(scene.robot), robots: others };
  return canonicalJson([all, described(robot)]);
}

async function resolvedData({ draft, scene, robot, file }: Awaited<ReturnType<typeof loadUnsettledScene>>) {
  const { raw } = draft;
  const refuse = (key: string, what: string) => draft.errorAt([key], what, 'It cannot be resolved.');
  if (raw.hashes !== undefined) {
    if (!isXmlText(scene.robot.urdf)) throw await refuse('robot', 'a resolved scene has its robot as text');
    return raw as unknown as PlainData;
  }
  if (draft.drop !== undefined) throw await refuse('drop', 'the objects of this scene have not been dropped yet');
  const table = new FileTable(dirname(file));
  for (const source of includedFiles(draft)) await table.addFile(source);
  await table.addFile(file);
  const own = withQuantities(raw, draft.quantities);
  for (const key of ['format', 'name', 'include', '$schema']) delete own[key];
  const plain: PlainData = { format: 'elbowroom-scene/1', name: scene.name, ...own };
  replaceStates(plain, stateReader(robot, scene.robot));
  plain.robot = await inlineRobotData(scene.robot, plain.robot, table);
  for (const key of ['obstacles', 'attached'] as const) {
    const given = (plain[key] ?? []) as PlainData[];
    const all = draft[key].map((one, i) => (i < given.length ? { ...given[i], name: one.name } : writtenObject(one)));
    for (const one of all as PlainData[]) if (typeof one.file === 'string') one.file = await table.embedFile(one.file);
    if (all.length > 0) plain[key] = all;
  }
  for (const { step } of draft.toolPaths) {
    const { path: own } = (plain.steps as { path: PlainData }[])[step];
    own.file = await table.embedFile(own.file as string);
  }
  if (scene.allow.length > 0) plain.allow = scene.allow;
  const robots = (plain.robots ?? []) as PlainData[];
  for (const [i, other] of robots.entries()) {
    const { description } = scene.robots![i];
    other.robot = await inlineRobotData(draft.robots[i].robot, other.robot, table);
    if (typeof other.trajectory === 'string') other.trajectory = await table.embedFile(other.trajectory);
    if (typeof other.q === 'string') other.q = description.states[other.q];
  }
  return { ...plain, meshes: table.meshes, hashes: table.hashes };
}

/** Files of the objects and pairs that the scene includes. */
function includedFiles({ obstacles, attached, allow }: ProblemDraft): Set<string> {
  const sources = [...obstacles, ...attached, ...allow].map(({ source }) => source?.file);
  return new Set(sources.filter((source) => source !== undefined));
}

/** Returns the values of the planned joints in a named state; other values as they are. */
function stateReader(robot: RobotDescription, reference: RobotReference): (given: unknown) => unknown {
  const planned = plannedJoints(robot, reference);
  return (given) => {
    if (typeof given !== 'string' || !Object.hasOwn(robot.states, given)) return given;
    return Object.fromEntries(Object.entries(robot.states[given]).filter(([joint]) => planned.includes(joint)));
  };
}

/** Replaces the named states of a scene as it is written. */
function replaceStates(plain: PlainData, valuesOf: (given: unknown) => unknown): void {
  const listed = (given: unknown) => (Array.isArray(given) ? given.map(valuesOf) : valuesOf(given));
  if (plain.start !== undefined) plain.start = valuesOf(plain.start);
  if (plain.goal !== undefined) plain.goal = valuesOf(plain.goal);
  if (plain.goals !== undefined) plain.goals = listed(plain.goals);
  for (const step of (plain.steps ?? []) as PlainData[]) if (step.move !== undefined) step.move = listed(step.move);
}

/** Largest mesh, bytes. */
const MAX_MESH_SIZE = 256 * 1024 * 1024;

/**
 * Returns the robot of a resolved scene: its URDF and SRDF as texts, also of its mounts, and mesh hashes.
 * @param given the robot as the scene states it, its numbers without units
 */
async function inlineRobotData(reference: RobotReference, given: unknown, table: FileTable): Promise<PlainData> {
  const { geometry, mounts = [] } = reference;
  const robot: PlainData = typeof given === 'string' ? {} : { ...(given as PlainData) };
  const withTexts = async (files: StatedRobotFiles, stated: PlainData) => {
    const { name, urdf, srdf, joint_limits, calibration, args, packages, ...kept } = stated;
    return { ...(await texts(files, geometry, table)), ...kept };
  };
  for (const { place, ...mount } of mounts) {
    const files = { ...mount, packages: { ...reference.packages, ...mount.packages } };
    const [key, i] = place;
    if (i === undefined) robot[key] = await withTexts(files, robot[key] as PlainData);
    else {
      const list = [...(robot[key] as PlainData[])];
      list[i as number] = await withTexts(files, list[i as number]);
      robot[key] = list;
    }
  }
  return withTexts(reference, robot);
}

/** Returns the texts of the files of a robot, and the hash of the mesh of each address. */
async function texts(
  { name = '', urdf, srdf, jointLimits, calibration, args, packages }: StatedRobotFiles,
  geometry: RobotReference['geometry'],
  table: FileTable,
): Promise<PlainData> {
  const from = (path: string) => (isAbsolute(path) ? path : join(table.folder, path));
  const folders = Object.fromEntries(Object.entries(packages).map(([key, path]) => [key, from(path)]));
  const files = { packages: folders, srdf: srdf === undefined ? undefined : from(srdf), ...(args && { args }) };
  const located = locateRobot(urdf === undefined ? name : from(urdf), files);
  const text = await readInputText(located.urdf);
  const isExpanded = isXacro(text, located.urdf);
  if (!isExpanded && !/\.urdf$/i.test(located.urdf) && !/<robot[\s>]/.test(text))
    throw new InputError(
      `${located.urdf}: only robots in URDF and xacro can be resolved`,
      'Poses of other formats round when they are written as URDF.',
    );
  const observed = new Observations();
  const links = await readLinks(text, located.urdf, { ...files, geometry }, observed);
  const expanded = isExpanded ? (await expandRobot(located.urdf, files)).text : text;
  const limits = jointLimits === undefined ? undefined : from(jointLimits);
  const limited = limits === undefined ? expanded : await limitedUrdf(expanded, located.urdf, links, limits);
  const deviating = calibration === undefined ? undefined : from(calibration);
  const whole = deviating === undefined ? limited : await calibratedUrdf(limited, located.urdf, links, deviating);
  await table.addFile(located.urdf);
  for (const file of [limits, deviating]) if (file !== undefined) await table.addFile(file);
  const semantics = located.srdf === undefined ? undefined : await readSrdfFile(located.srdf, files, observed);
  if (located.srdf !== undefined) await table.addFile(located.srdf);
  const found = await locateMeshes({ ...links, file: located.urdf }, folders);
  const meshes: Record<string, string> = {};
  for (const [address, path] of found) {
    if (path instanceof InputError) throw path;
    const bytes = await readBytes(path, MAX_MESH_SIZE);
    if (!isMeshName(address))
      throw new InputError(`${path}: this mesh cannot be embedded`, 'Use STL, OBJ, DAE or PLY.');
    meshes[address] = table.embed(path, bytes);
  }
  return { urdf: whole, ...(semantics && { srdf: semantics.text }), meshes };
}

/** Returns the text of a URDF with the limits of a `joint_limits.yaml`. */
async function limitedUrdf(text: string, file: string, { tree }: Urdf, limits: string): Promise<string> {
  const { changed } = await readFilledLimits(tree.joints, limits, new Observations());
  return writeTree(withStatedLimits(treeOf(await parseXml(text, file, 'robot'), file), changed));
}

/** Returns the text of a URDF with the origins of a calibration. */
async function calibratedUrdf(text: string, file: string, { tree }: Urdf, calibration: string): Promise<string> {
  const read = await readCalibrationFile(tree.joints, calibration, new Observations());
  return writeTree(withCalibration(treeOf(await parseXml(text, file, 'robot'), file), read));
}
