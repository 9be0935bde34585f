import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { type PlanFunction, planFunctionOf } from '../../../tasks/lazyPlan.ts';
import type { NamedPlanOptions } from '../../../tasks/planning/planOptions.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planStats.ts';
import { RobotModels } from '../../../tasks/sceneRobot.ts';
import type { LoadedScene } from '../../node/files.ts';
import type { Io } from '../io.ts';
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

/**
 * Plans problems and yields the results in order: in this thread, or with several jobs in worker threads.
 * @param plannerFile module of an own planner, which runs in worker threads: a thread that hangs can be ended
 */
export async function* resultsOf(
  io: Io,
  problems: readonly PreparedProblem[],
  settings: NamedPlanOptions,
  jobs: number,
  wholeSuite: boolean,
  plannerFile?: string,
): AsyncGenerator<PlanMotionResult, undefined> {
  const place = (i: number) => (wholeSuite ? `${i + 1} of ${problems.length}, ` : '');
  if (jobs === 1 && plannerFile === undefined) {
    for (const [i, problem] of problems.entries())
      yield planOne(io, problem, settings, place(i), await planFunctionOf(problem));
    return;
  }
  const count = wholeSuite ? Math.min(jobs, problems.length) : jobs;
  const { PlanThreads } = await import('../../node/planThreads.ts');
  const threads = await PlanThreads.start(problems, count, plannerFile);
  try {
    const results = problems.map((problem) =>
      wholeSuite || jobs === 1 ? threads.plan(problem, settings) : threads.race(problem, settings, jobs),
    );
    for (const result of results) result.catch(() => {}); // a rejection is thrown below, in order
    for (const [i, result] of results.entries()) {
      io.progress(`${place(i)}${problems[i].scene.name}: planning with ${jobs} ${jobs === 1 ? 'thread' : 'threads'}`);
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
