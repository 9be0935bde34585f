import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { RangeProof } from '../../core/collision/selfPairs/rangeProof.ts';
import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../core/kinematics/createRobotModel.ts';
import type { RobotDescription, RobotModel } from '../../core/kinematics/robotModel.ts';
import { Random } from '../../core/math/random.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { robotAllowedPairs } from '../../core/scene/allowedCollisions.ts';
import { JointsBetween } from '../../core/scene/uncheckedPairs.ts';
import { aloneWorld } from '../world.ts';
import { closestApproach } from './closestApproach.ts';
import { distantNeighbours } from './emptyLinks.ts';
import { findRestState, type RestState } from './restState.ts';

/** Options of `findAllowedPairs`. */
export interface AllowedPairOptions {
  /** Number of random states, uniform over the limits. */
  readonly samples: number;
  readonly seed: number;
}

/** Defaults of `AllowedPairOptions`. */
export const allowedPairDefaults: AllowedPairOptions = { samples: 10_000, seed: 1 };

/**
 * Reason why a pair of links need not be checked. `Adjacent`: a joint connects them; `Always`: they collide in every
 * sampled state; `Default`: they collide in the rest state, and are close in the tree or collide in nearly all sampled
 * states (see `isLoose`); `Never`: they are proved separated in all states within the limits, or collide in no sampled
 * state, and no search brought them near each other.
 */
export type PairReason = 'Adjacent' | 'Always' | 'Default' | 'Never';

/** Result for one pair of links. */
export interface PairFinding {
  /** Names of links, in the order of the file. */
  readonly a: string;
  readonly b: string;
  /** Undefined: the pair must be checked. */
  readonly reason: PairReason | undefined;
  /** Number of sampled states in which they collide; 0 for adjacent links, which are not checked. */
  readonly met: number;
  /** True if a state in which they collide was found; false for adjacent links. */
  readonly collides: boolean;
  /** True if the pair is proved separated in all states within the limits; its reason is then `Never`. */
  readonly isProved: boolean;
}

/** Result of `findAllowedPairs`. */
export interface AllowedPairFindings extends AllowedPairOptions {
  /** Links that have collision shapes, in the order of the file. */
  readonly links: readonly string[];
  /** Every pair of them, row by row below the diagonal. */
  readonly pairs: readonly PairFinding[];
  /**
   * With 95 % confidence, pairs that collide in no sampled state collide in less than this share of all states, and
   * pairs that collide in every sampled state in all but this share: the rule of three, 3 / samples.
   */
  readonly rate: number;
  /** The rest state: that of the robot, unless pairs that must be checked collide in it. */
  readonly rest: RestState;
  /**
   * Pairs that must be checked although the links between them have no collision geometry, so that they count as
   * adjacent unless the SRDF enables them.
   */
  readonly enabled: readonly (readonly [string, string])[];
}

/** Share of the sampled states above which two links count as colliding in nearly all states, as in MoveIt. */
const NEARLY_ALL = 0.95;
/** Most cells of the proofs of one pair of links, and of all pairs together. */
const MAX_CELLS = 20_000;
const ALL_CELLS = 200_000;

/**
 * Computes an allowed collision matrix by sampling and by proofs; the robot's SRDF is ignored. Equal robots, samples
 * and seeds give equal results. Joints without limits are sampled over a full turn, or over ± 1 m.
 */
export function findAllowedPairs(
  robot: RobotDescription,
  options: Partial<AllowedPairOptions> = {},
): AllowedPairFindings {
  const { samples, seed } = { ...allowedPairDefaults, ...options };
  const distant = distantNeighbours({ ...robot, allowed: [] }).map(({ links }) => links);
  const bare = { ...robot, allowed: [], checked: [...(robot.checked ?? []), ...distant] };
  const model = createRobotModel(bare);
  const { manager } = aloneWorld(model);
  const ranges = rangesOf(model);
  const collisions = countCollisions(manager, ranges, samples, seed);
  const metOf = (pair: readonly [string, string]) => collisions.get(keyOf(pair)) ?? 0;
  const tree = new JointsBetween(robot.joints);
  const isAlways = (pair: readonly [string, string]) => metOf(pair) === samples;
  const isLoose = (pair: readonly [string, string]) => mayTouchAtRest(tree, pair, metOf(pair) / samples);
  const rest = findRestState(robot, manager, ranges, { isAlways, isLoose }, new Random(seed, 3));
  const touching = new Set(rest.contacts.map(keyOf));
  const met = new Set([...touching, ...rest.avoided.map(keyOf)]);
  const adjacent = robotAllowedPairs(bare);
  const partPairs = pairsByLinks(manager.model);
  const links = robot.links.filter(({ collisions: shapes }) => shapes.length > 0).map(({ name }) => name);
  const all = links.flatMap((b, i) => links.slice(0, i).map((a) => [a, b] as const));
  const unmet = all.filter((pair) => !adjacent.has(...pair) && metOf(pair) === 0 && !met.has(keyOf(pair)));
  const cells = Math.min(MAX_CELLS, Math.ceil(ALL_CELLS / Math.max(1, unmet.length)));
  const proofs = new RangeProof(manager);
  const search = new Random(seed, 1);
  const pairs = all.map(([a, b]): PairFinding => {
    const key = keyOf([a, b]);
    const count = metOf([a, b]);
    const isMet = count > 0 || met.has(key);
    const finding = (reason: PairReason | undefined, collides = isMet, isProved = false) => ({
      a,
      b,
      reason,
      met: count,
      collides,
      isProved,
    });
    if (adjacent.has(a, b)) return finding('Adjacent');
    if (isAlways([a, b])) return finding('Always');
    if (touching.has(key) && isLoose([a, b])) return finding('Default');
    if (isMet) return finding(undefined);
    const separation = separationOf(manager, partPairs.get(key) ?? [], { proofs, cells, ranges, random: search });
    const isNever = separation === 'proved' || separation === 'far';
    return finding(isNever ? 'Never' : undefined, separation === 'colliding', separation === 'proved');
  });
  const isChecked = ([a, b]: readonly [string, string]) =>
    pairs.some((pair) => pair.reason === undefined && keyOf([pair.a, pair.b]) === keyOf([a, b]));
  return { links, pairs, samples, seed, rate: 3 / samples, rest, enabled: distant.filter(isChecked) };
}

