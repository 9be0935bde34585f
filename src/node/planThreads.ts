import type { Piscina } from 'piscina';
import { CollisionManager } from '../collision/collisionManager.ts';
import { CollisionModel } from '../collision/collisionModel.ts';
import { InputError } from '../errors.ts';
import type { RobotDescription } from '../kinematics/robotModel.ts';
import type { Scene } from '../scene/scene.ts';
import type { PlanAnswer, PlanOptions } from '../tasks/planning/planMotion.ts';
import { type RaceResult, selectWinner } from '../tasks/planning/seedRace.ts';
import { problemEnds } from '../tasks/planning/startAndGoals.ts';
import { createSceneRobot, type Problem } from '../tasks/sceneRobot.ts';
import { createWorkerPool } from './workers.ts';

/** What every thread has from its start. */
export interface PlanThreadData {
  readonly robots: readonly RobotDescription[];
}

/** One plan, as it is sent to a thread. */
export interface PlanTask {
  /** `robot` counts the thread's robots. */
  readonly problem: { readonly scene: Scene; readonly robot: number };
  readonly options: PlanOptions;
  /** Of a race of several seeds. */
  readonly race?: PlanRace;
}

/** What all seeds of a race share. */
export interface PlanRace {
  /** Of the time limit, ms on the clock that all threads share. */
  readonly deadline: number;
  /** In shared memory: the iterations after which a path cannot win any more. */
  readonly mostIterations: Int32Array;
}

/** Errors lose their kind on the way between threads; wrong input is handed over as what it says. */
export type PlanReply = RaceResult | { readonly wrong: string; readonly note: string };

/** Iterations that nobody reaches. */
const ALL = 0x7fffffff;

/** Plans on other threads. Answers are those of `planMotion`, whatever the number of threads. */
export class PlanThreads {
  private constructor(
    private readonly pool: Piscina,
    private readonly robots: readonly RobotDescription[],
  ) {}

  /** Threads for some problems: robots are sent once. */
  static async start(problems: readonly Problem[], threads: number): Promise<PlanThreads> {
    const robots = [...new Set(problems.map(({ robot }) => robot))];
    const data: PlanThreadData = { robots };
    return new PlanThreads(await createWorkerPool('planWorker', { threads, data }), robots);
  }

  /** One problem on one thread. */
  async plan(problem: Problem, options: PlanOptions): Promise<PlanAnswer> {
    const { answer } = await this.run(problem, options);
    return answer;
  }

  /** One problem with so many seeds, from the one given on; see `winnerOf`. */
  async race(problem: Problem, options: PlanOptions, seeds: number): Promise<PlanAnswer> {
    const deadline = performance.timeOrigin + performance.now() + 1000 * options.timeLimit;
    const race = { deadline, mostIterations: new Int32Array(new SharedArrayBuffer(4)).fill(ALL) };
    const all = Array.from({ length: seeds }, (_, i) => ({ ...options, seed: options.seed + i }));
    return selectWinner(await Promise.all(all.map((one) => this.run(problem, one, race))));
  }

  end(): Promise<void> {
    return this.pool.destroy();
  }

  private async run({ scene, robot }: Problem, options: PlanOptions, race?: PlanRace): Promise<RaceResult> {
    const problem = { scene, robot: this.robots.indexOf(robot) };
    const task: PlanTask = { problem, options, ...(race && { race }) };
    const reply: PlanReply = await this.pool.run(task);
    if ('wrong' in reply) throw new InputError(reply.wrong, reply.note);
    return { ...reply, answer: withMeshes(reply.answer, { scene, robot }) };
  }
}

/** The answer, with the reason of a collision computed here: other threads do not know the meshes that convex parts cover. */
function withMeshes(answer: PlanAnswer, problem: Problem): PlanAnswer {
  if (answer.status !== 'start-in-collision' && answer.status !== 'goal-in-collision') return answer;
  const { scene } = problem;
  const robot = createSceneRobot(problem);
  const ends = problemEnds(robot, scene, new CollisionManager(new CollisionModel(robot, scene)));
  return 'status' in ends ? { ...answer, reason: ends.reason } : answer;
}
