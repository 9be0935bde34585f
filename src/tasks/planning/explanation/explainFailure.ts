import type { Configuration } from '../../../core/math/configuration.ts';
import { worldGoals } from '../../../core/scene/configurationOf.ts';
import { createSceneRobot, type Problem } from '../../sceneRobot.ts';
import { stillWorld } from '../../world.ts';
import type { EndpointDetail, Overlap } from '../endpointDiagnosis.ts';
import { millimetres } from '../millimetres.ts';
import { type PlanMotionResult, type PlanOptions, planDefaults, planMotion } from '../planMotion.ts';
import type { PlanMotionStatus } from '../planStats.ts';
import { resolveStartAndGoals } from '../startAndGoals.ts';
import { TimeLimit } from '../stopwatch.ts';
import { explainSearch, type SearchExplanation } from './explainSearch.ts';
import { describeObject, type Removal, removableObjects, withoutObject } from './removals.ts';

export type { Removal } from './removals.ts';

/** Why no motion was found, as plain data. */
export interface FailureExplanation {
  /** Status of the plan that is explained. */
  readonly status: PlanMotionStatus;
  /** Invalid start or goals; empty if the search was started. */
  readonly ends: readonly EndpointDetail[];
  /** Extent of the search; null if it was not started, or if it found paths that the final check refuted. */
  readonly search: SearchExplanation | null;
  /** Results of planning again without one of the blocking objects each, most frequent first. */
  readonly without: readonly Removal[];
}

/** Clock and callbacks of `explainFailure`. */
export interface ExplainHooks {
  /**
   * Monotonic clock, milliseconds. The time limit applies to each search separately; without a clock, only the
   * iteration limit applies.
   */
  readonly clock?: () => number;
  /** Called before each step with its description. */
  readonly onStep?: (what: string) => void;
  /** Called with each configuration that the search connected to start or goal; the caller may keep the array. */
  readonly visit?: (end: 'start' | 'goal', q: Configuration) => void;
}

/**
 * Explains why `planMotion` found no motion: for an invalid start or goal, each colliding pair with its penetration
 * depth; for a failed search, the extent of its trees and the pairs that blocked them; for both, the objects without
 * which the same planner with the same seed and budget finds a motion. Repeats planning for each of these objects, so
 * it takes a multiple of the planning time.
 * @param result result of `planMotion` for this problem and these options; must not be `solved`
 */
export function explainFailure(
  problem: Problem,
  result: PlanMotionResult,
  given: Partial<PlanOptions> = {},
  { clock, onStep, visit }: ExplainHooks = {},
): FailureExplanation {
  const options = { ...planDefaults, ...given, certificate: false };
  const scene = { ...problem.scene, goals: worldGoals(problem.scene) }; // removing an obstacle must not move a goal
  const robot = createSceneRobot(problem);
  const limit = new TimeLimit(clock, options.timeLimit);
  const world = stillWorld(robot, scene, { checker: options.checker });
  const ends = resolveStartAndGoals(robot, scene, world.manager, limit.isOver);
  const details = ends !== undefined && 'status' in ends ? ends.details : [];
  onStep?.('searching again to find the blocking pairs');
  // The repeated search has no constraints: it is not the one that failed.
  const isConstrained = (scene.constraints ?? []).length > 0;
  const search =
    ends === undefined || 'status' in ends || isConstrained
      ? undefined
      : explainSearch(world, ends, options, result.stats.iterations, limit, visit);
  const pairs = search
    ? search.stopped_by.map(({ pair }) => pair)
    : details.flatMap(({ contacts = [] }) => contacts.map(({ pair }) => pair));

  const without = removableObjects(scene, pairs).map(({ kind, names }): Removal => {
    onStep?.(`planning ${describeObject({ kind, names })}`);
    const changed = { ...problem, model: robot, scene: withoutObject(scene, { kind, names }) };
    const { status, stats } = planMotion(changed, options, clock ? { clock } : {});
    return { kind, names, status, waypoints: stats.waypoints, path_length: stats.path_length };
  });
  return { status: result.status, ends: details, search: search ?? null, without };
}

