import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { geometryWarnings, missingGeometryWarning } from '../../core/kinematics/collisionGeometry.ts';
import { plannedJoints } from '../../core/kinematics/planningGroups.ts';
import { poseOfTransform, transformOfPose } from '../../core/kinematics/pose.ts';
import type { Pose, RobotDescription } from '../../core/kinematics/robotModel.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { armPairWarnings } from '../../core/scene/uncheckedPairs.ts';
import { InputError, suggestion } from '../../errors.ts';
import { noGeometryWarning } from '../../formats/robots/urdf.ts';
import {
  buildScene,
  checkStructure,
  isSelfContainedSuite,
  type ProblemDraft,
  readCheckedScene,
  readSceneFile,
  type SceneFile,
} from '../../formats/scenes/sceneFile.ts';
import type { SceneOverrides } from '../../formats/scenes/sceneOverrides.ts';
import { parsedSource, parseSource, type SourceText } from '../../formats/text/sourceText.ts';
import { statedWarnings } from '../../tasks/checking/statedWarnings.ts';
import { otherRobotModel } from '../../tasks/sceneRobot.ts';
import { builtInScenes } from './packageFolder.ts';
import { cachedData, cachedMeshParts, computedMeshParts } from './partsCache.ts';
import { computedData } from './prepared/preparedData.ts';
import { readInputText } from './readFiles.ts';
import { EmbeddedFiles } from './scenes/resolved/embeddedFiles.ts';
import { includesFrom, noFiles, readSceneFiles } from './scenes/sceneFiles.ts';
import { loadOtherDescriptions, loadOtherRobots, loadReference } from './scenes/sceneRobots.ts';

/** Scene with its robot and meshes. */
export interface LoadedScene {
  /** The scene, with the convex parts of its meshes. */
  readonly scene: Scene;
  /** The robot of the scene. */
  readonly robot: RobotDescription;
  /** The given path without `#NAME`. */
  readonly file: string;
  /** Name of the suite, if the scene is a problem of one. */
  readonly suite?: string;
  /** Warnings from loading the robot and the files. */
  readonly warnings: readonly string[];
}

/** Options for loading a scene. */
export interface SceneOptions {
  /** Start and goal that replace those of the file. */
  readonly overrides?: SceneOverrides | undefined;
  /** False: decompositions are always computed, never read from cache files. Default: true. */
  readonly cache?: boolean | undefined;
}

/** Loads one scene: a scene file, `SUITE#NAME`, or a built-in scene by name. */
export async function loadScene(path: string, { overrides, cache = true }: SceneOptions = {}): Promise<LoadedScene> {
  const { file, name } = splitName(path);
  const read = await readScene(file, name, overrides, cache);
  const draft = chooseProblem(read, name);
  await requireNoDrop(draft);
  return loadProblem(read, draft, noFiles(), cache);
}

/** Loads one scene as `loadScene` does, also if it has objects to drop, with the text that it was read from. */
export async function loadUnsettledScene(path: string): Promise<LoadedScene & { readonly draft: ProblemDraft }> {
  const { file, name } = splitName(path);
  const read = await readScene(file, name);
  const draft = chooseProblem(read, name);
  return { ...(await loadProblem(read, draft)), draft };
}

/** What is kept of the text of a scene or a suite. */
interface KeptScene {
  readonly data: unknown;
  /** True if all problems of the suite can be read, without overrides. */
  readonly isValid: boolean;
}

/**
 * Reads a scene file or a suite. Data whose text was parsed and checked before is read from the cache. Of a suite that
 * was read completely before, the named problem alone is read.
 */
async function readScene(
  file: string,
  name?: string,
  overrides: SceneOverrides = {},
  cache = true,
): Promise<SceneFile> {
  const text = await readInputText(file);
  const isAsWritten = Object.values(overrides).every((override) => override === undefined);
  let parsed: SourceText | undefined;
  let whole: SceneFile | undefined;
  const { data, isValid } = await (cache ? cachedData : computedData)('scene', [text], async (): Promise<KeptScene> => {
    parsed = await parseSource(text, file);
    await checkStructure(parsed);
    if (isAsWritten && isSelfContainedSuite(parsed)) whole = await readCheckedScene(parsed);
    return { data: parsed.data, isValid: whole !== undefined };
  });
  if (whole !== undefined) return whole;
  const source = parsed ?? parsedSource(text, file, data);
  const only = isAsWritten && isValid ? name : undefined;
  return readCheckedScene(source, overrides, includesFrom(dirname(file)), only);
}

/** Throws an error with its place if the scene has objects to drop: it is not complete before it is settled. */
async function requireNoDrop({ drop, errorAt }: ProblemDraft): Promise<void> {
  if (drop === undefined) return;
  const what = 'the objects of this scene have not been dropped yet';
  throw await errorAt(['drop'], what, 'Settle it first: elbowroom settle SCENE -o SETTLED.yaml, and use SETTLED.yaml.');
}

/** Loads all problems of a suite in order; a single one for a scene file or `SUITE#NAME`. Each robot is loaded once. */
export async function loadProblems(path: string, { overrides }: SceneOptions = {}): Promise<LoadedScene[]> {
  const { file, name } = splitName(path);
  const read = await readScene(file, name, overrides);
  return loadAll(read, name === undefined ? read.problems : [chooseProblem(read, name)]);
}

/**
 * Loads all problems of a generated text. `file` is named in messages; paths in the text are relative to its folder.
 */
export async function loadProblemsIn(text: string, file: string): Promise<LoadedScene[]> {
  const read = await readSceneFile(text, file, {}, includesFrom(dirname(file)));
  return loadAll(read, read.problems);
}

