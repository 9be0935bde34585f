import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { isForceConstraint } from '../../core/scene/constraints.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { InputError, InputErrors } from '../../errors.ts';
import type { Evaluate } from '../text/numbers.ts';
import { type Diagnostic, type Path, placeOf } from '../text/sourceText.ts';
import { checkMotionAgainstRobot } from './sceneChecks.ts';
import { readGoal } from './sceneGoals.ts';
import { SceneReader } from './sceneReader.ts';
import type { RawGoal, RawJointValues, RawStep } from './sceneSchema.ts';
import { rawStepDefaults, readSteps, reportSetPayloads } from './steps/steps.ts';

/** Start, goals or program of a query, as in a scene file: they replace those of a scene. */
export interface RawQuery {
  readonly start?: RawJointValues | undefined;
  readonly goal?: RawGoal | undefined;
  readonly goals?: readonly RawGoal[] | undefined;
  readonly steps?: readonly RawStep[] | undefined;
  readonly speed?: number | string | undefined;
}

/**
 * Returns a scene with the start, goals, steps and speed of a query whose structure has been checked. A goal replaces
 * the steps of the scene, and steps its goals. Throws `InputErrors` that begin with `place`.
 * @param place path of the query, for messages: ['params']
 */
export async function withQuery(scene: Scene, robot: RobotDescription, query: RawQuery, place: Path): Promise<Scene> {
  const first = read(scene, query);
  const expressions = first.reader.needsExpressions ? await import('../text/expressions.ts') : undefined;
  const { reader, changed, goalPaths } = expressions ? read(scene, query, expressions.boundedEvaluate()) : first;
  const wrong =
    reader.diagnostics.length > 0
      ? reader.diagnostics
      : checkMotionAgainstRobot(changed, goalPaths, robot, reader.unitUses);
  if (wrong.length > 0) throw errorsOf(wrong, place);
  return changed;
}

function read(scene: Scene, query: RawQuery, evaluate?: Evaluate) {
  const reader = new SceneReader(evaluate);
  const { start, goal, goals, steps, speed } = query;
  const given = Object.entries({ goal, goals, steps }).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (given.length > 1) reader.report([given[1]], `${given.join(' and ')} are given`, 'Give one of them.');
  const listed = goal === undefined ? (goals ?? []) : [goal];
  const goalPaths: Path[] = goal === undefined ? listed.map((_, i) => ['goals', i]) : [['goal']];
  const { steps: _, ...rest } = scene;
  const ends = {
    ...(start === undefined ? {} : { start: reader.jointGoal(start, ['start']) }),
    ...(speed === undefined ? {} : { speed: reader.share(speed, ['speed']) }),
  };
  const program = steps && readSteps(reader, steps, rawStepDefaults(scene.stepDefaults ?? {}));
  if (scene.torque !== undefined || scene.constraints?.some(isForceConstraint)) reportSetPayloads(reader, steps ?? []);
  for (const { path } of reader.toolPaths) reader.report(path, 'files of tool paths are not read here', 'Give points.');
  const read = listed.map((one, i) => readGoal(reader, one, goalPaths[i]));
  if (program) return { reader, goalPaths, changed: { ...rest, ...ends, goals: [], steps: program } };
  if (read.length > 0) return { reader, goalPaths, changed: { ...rest, ...ends, goals: read } };
  const isSame = start === undefined && speed === undefined;
  return { reader, goalPaths, changed: isSame ? scene : { ...scene, ...ends } }; // the same scene needs no comparison
}

function errorsOf(diagnostics: readonly Diagnostic[], place: Path): InputErrors {
  return new InputErrors(
    diagnostics.map(({ path, what, note }) => new InputError(`${placeOf([...place, ...path])}${what}`, note)),
  );
}