/**
 * Returns true if two links may be allowed because they collide in the rest state: at most one movable joint lies
 * between them; or they collide in nearly all states, and are not on different branches with two or more movable joints
 * between each of them and their common link. All others would hide contacts.
 */
function mayTouchAtRest(tree: JointsBetween, [a, b]: readonly [string, string], share: number): boolean {
  const [ofA, ofB] = tree.counts(a, b);
  return ofA + ofB <= 1 || (share >= NEARLY_ALL && !tree.areOnArms(a, b));
}

function rangesOf({ variables }: RobotModel): [number, number][] {
  return variables.map(({ limits: { lower, upper }, type }): [number, number] => {
    const reach = type === 'prismatic' ? 1 : PI;
    return [Number.isFinite(lower) ? lower : -reach, Number.isFinite(upper) ? upper : reach];
  });
}

/** Counts the sampled states in which each pair of links collides. */
function countCollisions(
  manager: CollisionManager,
  ranges: readonly (readonly [number, number])[],
  samples: number,
  seed: number,
): Map<string, number> {
  const random = new Random(seed);
  const q = new Float64Array(ranges.length);
  const met = new Map<string, number>();
  for (let i = 0; i < samples; i++) {
    for (let j = 0; j < q.length; j++) q[j] = random.between(ranges[j][0], ranges[j][1]);
    for (const pair of manager.collidingPairs(q)) met.set(keyOf(pair), (met.get(keyOf(pair)) ?? 0) + 1);
  }
  return met;
}

/** Returns the pairs of convex parts of each pair of links. */
function pairsByLinks(model: CollisionModel): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (let pair = 0; pair < model.pairCount; pair++) {
    const key = keyOf(model.namesOf(pair));
    const known = found.get(key);
    if (known === undefined) found.set(key, [pair]);
    else known.push(pair);
  }
  return found;
}

const keyOf = ([a, b]: readonly [string, string]): string => JSON.stringify(a < b ? [a, b] : [b, a]);

/**
 * Relative to the greatest distance by which a radian of one joint moves the pair: links that a search brings nearer
 * than this, and that are not proved separated, may collide where the search did not come.
 */
const MARGIN = 0.005;

/** What the search for a collision of two links uses. */
interface SeparationSearch {
  readonly proofs: RangeProof;
  /** Number of cells of the proofs. */
  readonly cells: number;
  /** Lower and upper bound of each joint. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly random: Random;
}

/**
 * Decides whether two links can collide: `proved`: in no state within the limits; `far`: not proved, but no search
 * brought them near each other; `near`: neither; `colliding`: a state in which they collide was found.
 * @param pairs pairs of the manager's model between parts of the two links
 */
function separationOf(
  manager: CollisionManager,
  pairs: readonly number[],
  { proofs, cells, ranges, random }: SeparationSearch,
): 'proved' | 'far' | 'near' | 'colliding' {
  const share = Math.ceil(cells / Math.max(1, pairs.length));
  const results = pairs.map((pair) => ({ pair, ...proofs.prove(pair, share) }));
  const undecided = results.filter(({ verdict }) => verdict !== 'separated');
  if (undecided.length === 0) return 'proved';
  const margin = MARGIN * Math.max(...undecided.map(({ reach }) => reach));
  const distance = closestApproach(
    manager,
    undecided.map(({ pair }) => pair),
    ranges,
    random,
    undecided.flatMap(({ open }) => open),
  );
  if (distance <= 0) return 'colliding';
  return distance > margin ? 'far' : 'near'; // a joint without limits has an infinite reach
}
