import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { kindOf } from '../../core/scene/movingScene.ts';
import { InputError, InputErrors, suggestion } from '../../errors.ts';
import type { ExperimentFile } from '../../formats/schemas/experimentFile.ts';
import { createSceneRobot, limitWarnings } from '../../tasks/sceneRobot.ts';
import { unsupportedOption } from '../../tasks/spaceTime/refuseOptions.ts';
import { type LoadedScene, loadProblems, writeAtomically } from '../node/files.ts';
import { builtInScenes } from '../node/packageFolder.ts';
import { missingFileNote } from '../node/readFiles.ts';
import { isPattern, matchingFiles } from './glob.ts';
import { scenesOfScript } from './sceneScript.ts';

/** Problem as texts identified by their hashes: independent of the machine. */
export interface StoredProblem {
  /** Name of the suite, or of the scene. */
  readonly scene: string;
  /** Name within the suite; null for a scene. */
  readonly problem: string | null;
  /** Hash of `text`. */
  readonly hash: string;
  /** JSON of the loaded scene, with meshes as convex parts, and the hash of its robot. */
  readonly text: string;
  readonly robot: StoredText;
}

export interface StoredText {
  readonly hash: string;
  readonly text: string;
}

/**
 * Loads the problems of an experiment, without duplicates, and their warnings. Throws `InputError` for every problem
 * that cannot be planned.
 */
export async function problemsOf(
  experiment: ExperimentFile,
): Promise<{ readonly problems: readonly StoredProblem[]; readonly warnings: readonly string[] }> {
  const loaded = [...(await scenesNamed(experiment)), ...(await scenesMade(experiment))];
  if (loaded.length === 0) throw await experiment.errorAt(['scenes'], 'they contain no scene');
  const robots = new Map<RobotDescription, StoredText>();
  const problems = new Map<string, StoredProblem>();
  const wrong: InputError[] = [];
  const warnings = new Set<string>();
  for (const one of loaded) {
    const missing = missingIn(one) ?? (await unsupportedIn(one, experiment));
    if (missing) {
      wrong.push(missing);
      continue;
    }
    for (const warning of [...one.warnings, ...limitWarnings(createSceneRobot(one), one.scene)]) warnings.add(warning);
    const problem = stored(one, robots);
    problems.set(problem.hash, problem);
  }
  if (wrong.length > 0) throw new InputErrors(wrong);
  const all = [...problems.values()];
  refuseSharedNames(all, loaded);
  return { problems: all, warnings: [...warnings] };
}

/** Returns an error if a motion among moving objects cannot be planned with settings of the experiment. */
async function unsupportedIn(
  { scene, file }: LoadedScene,
  experiment: ExperimentFile,
): Promise<InputError | undefined> {
  if (kindOf(scene) !== 'moving') return undefined;
  for (const { settings, label } of experiment.conditions) {
    const what = unsupportedOption(settings);
    if (what === undefined) continue;
    const message = `${JSON.stringify(label)} uses ${what}, which ${file} does not support: something else moves there`;
    return experiment.errorAt(
      [],
      message,
      'Run scenes with moving obstacles or other robots in an experiment of their own.',
    );
  }
  return undefined;
}

/** Writes the texts into a folder for workers: `HASH.json`. Existing files are complete and not written again. */
export async function writeProblems(problems: readonly StoredProblem[], folder: string): Promise<void> {
  for (const { hash, text, robot } of problems) {
    for (const one of [robot, { hash, text }]) {
      const file = join(folder, `${one.hash}.json`);
      if (!existsSync(file)) await writeAtomically(file, one.text);
    }
  }
}

/** Computes the SHA-256 hash of a text, truncated to 128 bits: collisions are negligible. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Returns `suite#problem`, or the name of the scene. */
export const nameOf = ({ scene, problem }: { readonly scene: string; readonly problem: string | null }): string =>
  problem === null ? scene : `${scene}#${problem}`;

async function scenesNamed(experiment: ExperimentFile): Promise<LoadedScene[]> {
  const folder = dirname(experiment.file);
  const own = builtInScenes();
  const loaded: LoadedScene[] = [];
  for (const [i, given] of experiment.scenes.entries()) {
    const place = ['scenes', ...(experiment.scenes.length > 1 ? [i] : [])];
    const paths = isPattern(given) && !existsSync(join(folder, given)) ? matchingIn(given, folder) : [given];
    if (paths.length === 0) throw await experiment.errorAt(place, `no file matches ${JSON.stringify(given)}`);
    for (const path of paths) {
      const from = Object.hasOwn(own, path) ? own[path] : isAbsolute(path) ? path : join(folder, path);
      if (!existsSync(from.replace(/#.*$/, '')) && !existsSync(from)) {
        const note = /[\\/.]/.test(path) ? missingFileNote(from) : suggestion(path, Object.keys(own));
        throw await experiment.errorAt(place, `${from}: there is no such file`, note);
      }
      loaded.push(...(await loadProblems(from)));
    }
  }
  return loaded;
}

/** Returns the matching files; none if a folder does not exist. */
function matchingIn(pattern: string, folder: string): string[] {
  try {
    return matchingFiles(pattern, folder);
  } catch {
    return [];
  }
}

async function scenesMade({ file, script, errorAt }: ExperimentFile): Promise<LoadedScene[]> {
  if (script === undefined) return [];
  const path = isAbsolute(script) ? script : join(dirname(file), script);
  if (!existsSync(path)) throw await errorAt(['script'], `${path}: there is no such file`);
  return scenesOfScript(path);
}

function missingIn({ scene, file }: LoadedScene): InputError | undefined {
  const hasGoal = scene.goals.length > 0 || kindOf(scene) === 'program';
  const missing = scene.start === undefined ? 'start' : hasGoal ? undefined : 'goal';
  if (missing === undefined) return undefined;
  return new InputError(
    `${file}: ${scene.name}: it has no ${missing}`,
    'An experiment plans from start to goal, or the steps of a program.',
  );
}

function stored({ scene, robot, suite }: LoadedScene, robots: Map<RobotDescription, StoredText>): StoredProblem {
  let known = robots.get(robot);
  if (known === undefined) {
    const text = JSON.stringify(robot);
    known = { text, hash: hashOf(text) };
    robots.set(robot, known);
  }
  const text = JSON.stringify({ scene, robot: known.hash });
  const names = suite === undefined ? { scene: scene.name, problem: null } : { scene: suite, problem: scene.name };
  return { ...names, hash: hashOf(text), text, robot: known };
}

/** Throws `InputError` if two problems share a name: tables and charts identify problems by name. */
function refuseSharedNames(problems: readonly StoredProblem[], loaded: readonly LoadedScene[]): void {
  const seen = new Set<string>();
  for (const problem of problems) {
    const name = nameOf(problem);
    if (!seen.has(name)) {
      seen.add(name);
      continue;
    }
    const own = problem.problem ?? problem.scene;
    const files = [...new Set(loaded.filter(({ scene }) => scene.name === own).map(({ file }) => file))];
    throw new InputError(
      `two different scenes are called ${JSON.stringify(name)}: ${files.join(', ')}`,
      'Give each a name.',
    );
  }
}