/** Limit of pairs listed in a message. */
const PAIR_LIMIT = 8;

/** Formats the explanation in lines; does not repeat `PlanMotionResult.reason`. */
export function describeExplanation({ ends, search, without }: FailureExplanation): string[] {
  return [
    ...ends.flatMap(describeEnd),
    ...(search ? describeSearch(search) : []),
    ...without.map((removal) => {
      const { kind, names, status, waypoints, path_length } = removal;
      const how = describeObject({ kind, names });
      if (status !== 'solved') return `${how} no path is found either (${status})`;
      return `${how} a path exists (${waypoints} points, length ${digits(path_length!)})`;
    }),
  ];
}

/** Lists all colliding pairs of a start or goal if there are more than the one that the reason names. */
export function describeEnd({ end, goal, kind, contacts = [] }: EndpointDetail): string[] {
  if (contacts.length < 2) return [];
  const place = goal === undefined ? end : `goals[${goal}]`;
  const named = ({ pair, depth }: Overlap) => `${pair.join(' and ')} ${millimetres(depth)}`;
  if (kind === 'in-collision') return [`${place}: all colliding pairs: ${contacts.map(named).join(', ')}`];
  const pairs = countedContacts(contacts);
  const more = pairs.length > PAIR_LIMIT ? [`${pairs.length - PAIR_LIMIT} more pairs`] : [];
  const list = pairs
    .slice(0, PAIR_LIMIT)
    .map(({ times, ...shallowest }) => `${named(shallowest)}${times > 1 ? ` at least (${times} times)` : ''}`);
  return [`${place}: the deepest pair of each solution: ${[...list, ...more].join(', ')}`];
}

/** Counts the pairs and returns each once with its smallest depth, most frequent first. */
function countedContacts(contacts: readonly Overlap[]): (Overlap & { readonly times: number })[] {
  const counted = new Map<string, Overlap & { readonly times: number }>();
  for (const contact of contacts) {
    const key = contact.pair.join('\n');
    const known = counted.get(key);
    const depth = Math.min(contact.depth, known?.depth ?? Number.POSITIVE_INFINITY);
    counted.set(key, { pair: contact.pair, depth, times: (known?.times ?? 0) + 1 });
  }
  return [...counted.values()].sort((a, b) => b.times - a.times);
}

function describeSearch({ start_tree, goal_tree, nearest, stopped, looked_at, stopped_by }: SearchExplanation) {
  const [start, goals] = [start_tree, goal_tree].map((count) => `${count} configuration${count === 1 ? '' : 's'}`);
  const list = (q: readonly number[]) => q.map(digits).join(', ');
  const share = (motions: number) => `${Number(((100 * motions) / looked_at).toPrecision(3))} %`;
  const frequent = stopped_by
    .slice(0, PAIR_LIMIT)
    .map(({ pair, motions }) => `${pair.join(' and ')} ${share(motions)}`);
  const stops = [
    ...frequent,
    ...(stopped_by.length > PAIR_LIMIT ? [`${stopped_by.length - PAIR_LIMIT} more pairs`] : []),
  ].join(', ');
  const which =
    looked_at < stopped
      ? `${looked_at} of the ${stopped} motions`
      : stopped === 1
        ? 'the only motion'
        : `the ${stopped} motions`;
  return [
    `search trees: ${start} connected to the start, ${goals} to the goal; nearest approach ${digits(nearest.distance)}`,
    `  from the start: ${list(nearest.from_start)}`,
    `  from the goal: ${list(nearest.from_goal)}`,
    ...(looked_at === 0
      ? []
      : [`pairs that blocked ${which} that ${stopped === 1 ? 'was' : 'were'} not valid: ${stops}`]),
  ];
}

const digits = (value: number) => Number(value.toPrecision(4));
