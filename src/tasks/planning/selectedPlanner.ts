import { InputError, requireOneOf, suggestion } from '../../errors.ts';
import type { Configuration } from '../../math/configuration.ts';
import { planners } from '../../planning/index.ts';
import type { PlannerDefinition, PlanningProblem, PlanResult } from '../../planning/planner.ts';
import type { PlanOptions } from './planOptions.ts';

/** Name that messages and statistics give to a planner that is no entry of `planners`. */
const OWN_PLANNER = 'own';

type Selection = Pick<PlanOptions, 'planner'>;

/** Returns the planner that the options select. Throws `InputError` if its name is unknown. */
export function plannerOf({ planner }: Selection): PlannerDefinition {
  if (typeof planner === 'string') return requireOneOf(planners, 'planner', planner);
  return { ...planner, plan: (problem, ...rest) => checkedResult(planner.plan(problem, ...rest), problem) };
}

/** Returns the name of the planner that the options select; `own` for a planner that is no entry of `planners`. */
export function plannerNameOf({ planner }: Selection): string {
  return typeof planner === 'string' ? planner : OWN_PLANNER;
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
 * Returns the result of a planner that is no entry of `planners`. Throws `InputError` if its path does not lead from
 * the start to a goal through configurations of finite numbers: the edges are checked later, the ends are not.
 */
function checkedResult(result: PlanResult, { space, start, goals }: PlanningProblem): PlanResult {
  const { status, path } = result;
  if (status !== 'solved') return result;
  const wrong = path.findIndex((q) => q.length !== space.dof || !Array.from(q).every(Number.isFinite));
  if (wrong >= 0) throw new InputError(`the planner returned path[${wrong}], which is not ${space.dof} finite numbers`);
  if (path.length === 0 || !isEqual(path[0], start))
    throw new InputError('the planner returned a path that does not begin at the start');
  if (!goals.some((goal) => isEqual(path[path.length - 1], goal)))
    throw new InputError('the planner returned a path that does not end at a goal');
  return result;
}

const isEqual = (a: Configuration, b: Configuration) => a.every((value, i) => value === b[i]);
