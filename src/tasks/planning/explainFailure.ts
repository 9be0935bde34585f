import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { Scene } from '../../scene/scene.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import type { EndDetail, Overlap } from './endpointDiagnosis.ts';
import { explainSearch, type SearchExplanation } from './explainSearch.ts';
import { millimetres } from './millimetres.ts';
import { type PlanAnswer, type PlanOptions, planDefaults, planMotion } from './planMotion.ts';
import type { PlanMotionStatus } from './planStats.ts';
import { problemEnds } from './startAndGoals.ts';

/** Why there is no motion, as plain data. */
export interface FailureExplanation {
  readonly status: PlanMotionStatus;
  /** What is wrong with the ends; empty where the search began. */
  readonly ends: readonly EndDetail[];
  /** What the search came to; null where it did not begin, or where it found paths that the final check refuted. */
  readonly search: SearchExplanation | null;
  /** The same problem again, each time without one of the things that were in the way: those that stopped most first. */
  readonly without: readonly Removal[];
}

/** What became of the problem when one thing was taken away: an obstacle, a carried body, or the rule that two bodies may not touch. */
export interface Removal {
  readonly kind: 'obstacle' | 'attached' | 'pair';
  /** Its name; of a pair both names. */
  readonly names: readonly string[];
  readonly status: PlanMotionStatus;
  /** Points of the motion and length of the path (rad, L2), where there is one. */
  readonly waypoints: number | null;
  readonly path_length: number | null;
}

/** What the outside world lends. */
export interface ExplainHooks {
  /** Milliseconds, running forward: each search may take as long as the time limit says. Without it iterations alone end them. */
  readonly clock?: () => number;
  /** Told what is being tried. */
  readonly tell?: (what: string) => void;
  /** Told each configuration that the search joined to an end; the configuration is the caller's to keep. */
  readonly visit?: (end: 'start' | 'goal', q: Configuration) => void;
}

/**
 * Says why `planMotion` found no motion: for ends that cannot be used, each pair in the way and how deep; for a search that ended, how far its
 * trees came and what stopped them; and for both, which one thing, taken away, lets the same planner with the same seed and budget find a motion.
 * Plans once more for each of those, so it takes a multiple of the time.
 * @param answer what `planMotion` said to this problem with these options; must not be `solved`
 */
export function explainFailure(
  problem: Problem,
  answer: PlanAnswer,
  given: Partial<PlanOptions> = {},
  { clock, tell, visit }: ExplainHooks = {},
): FailureExplanation {
  const options = { ...planDefaults, ...given, certificate: false };
  const { scene } = problem;
  const robot = createSceneRobot(problem);
  const ends = problemEnds(robot, scene, new CollisionManager(new CollisionModel(robot, scene)));
  const details = 'status' in ends ? ends.details : [];
  tell?.('searching once more, to see what is in the way');
  const search =
    'status' in ends ? undefined : explainSearch(robot, scene, ends, options, answer.stats.iterations, visit);
  const pairs = search
    ? search.stopped_by.map(({ pair }) => pair)
    : details.flatMap(({ contacts = [] }) => contacts.map(({ pair }) => pair));

  const without = removals(scene, pairs).map(({ kind, names }): Removal => {
    tell?.(`planning ${described(kind, names)}`);
    const changed = { ...problem, model: robot, scene: lessened(scene, kind, names) };
    const { status, stats } = planMotion(changed, options, clock ? { clock } : {});
    return { kind, names, status, waypoints: stats.waypoints, path_length: stats.path_length };
  });
  return { status: answer.status, ends: details, search: search ?? null, without };
}

type Candidate = Pick<Removal, 'kind' | 'names'>;

