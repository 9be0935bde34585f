import { workerData } from 'node:worker_threads';
import { InputError } from '../../../errors.ts';
import type { PlanOptions } from '../../../tasks/planning/planOptions.ts';
import { endOfRound, type RaceResult } from '../../../tasks/planning/seedRace.ts';
import { planScene } from '../../../tasks/planScene.ts';
import { type Problem, RobotModels } from '../../../tasks/sceneRobot.ts';
import type { PlanRace, PlanReply, PlanTask, PlanThreadData } from '../planThreads.ts';

const models = new RobotModels();

/** Plans one problem with one seed. */
export default async function plan(task: PlanTask): Promise<PlanReply> {
  try {
    const { options } = task;
    const problem = withModel(task.problem);
    if (task.race) return runOf(problem, options, task.race);
    const result = planScene(problem, options, { clock: now });
    return { seed: options.seed, result, iterations: result.stats.iterations };
  } catch (error) {
    if (error instanceof InputError) return { wrong: error.message, note: error.note };
    throw error;
  }
}

/** Plans with one seed of a race. */
function runOf(problem: Problem, options: PlanOptions, { deadline, maxIterations }: PlanRace): RaceResult {
  let iterations = Number.POSITIVE_INFINITY;
  const race = {
    mostIterations: () => Atomics.load(maxIterations, 0),
    done: (count: number) => {
      iterations = count;
      lower(maxIterations, endOfRound(count));
    },
  };
  const timeLimit = Math.max(0, deadline - now()) / 1000;
  const result = planScene(problem, { ...options, timeLimit }, { clock: now, race });
  return { seed: options.seed, result, iterations };
}

/** Time since the epoch, ms: a clock that all threads share, unlike `performance.now()`. */
const now = () => performance.timeOrigin + performance.now();

function withModel({ scene, robot: index }: PlanTask['problem']): Problem {
  const robot = (workerData as PlanThreadData).robots[index];
  return { scene, robot, model: models.of({ scene, robot }) };
}

/** Atomically sets a shared number to the minimum of itself and `to`. */
function lower(shared: Int32Array, to: number): void {
  let known = Atomics.load(shared, 0);
  while (to < known) {
    const before = Atomics.compareExchange(shared, 0, known, to);
    if (before === known) return;
    known = before;
  }
}