async function loadAll(read: SceneFile, wanted: readonly ProblemDraft[]): Promise<LoadedScene[]> {
  const loaded: LoadedScene[] = [];
  const known = noFiles();
  for (const problem of wanted) await requireNoDrop(problem);
  for (const problem of wanted) loaded.push(await loadProblem(read, problem, known));
  return loaded;
}

/** Splits `FILE#NAME`; an existing file whose name contains # is not split. */
export function splitName(path: string): { file: string; name: string | undefined } {
  const at = path.indexOf('#');
  if (at < 0 || existsSync(path)) return { file: locateScene(path), name: undefined };
  return { file: locateScene(path.slice(0, at)), name: path.slice(at + 1) };
}

function chooseProblem({ file, suite, problems }: SceneFile, name: string | undefined): ProblemDraft {
  const names = problems.map((problem) => problem.scene.name);
  if (name === undefined) {
    if (suite === undefined) return problems[0];
    throw new InputError(
      `${file}: this is a suite of ${problems.length} problems, one scene is required`,
      `Name one of them: ${file}#${names[0]}.`,
    );
  }
  const found = problems.find((problem) => problem.scene.name === name);
  if (found !== undefined) return found;
  if (suite === undefined)
    throw new InputError(`${file}: this is a scene, it holds no problem "${name}"`, `Name it without #${name}.`);
  throw new InputError(`${file}: there is no problem "${name}"`, suggestion(name, names));
}

async function loadProblem(
  { file, suite }: SceneFile,
  draft: ProblemDraft,
  known = noFiles(),
  cache = true,
): Promise<LoadedScene> {
  const folder = dirname(file);
  const embedded = new EmbeddedFiles(draft);
  const robot = await loadReference(draft.scene.robot, ['robot'], draft.errorAt, folder, cache, embedded);
  const descriptions = await loadOtherDescriptions(draft, folder, cache, embedded);
  const odd = [...draft.warnings, ...(await draft.check(robot, descriptions))];
  const others = await loadOtherRobots(draft, descriptions, folder, embedded);
  const { found, warnings } = await readSceneFiles(draft, folder, known, embedded);
  const scene = await buildScene(draft, found, cache ? cachedMeshParts : computedMeshParts, others);
  const about = [
    ...odd,
    ...robotWarnings(robot, scene),
    ...otherRobotWarnings(file, scene),
    ...armPairWarnings(robot, plannedJoints(robot, scene.robot), scene),
    ...geometryWarnings(robot, plannedJoints(robot, scene.robot), scene.robot.empty),
  ];
  return {
    scene,
    robot,
    file,
    ...(suite === undefined ? {} : { suite }),
    warnings: [...about, ...warnings],
  };
}

/** Returns the warnings of the robot, except missing geometry of links that the scene lists in `robot.empty`. */
function robotWarnings({ name, warnings }: RobotDescription, { robot: { empty = [] } }: Scene): string[] {
  // a robot without geometry lists all its links
  const meant = [noGeometryWarning(name), ...empty.map(missingGeometryWarning)];
  return warnings.filter((warning) => !meant.includes(warning));
}

/**
 * Returns warnings about other robots of a scene: trajectories that state another robot or a hash that does not match,
 * and robots that stand exactly where the planned one, or one before them, does.
 */
export function otherRobotWarnings(file: string, { robot, robots = [] }: Pick<Scene, 'robot' | 'robots'>): string[] {
  const warnings: string[] = [];
  const bases = new Map([[keyOf(robot.pose), 'the planned robot']]);
  for (const [i, other] of robots.entries()) {
    const place = `${file}: robots[${i}]`;
    if (other.trajectory !== undefined) {
      const model = otherRobotModel(other);
      warnings.push(...statedWarnings(other.trajectory, model, `${place}.trajectory`));
    }
    const base = keyOf(other.robot.pose);
    const same = bases.get(base);
    const name = JSON.stringify(other.name);
    if (same !== undefined)
      warnings.push(`${place}.pose: the base of ${name} is exactly that of ${same}; state its pose`);
    else bases.set(base, name);
  }
  return warnings;
}

/** Key of a pose, equal for quaternions that differ in sign or length only. */
const keyOf = (pose: Pose) => {
  const { xyz, quat_wxyz } = poseOfTransform(transformOfPose(pose));
  const sign = (quat_wxyz.find((x) => x !== 0) ?? 1) < 0 ? -1 : 1;
  return JSON.stringify([xyz.map((x) => x + 0), quat_wxyz.map((x) => sign * x + 0)]);
};

/** True if the text is a path, not the name of a built-in scene. */
const isScenePath = (nameOrPath: string): boolean => /[\\/]|\.(ya?ml|json)$/i.test(nameOrPath);

/**
 * Returns the file of a scene, given by path or by the name of a built-in scene. Throws `InputError` for an unknown
 * name.
 */
function locateScene(nameOrPath: string): string {
  const own = builtInScenes();
  if (!isScenePath(nameOrPath)) {
    if (Object.hasOwn(own, nameOrPath)) return own[nameOrPath];
    if (existsSync(nameOrPath)) return nameOrPath;
    const note = `${suggestion(nameOrPath, Object.keys(own))} Or give the path of a scene file.`;
    throw new InputError(`unknown scene "${nameOrPath}"`, note.trim());
  }
  const name = basename(nameOrPath).replace(/\.\w+$/, '');
  if (!existsSync(nameOrPath) && Object.hasOwn(own, name)) {
    throw new InputError(
      `${nameOrPath}: there is no such file`,
      `A scene of the package is named without path: ${name}.`,
    );
  }
  return nameOrPath;
}