/** What has a part in these pairs and could be taken away, each once: obstacles, then carried bodies, then pairs of the robot itself. */
function removals({ obstacles, attached }: Scene, pairs: readonly (readonly [string, string])[]): Candidate[] {
  const named = (kind: 'obstacle' | 'attached', bodies: readonly { readonly name: string }[]) => {
    const names = new Set(bodies.map(({ name }) => name));
    const met = new Set(pairs.flat().filter((name) => names.has(name)));
    return [...met].map((name): Candidate => ({ kind, names: [name] }));
  };
  const standing = new Set(obstacles.map(({ name }) => name));
  const own = pairs.filter(([a, b]) => !standing.has(a) && !standing.has(b));
  const distinct = new Map(own.map((pair) => [pair.join('\n'), pair]));
  return [
    ...named('obstacle', obstacles),
    ...named('attached', attached),
    ...[...distinct.values()].map((pair): Candidate => ({ kind: 'pair', names: pair })),
  ];
}

function lessened(scene: Scene, kind: Removal['kind'], names: readonly string[]): Scene {
  if (kind === 'pair') return { ...scene, allow: [...scene.allow, [names[0], names[1]]] };
  const isGone = (name: string) => name === names[0];
  return {
    ...scene,
    obstacles: scene.obstacles.filter(({ name }) => !isGone(name)),
    attached: scene.attached
      .filter(({ name }) => !isGone(name))
      .map((body) => ({ ...body, touches: body.touches.filter((name) => !isGone(name)) })),
    allow: scene.allow.filter((pair) => !pair.some(isGone)),
  };
}

const described = (kind: Removal['kind'], names: readonly string[]) =>
  kind === 'pair' ? `with ${names.join(' and ')} allowed to touch` : `without ${names[0]}`;

/** So many pairs are shown to people. */
const SHOWN = 8;

/** The explanation in lines for people; what `PlanAnswer.reason` says already is not said again. */
export function describeExplanation({ ends, search, without }: FailureExplanation): string[] {
  return [
    ...ends.flatMap(describeEnd),
    ...(search ? describeSearch(search) : []),
    ...without.map((removal) => {
      const { kind, names, status, waypoints, path_length } = removal;
      const how = described(kind, names);
      if (status !== 'solved') return `${how} none is found either (${status})`;
      return `${how} a path exists (${waypoints} points, length ${digits(path_length!)})`;
    }),
  ];
}

/** All pairs in the way, where there is more than the one that the reason names. */
function describeEnd({ end, goal, kind, contacts = [] }: EndDetail): string[] {
  if (contacts.length < 2) return [];
  const place = goal === undefined ? end : `goals[${goal}]`;
  const named = ({ pair, depth }: Overlap) => `${pair.join(' and ')} ${millimetres(depth)}`;
  if (kind === 'in-collision') return [`${place}: all pairs in the way: ${contacts.map(named).join(', ')}`];
  const pairs = countedContacts(contacts);
  const more = pairs.length > SHOWN ? [`${pairs.length - SHOWN} more pairs`] : [];
  const list = pairs
    .slice(0, SHOWN)
    .map(({ times, ...least }) => `${named(least)}${times > 1 ? ` at least (${times} times)` : ''}`);
  return [`${place}: the deepest pair of each solution: ${[...list, ...more].join(', ')}`];
}

/** Each pair once, where it is least deep, and how often it comes: the most frequent first. */
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
  const most = stopped_by.slice(0, SHOWN).map(({ pair, motions }) => `${pair.join(' and ')} ${share(motions)}`);
  const stops = [...most, ...(stopped_by.length > SHOWN ? [`${stopped_by.length - SHOWN} more pairs`] : [])].join(', ');
  const which =
    looked_at < stopped
      ? `${looked_at} of the ${stopped} motions`
      : stopped === 1
        ? 'the only motion'
        : `the ${stopped} motions`;
  return [
    `reached: ${start} from the start, ${goals} from the goal; they come within ${digits(nearest.distance)} of each other`,
    `  from the start: ${list(nearest.from_start)}`,
    `  from the goal: ${list(nearest.from_goal)}`,
    ...(stopped === 0 ? [] : [`what stopped ${which} that ${stopped === 1 ? 'was' : 'were'} not free: ${stops}`]),
  ];
}

const digits = (value: number) => Number(value.toPrecision(4));
