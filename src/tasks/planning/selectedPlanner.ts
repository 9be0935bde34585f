import type { Configuration } from '../../core/math/configuration.ts';
import type { Random } from '../../core/math/random.ts';
import { planners } from '../../core/planning/index.ts';
import type { Budget, PlannerDefinition, PlanningProblem, PlanResult } from '../../core/planning/planner.ts';
import { pathLength } from '../../core/planning/shortcut.ts';
import { InputError, requireOneOf, suggestion } from '../../errors.ts';
import type { PlanOptions } from './planOptions.ts';

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
