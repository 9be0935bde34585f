import { CollisionManager } from '../../../collision/collisionManager.ts';
import { CollisionModel } from '../../../collision/collisionModel.ts';
import type { Configuration } from '../../../math/configuration.ts';
import { constraintLabel } from '../../../scene/constraints.ts';
import { worldGoals } from '../../../scene/goalPose.ts';
import type { Scene } from '../../../scene/scene.ts';
import { createSceneRobot, type Problem } from '../../sceneRobot.ts';
import type { EndpointDetail, Overlap } from '../endpointDiagnosis.ts';
import { millimetres } from '../millimetres.ts';
import { type PlanMotionResult, type PlanOptions, planDefaults, planMotion } from '../planMotion.ts';
import type { PlanMotionStatus } from '../planStats.ts';
import { resolveStartAndGoals } from '../startAndGoals.ts';
import { TimeLimit } from '../stopwatch.ts';
import { explainSearch, type SearchExplanation } from './explainSearch.ts';

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

/** Result of planning without one obstacle, one attached object, or the check of one pair. */
export interface Removal {
  /** What was left out: an obstacle, an attached object, the check of a pair, or a path constraint. */
  readonly kind: 'obstacle' | 'attached' | 'pair' | 'constraint';
  /** Name of the object or constraint; for a pair, both names. */
  readonly names: readonly string[];
  /** Status of the plan without it. */
  readonly status: PlanMotionStatus;
  /** Number of waypoints of the motion; null if no motion was found. */
  readonly waypoints: number | null;
  /** Length of the path, rad (L2); null if no motion was found. */
  readonly path_length: number | null;
}

/** Clock and callbacks of `explainFailure`. */
export interface ExplainHooks {
  /**
   * Monotonic clock, milliseconds: applies the time limit to each search, that for the blocking pairs included. Without
   * a clock, only the iteration limit applies.
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
 * which the same planner with the same seed and budget finds a motion. Plans once more for each of these objects, so it
 * takes a multiple of the planning time.
 * @param answer result of `planMotion` for this problem and these options; must not be `solved`
 */
export function explainFailure(
  problem: Problem,
  answer: PlanMotionResult,
  given: Partial<PlanOptions> = {},
  { clock, onStep: tell, visit }: ExplainHooks = {},
): FailureExplanation {
  const options = { ...planDefaults, ...given, certificate: false };
  const scene = { ...problem.scene, goals: worldGoals(problem.scene) }; // removing an obstacle must not move a goal
  const robot = createSceneRobot(problem);
  const limit = new TimeLimit(clock, options.timeLimit);
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const ends = resolveStartAndGoals(robot, scene, manager, limit.isOver);
  const details = ends !== undefined && 'status' in ends ? ends.details : [];
  tell?.('searching again to find the blocking pairs');
  // The repeated search has no constraints: it is not the one that failed.
  const isConstrained = (scene.constraints ?? []).length > 0;
  const search =
    ends === undefined || 'status' in ends || isConstrained
      ? undefined
      : explainSearch(robot, scene, ends, options, answer.stats.iterations, limit, visit);
  const pairs = search
    ? search.stopped_by.map(({ pair }) => pair)
    : details.flatMap(({ contacts = [] }) => contacts.map(({ pair }) => pair));

  const without = removals(scene, pairs).map(({ kind, names }): Removal => {
    tell?.(`planning ${described(kind, names)}`);
    const changed = { ...problem, model: robot, scene: withoutObject(scene, kind, names) };
    const { status, stats } = planMotion(changed, options, clock ? { clock } : {});
    return { kind, names, status, waypoints: stats.waypoints, path_length: stats.path_length };
  });
  return { status: answer.status, ends: details, search: search ?? null, without };
}

type Candidate = Pick<Removal, 'kind' | 'names'>;

/**
 * Returns the objects of these pairs that can be removed, each once: obstacles, then attached objects, then
 * self-collision pairs, then constraints.
 */
function removals(
  { obstacles, attached, constraints = [] }: Scene,
  pairs: readonly (readonly [string, string])[],
): Candidate[] {
  const named = (kind: 'obstacle' | 'attached', objects: readonly { readonly name: string }[]) => {
    const names = new Set(objects.map(({ name }) => name));
    const colliding = new Set(pairs.flat().filter((name) => names.has(name)));
    return [...colliding].map((name): Candidate => ({ kind, names: [name] }));
  };
  const obstacleNames = new Set(obstacles.map(({ name }) => name));
  const own = pairs.filter(([a, b]) => !obstacleNames.has(a) && !obstacleNames.has(b));
  const distinct = new Map(own.map((pair) => [pair.join('\n'), pair]));
  return [
    ...named('obstacle', obstacles),
    ...named('attached', attached),
    ...[...distinct.values()].map((pair): Candidate => ({ kind: 'pair', names: pair })),
    ...[...new Set(constraints.map(constraintLabel))].map((name): Candidate => ({ kind: 'constraint', names: [name] })),
  ];
}

/** Returns the scene without the object, or with the pair allowed to collide. */
function withoutObject(scene: Scene, kind: Removal['kind'], names: readonly string[]): Scene {
  if (kind === 'pair') return { ...scene, allow: [...scene.allow, [names[0], names[1]]] };
  if (kind === 'constraint')
    return { ...scene, constraints: scene.constraints?.filter((one) => constraintLabel(one) !== names[0]) ?? [] };
  const isRemoved = (name: string) => name === names[0];
  return {
    ...scene,
    obstacles: scene.obstacles.filter(({ name }) => !isRemoved(name)),
    attached: scene.attached
      .filter(({ name }) => !isRemoved(name))
      .map((attached) => ({ ...attached, touches: attached.touches.filter((name) => !isRemoved(name)) })),
    allow: scene.allow.filter((pair) => !pair.some(isRemoved)),
  };
}

const described = (kind: Removal['kind'], names: readonly string[]) =>
  kind === 'pair' ? `with ${names.join(' and ')} allowed to touch` : `without ${names[0]}`;

/** Limit of pairs listed in a message. */
const PAIR_LIMIT = 8;

/** Formats the explanation in lines; does not repeat `PlanMotionResult.reason`. */
export function describeExplanation({ ends, search, without }: FailureExplanation): string[] {
  return [
    ...ends.flatMap(describeEnd),
    ...(search ? describeSearch(search) : []),
    ...without.map((removal) => {
      const { kind, names, status, waypoints, path_length } = removal;
      const how = described(kind, names);
      if (status !== 'solved') return `${how} no path is found either (${status})`;
      return `${how} a path exists (${waypoints} points, length ${digits(path_length!)})`;
    }),
  ];
}

/** Lists all colliding pairs of a start or goal if there are more than the one that the reason names. */
function describeEnd({ end, goal, kind, contacts = [] }: EndpointDetail): string[] {
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
