import { baseMessages } from '../../../core/kinematics/composition/robotBase.ts';
import { groupMessages } from '../../../core/kinematics/planningGroups.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { CheckerName } from '../../../core/narrowphase/index.ts';
import { requireEnds } from '../../../core/scene/configurationOf.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { type PlanFunction, planFunctionOf, unsupportedOptions } from '../../../tasks/lazyPlan.ts';
import type { NamedPlanOptions } from '../../../tasks/planning/planOptions.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planStats.ts';
import type { ClampedStart } from '../../../tasks/planning/startTolerance.ts';
import { partialGoalNotes } from '../../../tasks/programs/completeGoals.ts';
import { limitWarnings, RobotModels } from '../../../tasks/sceneRobot.ts';
import type { LoadedScene } from '../../node/files.ts';
import type { Io } from '../io.ts';
import { flagName } from '../parse.ts';
import { restoreJit } from '../v8Flags.ts';
import { improvementLine } from './planSummary.ts';

/** A problem with its robot model. */
export interface PreparedProblem extends LoadedScene {
  readonly model: RobotModel;
  /** Time in which the model was created, or found if another problem has the same, ms. */
  readonly modelMs: number;
}

/** Adds the robot model to each problem; problems with equal robots share one model. */
export function withModels(problems: readonly LoadedScene[], clock: () => number): PreparedProblem[] {
  const models = new RobotModels();
  return problems.map((problem) => {
    const began = clock();
    const model = models.of(problem);
    return { ...problem, model, modelMs: clock() - began };
  });
}

/** Plans problems and yields the results in order: in this thread, or with several jobs in worker threads. */
export async function* resultsOf(
  io: Io,
  problems: readonly PreparedProblem[],
  settings: NamedPlanOptions,
  jobs: number,
  wholeSuite: boolean,
): AsyncGenerator<PlanMotionResult, undefined> {
  const place = (i: number) => (wholeSuite ? `${i + 1} of ${problems.length}, ` : '');
  if (jobs === 1) {
    for (const [i, problem] of problems.entries())
      yield planOne(io, problem, settings, place(i), await planFunctionOf(problem));
    return;
  }
  const count = wholeSuite ? Math.min(jobs, problems.length) : jobs;
  const { PlanThreads } = await import('../../node/planThreads.ts');
  const threads = await PlanThreads.start(problems, count);
  try {
    const results = problems.map((problem) =>
      wholeSuite ? threads.plan(problem, settings) : threads.race(problem, settings, jobs),
    );
    for (const result of results) result.catch(() => {}); // a rejection is thrown below, in order
    for (const [i, result] of results.entries()) {
      io.progress(`${place(i)}${problems[i].scene.name}: planning with ${jobs} threads`);
      const { stats } = await result;
      for (const { length, iterations } of stats.improvements)
        io.say(improvementLine(stats.scene, problems[i].model, length, iterations));
      yield result;
    }
  } finally {
    await threads.end();
  }
}

/** Plans one problem in this thread, with progress on stderr. */
function planOne(
  io: Io,
  problem: PreparedProblem,
  settings: NamedPlanOptions,
  place: string,
  plan: PlanFunction,
): PlanMotionResult {
  const { name } = problem.scene;
  const progress = (iterations: number, ms: number) => {
    restoreJit(); // the run takes long enough for the optimizing compiler to pay off
    io.progress(`${place}${name}: planning, ${(ms / 1000).toFixed(1)} s, ${iterations} iterations`);
  };
  const better = (length: number, iterations: number) =>
    io.say(improvementLine(name, problem.model, length, iterations));
  return io.compute(`${place}${name}: planning`, () => plan(problem, settings, { clock: io.clock, progress, better }));
}

/** Values of the options of `plan`. */
type Given = Readonly<Record<string, unknown>>;

const NO_CLAMPING = { clampStart: (_: RobotModel, scene: Scene): ClampedStart => ({ scene }) };

/** Clamps the starts to the limits within `--start-tolerance`; the module is loaded on use. */
export async function clamped(
  problems: readonly PreparedProblem[],
  { startTolerance, checker }: { readonly startTolerance: number; readonly checker: CheckerName },
) {
  const { clampStart } = startTolerance > 0 ? await import('../../../tasks/planning/startTolerance.ts') : NO_CLAMPING;
  return problems.map((problem) => {
    const { scene, note } = clampStart(problem.model, problem.scene, startTolerance, checker);
    return {
      ...problem,
      scene,
      notes: [...(note === undefined ? [] : [note]), ...partialGoalNotes(problem.model, scene)],
    };
  });
}

/** Throws `InputError` for scenes without start or goal, and for options that some of the scenes do not support. */
export function refuseUnsupported(
  given: Given,
  problems: readonly (Pick<LoadedScene, 'scene' | 'suite'> & { readonly file?: string })[],
): void {
  for (const { scene, file, suite } of problems)
    requireEnds(scene, suite === undefined ? file : `${file}#${scene.name}`);
  if (given.format === 'ros-goal') refuse(given, ['noTiming'], 'the points of a goal have times');
  if (given.format === 'tcp-csv') refuse(given, ['noTiming'], 'the rows of the table have times');
  for (const { scene } of problems)
    for (const { options, why } of unsupportedOptions(scene)) refuse(given, options, why);
}

/** Writes the warnings and notes about a problem to stderr; returns the warnings. */
export function warn(
  io: Io,
  { warnings, model, robot, scene, notes }: PreparedProblem & { readonly notes: readonly string[] },
): string[] {
  const ofJoints = [...groupMessages(robot, scene.robot), ...baseMessages(robot.name, scene.robot)];
  const own = [...warnings, ...ofJoints, ...limitWarnings(model, scene)];
  io.warn(own);
  for (const note of notes) io.say(note);
  return own;
}

/** Throws `InputError` for options that are given and not supported, for the reason `why`. */
function refuse(given: Given, names: readonly string[], why: string): void {
  const found = names.find((name) => given[name] !== undefined && given[name] !== false);
  if (found !== undefined) throw new InputError(`${flagName(found)}: ${why}`, `Leave ${flagName(found)} out.`);
}
