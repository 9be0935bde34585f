import type { Configuration } from '../../core/math/configuration.ts';
import type { Random } from '../../core/math/random.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import type { Checker } from '../../core/narrowphase/solver.ts';
import type { CheckerVariantName } from '../../core/narrowphase/variants.ts';
import { type PlannerName, planners } from '../../core/planning/index.ts';
import type { Budget, PlannerDefinition, PlanningProblem, PlanResult } from '../../core/planning/planner.ts';
import { pathLength } from '../../core/planning/shortcut.ts';
import { InputError, requireOneOf, suggestion } from '../../errors.ts';
import type { BlendRuleName } from '../timing/blendRules.ts';
import type { EdgeValidationName } from './edgeValidation.ts';
import type { PreparedLibrary } from './motionLibrary/keptEdges.ts';

/** Options of `planMotion`; `planDefaults` contains the defaults. */
export interface PlanOptions {
  /** Search algorithm: a key of `planners`, or a planner of your own. */
  readonly planner: PlannerName | PlannerDefinition;
  /** Values of the planner's own options, by name. */
  readonly plannerOptions: Readonly<Record<string, number>>;
  /**
   * Weights of joints in the path length, by name: radians per radian or metre. They override those of the scene, which
   * override `balancedWeights`.
   */
  readonly weights: Readonly<Record<string, number>>;
  /** Narrow-phase algorithm: a key of `checkers`, or one of their variants for experiments. */
  readonly checker: CheckerName | CheckerVariantName;
  /** Edge validation: continuous (`certified`) or discrete (`sampled`). */
  readonly edges: EdgeValidationName;
  /** Maximum distance between samples of an edge for `sampled`, rad (L2 over the joints). */
  readonly step: number;
  /** Seed of all random numbers: equal seeds give equal trajectories. An integer of at most 53 bits. */
  readonly seed: number;
  /** Iteration limit of the planner; undefined: the planner's own. */
  readonly iterations: number | undefined;
  /**
   * Time limit, s: from the creation of the collision model to the proved trajectory and its certificate. Has no effect
   * without a clock.
   */
  readonly timeLimit: number;
  /** Enables shortcutting and path improvement. */
  readonly shortcut: boolean;
  /** Enables time parameterization; if false, the result is a path of straight lines without times. */
  readonly timing: boolean;
  /** Corner blending: parabolic blends (`blend`), or a stop at each waypoint (`stop`). */
  readonly corners: BlendRuleName;
  /** Library that the planner `library` searches; of the same robot, attached objects and padding. */
  readonly library: PreparedLibrary | undefined;
  /** Adds a certificate to the result: for each pair, planes that separate it at every instant. */
  readonly certificate: boolean;
  /**
   * Before the search, attempts to prove that no motion exists: status `infeasible`. Takes at most half of the time
   * limit. For a single motion among obstacles at rest.
   */
  readonly infeasible: boolean;
}

/** Options of `planMotion` whose planner is given by name, so that they can be sent to worker threads. */
export type NamedPlanOptions = PlanOptions & { readonly planner: PlannerName };

/** Defaults of `PlanOptions`. */
export const planDefaults: NamedPlanOptions & { readonly checker: CheckerName } = {
  planner: 'rrt-connect',
  plannerOptions: {},
  weights: {},
  checker: 'growth-distance',
  edges: 'certified',
  step: 0.02,
  seed: 1,
  iterations: undefined,
  timeLimit: 10,
  shortcut: true,
  timing: true,
  corners: 'blend',
  library: undefined,
  certificate: false,
  infeasible: false,
};

/** Clock and callbacks of `planMotion`. They do not change the result, except that the clock may end the search. */
export interface PlanHooks {
  /** Monotonic clock, milliseconds. Without it, times are 0 and only the iteration limit ends the search. */
  readonly clock?: () => number;
  /** Called at intervals while the planner runs. */
  readonly progress?: (iterations: number, elapsedMs: number) => void;
  /**
   * Called for each improved path of an anytime planner with its length, the iterations so far, and the time since the
   * first search of the query started, ms.
   */
  readonly better?: (length: number, iterations: number, elapsedMs: number) => void;
  /**
   * Called when a main search starts. If it is not the first of the query, the path of the previous search failed the
   * final check.
   */
  readonly searching?: () => void;
  /** Called when a main search ends with a path: as `better`, with the length of that path before simplification. */
  readonly found?: (length: number, iterations: number, elapsedMs: number) => void;
  /** Wraps the narrow-phase checker, for measurements; verdicts must not change. Ignored by programs. */
  readonly wrapChecker?: ((checker: Checker) => Checker) | undefined;
  /** Set if other seeds plan the same problem in parallel. */
  readonly race?: SeedRace;
}

/**
 * Connection of one seed to a race of several seeds: may end a search that cannot win, and does not change the winning
 * result.
 */
export interface SeedRace {
  /** Returns the number of iterations after which a path cannot win any more; decreases as other seeds finish. */
  mostIterations(): number;
  /** Called when the result has been checked, with the iterations of the search for its path. */
  done(iterations: number): void;
}

