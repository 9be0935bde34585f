import type { Configuration } from '../../core/math/configuration.ts';
import { type MoveStep, type Step, stepName } from '../../core/scene/program.ts';
import type { TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { planPrepared } from '../planning/planMotion.ts';
import { type PlanHooks, type PlanOptions, plannerOf } from '../planning/planOptions.ts';
import type { PlanStats } from '../planning/planStats.ts';
import type { TimeLimit } from '../planning/stopwatch.ts';
import type { MoveFailure } from './failures/programFailures.ts';
import { moveScene } from './moveScene.ts';
import type { Candidate } from './search/candidate.ts';

/** A free motion: its points without the first, with times from its start. */
export interface PlannedMove {
  readonly points: readonly TrajectoryPoint[];
}

/** Figures of a program that are the sums of those of its free motions. */
const SUMMED = [
  'setup_ms',
  'planning_ms',
  'shortcut_ms',
  'timing_ms',
  'check_ms',
  'states_checked',
  'edges_checked',
  'pair_checks',
  'nodes',
  'iterations',
] as const;

/**
 * Iterations of the first search for each free motion; they are doubled while no combination of candidates works. A
 * motion that is harder is left for another candidate: in a cell with a wall, the first candidate has no motion at all.
 */
const FIRST_ITERATIONS = 300;
/** Minimum iterations of a search to any of several candidates, which replaces a search to each. */
const SHARED_ITERATIONS = 1000;

/** A free motion whose search used up its iterations. */
export interface OpenMove {
  readonly from: Candidate;
  readonly to: Candidate;
  readonly failure: MoveFailure;
}

/** Absolute tolerance, rad or m, within which a motion ends at a goal. */
const SAME = 1e-9;

/** Plans the free motions of a program between candidates of its stages, each once. */
export class ProgramMoves {
  /** True if the time limit ended the plan of a free motion. */
  isCut = false;
  /** True if a free motion was not found. */
  hasFailed = false;
  private readonly planned = new Map<Candidate, Map<Candidate, PlannedMove | MoveFailure>>();
  /** Statistics of all free motions that were planned. */
  private readonly attempts: PlanStats[] = [];
  /** Iterations of one search, and their limit. */
  private iterations: number;
  private readonly most: number;
  private open: OpenMove[] = [];

  constructor(
    private readonly options: PlanOptions,
    private readonly hooks: PlanHooks,
    /** Time limit of the program as a whole. */
    private readonly limit: TimeLimit,
  ) {
    const { improves, iterations } = plannerOf(options);
    this.most = options.iterations ?? iterations;
    // planners that improve paths always use all iterations
    this.iterations = improves ? this.most : Math.min(FIRST_ITERATIONS, this.most);
  }

  /** True if `retry` would return free motions. */
  get canRetry(): boolean {
    return this.open.length > 0 && this.iterations < this.most;
  }

  /** Doubles the iterations of the searches that follow; returns the free motions that they may find. */
  retry(): readonly OpenMove[] {
    const { open } = this;
    this.open = [];
    this.iterations = Math.min(2 * this.iterations, this.most);
    for (const { from, to } of open) this.planned.get(from)!.delete(to);
    return open;
  }

  /**
   * Returns the free motion between two candidates. It is planned on first use.
   * @param left number of free motions to plan, this one included
   */
  between(step: MoveStep, from: Candidate, to: Candidate, left: number): PlannedMove | MoveFailure {
    const known = this.planned.get(from)?.get(to);
    if (known) return known;
    const made = this.plan(step, from, to, this.limit.remaining / (left + 1));
    this.planned.set(from, (this.planned.get(from) ?? new Map()).set(to, made));
    return made;
  }

  /**
   * Plans one free motion to any of several candidates and stores it; returns the candidate that it reaches.
   * @param left number of free motions to plan, this one included
   */
  reached(step: MoveStep, from: Candidate, candidates: readonly Candidate[], left: number): Candidate | undefined {
    const entries = candidates.map(({ entry }) => entry);
    const iterations = Math.max(this.iterations, Math.min(SHARED_ITERATIONS, this.most));
    const { result } = this.query(step, from, entries, this.limit.remaining / (left + 1), iterations);
    this.isCut ||= result.cutShort;
    const last = result.trajectory?.points.at(-1)?.positions;
    const found = candidates.find(({ entry }) => last?.every((value, j) => Math.abs(value - entry[j]) <= SAME));
    if (found === undefined) return undefined;
    const points = result.trajectory!.points.slice(1);
    this.planned.set(from, (this.planned.get(from) ?? new Map()).set(found, { points }));
    return found;
  }

  /** Returns the positions at the end of the free motion between two candidates. */
  endOf(from: Candidate, to: Candidate): readonly number[] {
    const made = this.planned.get(from)?.get(to);
    const last = made && 'points' in made ? made.points.at(-1) : undefined;
    return last?.positions ?? Array.from(to.entry);
  }

  /** Returns the sums of times and counts over all free motions that were planned. */
  sums(): Record<(typeof SUMMED)[number], number> {
    const sum = (key: (typeof SUMMED)[number]) => this.attempts.reduce((total, stats) => total + stats[key], 0);
    return Object.fromEntries(SUMMED.map((key) => [key, sum(key)])) as Record<(typeof SUMMED)[number], number>;
  }

  /**
   * Plans a free motion within its share of the remaining time, which the other free motions and the final check also
   * need.
   */
  private plan(step: MoveStep, from: Candidate, to: Candidate, timeLimit: number): PlannedMove | MoveFailure {
    const { options } = this;
    const { scene, result, isOpen } = this.query(step, from, [to.entry], timeLimit, this.iterations);
    this.isCut ||= result.cutShort;
    if (result.trajectory) return { points: result.trajectory.points.slice(1) };
    this.hasFailed = true;
    const why = result.cutShort ? notInTime('a share', options.timeLimit) : result.reason;
    const name = stepName(step);
    const failure = { step: step.index, reason: `${name}: ${why}`, name, why, branch: to.number, scene, result };
    if (isOpen) this.open.push({ from, to, failure });
    return failure;
  }

  private query(
    step: MoveStep,
    from: Candidate,
    goals: readonly Configuration[],
    timeLimit: number,
    iterations: number,
  ) {
    const { options, hooks } = this;
    const { clock, progress } = hooks;
    let isSearching = false;
    const world = from.after;
    const scene = moveScene(step, world.still.scene, from.exit, ...goals);
    const result = planPrepared(
      () => world.still,
      scene,
      { ...options, timeLimit, certificate: false, infeasible: false },
      {
        ...(clock && { clock }),
        ...(progress && { progress }),
        searching: () => {
          isSearching = true;
        },
        found: () => {
          isSearching = false;
        },
        race: { mostIterations: () => iterations, done: () => {} },
      },
    );
    this.attempts.push(result.stats);
    return { scene, result, isOpen: isSearching && !result.cutShort };
  }
}

/** Returns `step 4 (line "insert"): not planned within the time limit of 10 s; increase --time-limit`. */
export const outOfTime = (step: Step, timeLimit: number) => `${stepName(step)}: ${notInTime('all', timeLimit)}`;

/**
 * Returns the clause that is appended to the reason of a failure if the time limit ended the search for combinations,
 * or for free motions with more iterations.
 */
export const notAllTried = (timeLimit: number, isLonger: boolean) => {
  const what = isLonger ? 'longer searches' : 'other combinations of IK solutions';
  return `; ${what} were not tried within the time limit of ${timeLimit} s`;
};

function notInTime(used: 'a share' | 'all', timeLimit: number): string {
  const limit = `${used === 'all' ? 'the' : 'its share of the'} time limit of ${timeLimit} s`;
  return `not planned and proved within ${limit}; increase --time-limit`;
}
