import type { Piscina } from 'piscina';
import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import type { PlanMotionResult } from '../../tasks/planning/planMotion.ts';
import type { NamedPlanOptions } from '../../tasks/planning/planOptions.ts';
import { type RaceResult, selectWinner } from '../../tasks/planning/seedRace.ts';
import { resolveStartAndGoals } from '../../tasks/planning/startAndGoals.ts';
import { createSceneRobot, type Problem } from '../../tasks/sceneRobot.ts';
import { World } from '../../tasks/world.ts';
import { createWorkerPool } from './workers.ts';

/** Data that each thread receives at its start. */
export interface PlanThreadData {
  readonly robots: readonly RobotDescription[];
}

/** One planning task, as sent to a thread. */
export interface PlanTask {
  /** `robot`: index into the robots of the thread. */
  readonly problem: { readonly scene: Scene; readonly robot: number };
  readonly options: NamedPlanOptions;
  /** Set if the task belongs to a race of several seeds. */
  readonly race?: PlanRace;
}

/** State that all seeds of a race share. */
export interface PlanRace {
  /** End of the time limit, ms since the epoch: all threads share this clock. */
  readonly deadline: number;
  /** In shared memory: iteration limit, beyond which a path cannot win the race. */
  readonly maxIterations: Int32Array;
}

/** Result of a task. Errors lose their class between threads, so an `InputError` is sent as its message and note. */
export type PlanReply = RaceResult | { readonly wrong: string; readonly note: string };

/** No iteration limit. */
const NO_LIMIT = 0x7fffffff;

/** Plans on worker threads. Results are those of `planMotion`, independent of the number of threads. */
export class PlanThreads {
  private constructor(
    private readonly pool: Piscina,
    private readonly robots: readonly RobotDescription[],
  ) {}

  /** Starts `threads` threads for these problems; each robot is sent once per thread. */
  static async start(problems: readonly Problem[], threads: number): Promise<PlanThreads> {
    const robots = [...new Set(problems.map(({ robot }) => robot))];
    const data: PlanThreadData = { robots };
    return new PlanThreads(await createWorkerPool('planWorker', { threads, data }), robots);
  }

  /** Plans one problem on one thread. */
  async plan(problem: Problem, options: NamedPlanOptions): Promise<PlanMotionResult> {
    const { result } = await this.run(problem, options);
    return result;
  }

  /**
   * Plans one problem with `seeds` consecutive seeds, starting from that of the options, on all threads. Iterations are
   * counted in rounds (256, 512, 1024, …): the result is the shortest path of the seeds that find one in the earliest
   * round, so that it does not depend on the clock; or that of the first seed if none finds a path.
   */
  async race(problem: Problem, options: NamedPlanOptions, seeds: number): Promise<PlanMotionResult> {
    const deadline = performance.timeOrigin + performance.now() + 1000 * options.timeLimit;
    const race = { deadline, maxIterations: new Int32Array(new SharedArrayBuffer(4)).fill(NO_LIMIT) };
    const all = Array.from({ length: seeds }, (_, i) => ({ ...options, seed: options.seed + i }));
    return selectWinner(await Promise.all(all.map((one) => this.run(problem, one, race))));
  }

  /** Ends the threads; promises of plans that are not finished reject. */
  end(): Promise<void> {
    return this.pool.destroy();
  }

  private async run({ scene, robot }: Problem, options: NamedPlanOptions, race?: PlanRace): Promise<RaceResult> {
    if (typeof options.planner !== 'string')
      throw new InputError('an own planner cannot be sent to threads', 'Name an entry of `planners`.');
    const problem = { scene, robot: this.robots.indexOf(robot) };
    const task: PlanTask = { problem, options, ...(race && { race }) };
    const reply: PlanReply = await this.pool.run(task);
    if ('wrong' in reply) throw new InputError(reply.wrong, reply.note);
    return { ...reply, result: withMeshes(reply.result, { scene, robot }) };
  }
}

/**
 * Computes the reason of a colliding start or goal again on this thread: worker threads do not have the meshes that
 * convex parts cover.
 */
function withMeshes(result: PlanMotionResult, problem: Problem): PlanMotionResult {
  if (result.status !== 'start-in-collision' && result.status !== 'goal-in-collision') return result;
  const { scene } = problem;
  const robot = createSceneRobot(problem);
  const world = new World(robot, scene);
  if (!world.isStill) return result; // its reason states the time
  const ends = resolveStartAndGoals(robot, scene, world.manager);
  return 'status' in ends ? { ...result, reason: ends.reason } : result;
}