/** Name in messages and statistics of a planner without a name that is no entry of `planners`. */
const OWN_PLANNER = 'own';

type Selection = Pick<PlanOptions, 'planner'>;

/** Returns the planner that the options select. Throws `InputError` if its name is unknown. */
export function plannerOf({ planner }: Selection): PlannerDefinition {
  if (typeof planner === 'string') return requireOneOf(planners, 'planner', planner);
  return { ...planner, plan: (problem, ...rest) => checkedRun(planner, problem, ...rest) };
}

/** Returns the name of the planner that the options select: its key in `planners`, or its own, by default `own`. */
export function plannerNameOf({ planner }: Selection): string {
  return typeof planner === 'string' ? planner : (planner.name ?? OWN_PLANNER);
}

/** Returns the planner's options: its defaults, overridden by those given. Throws `InputError` for unknown options. */
export function plannerOptions(planner: PlannerDefinition, options: PlanOptions): Record<string, number> {
  const { plannerOptions } = options;
  const values = Object.fromEntries(Object.entries(planner.options).map(([key, { value }]) => [key, value]));
  for (const [key, value] of Object.entries(plannerOptions)) {
    if (!Object.hasOwn(values, key))
      throw new InputError(
        `planner "${plannerNameOf(options)}" has no option "${key}"`,
        suggestion(key, Object.keys(values)),
      );
    values[key] = value;
  }
  return values;
}

/**
 * Relative tolerance between the last cost that a planner reported and the length of the path that it returns: rounding
 * errors of different sums.
 */
const COST_TOLERANCE = 1e-6;

/**
 * Runs a planner that is no entry of `planners`, on copies of start and goals. Throws `InputError` if its result does
 * not have the form of a `PlanResult`, if its path does not lead from the start to a goal through configurations of
 * finite numbers (the edges are checked later, the ends are not), or if it reports costs that do not decrease or do not
 * end with the length of its path.
 */
function checkedRun(
  planner: PlannerDefinition,
  problem: PlanningProblem,
  ...rest: [Readonly<Record<string, number>>, Random, Budget]
): PlanResult {
  const { space, start, goals, onBetter } = problem;
  let cost = Number.POSITIVE_INFINITY;
  const reported = (next: number, iterations: number) => {
    if (!(next >= 0 && next < cost)) throw new InputError(`the planner reported the cost ${next} after ${cost}`);
    if (!isCount(iterations)) throw new InputError(`the planner reported ${String(iterations)} iterations`);
    cost = next;
    onBetter?.(next, iterations);
  };
  const copy = { ...problem, start: start.slice(), goals: goals.map((goal) => goal.slice()), onBetter: reported };
  const result = checkedForm(planner.plan(copy, ...rest));
  if (result.status !== 'solved') return result;
  const path = copiedPath(result.path, space.dof);
  if (path.length === 0 || !isEqual(path[0], start))
    throw new InputError('the planner returned a path that does not begin at the start');
  if (!goals.some((goal) => isEqual(path[path.length - 1], goal)))
    throw new InputError('the planner returned a path that does not end at a goal');
  const length = pathLength(path, space);
  if (cost < Number.POSITIVE_INFINITY && Math.abs(length - cost) > COST_TOLERANCE * Math.max(length, cost))
    throw new InputError(`the planner reported the cost ${cost} and returned a path of the length ${length}`);
  return { ...result, path };
}

/**
 * Returns copies of configurations: foreign arrays may change, and getters may return another value at each read.
 * Throws `InputError` if one is not `dof` finite numbers.
 */
function copiedPath(path: readonly Configuration[], dof: number): Configuration[] {
  return Array.from(path, (q, i) => {
    const copy = typeof q === 'object' && q?.length === dof ? Float64Array.from(q) : undefined;
    if (copy?.length === dof && copy.every(Number.isFinite)) return copy;
    throw new InputError(`the planner returned path[${i}], which is not ${dof} finite numbers`);
  });
}

/**
 * Returns a copy of the result of a planner, each property of which is read once, if it has the form of a `PlanResult`;
 * throws `InputError` otherwise.
 */
function checkedForm(result: PlanResult): PlanResult {
  const { status, path, iterations, nodes, roadmap } = result ?? {};
  const what =
    typeof (result as unknown as { then?: unknown } | undefined)?.then === 'function'
      ? 'a promise'
      : status !== 'solved' && status !== 'budget-spent'
        ? `the status ${JSON.stringify(status) ?? 'undefined'}`
        : !Array.isArray(path)
          ? 'a path that is not an array'
          : !isCount(iterations) || !isCount(nodes)
            ? 'iterations or nodes that are not whole numbers'
            : undefined;
  if (what === undefined) return { status, path, iterations, nodes, ...(roadmap && { roadmap }) };
  throw new InputError(
    `the planner returned ${what}`,
    "Return { status: 'solved' or 'budget-spent', path, iterations, nodes }.",
  );
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

const isEqual = (a: Configuration, b: Configuration) => a.every((value, i) => value === b[i]);
