import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { ownValue } from '../../errors.ts';
import { createRobotModel } from '../../kinematics/createRobotModel.ts';
import type { RobotDescription, RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Random } from '../../math/random.ts';
import { PI } from '../../math/trigonometry.ts';
import { robotAllowedPairs } from '../../scene/allowedCollisions.ts';
import { closestApproach } from './closestApproach.ts';

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
 * sampled state; `Default`: they collide in the rest state, so that no motion could start there; `Never`: they collide
 * in no sampled state and a search found no collision.
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
}

/**
 * Computes an allowed collision matrix by sampling; the robot's SRDF is ignored. Equal robots, samples and seeds give
 * equal results. Joints without limits are sampled over a full turn, or over ± 1 m.
 */
export function findAllowedPairs(
  robot: RobotDescription,
  options: Partial<AllowedPairOptions> = {},
): AllowedPairFindings {
  const { samples, seed } = { ...allowedPairDefaults, ...options };
  const bare = { ...robot, allowed: [] };
  const model = createRobotModel(bare);
  const manager = new CollisionManager(
    new CollisionModel(model, { obstacles: [], attached: [], allow: [], padding: 0 }),
  );
  const ranges = rangesOf(model);
  const collisions = countCollisions(manager, ranges, samples, seed);
  const atRest = new Set(restStates(robot, model).flatMap((q) => manager.collidingPairs(q).map(keyOf)));
  const adjacent = robotAllowedPairs(bare);
  const partPairs = pairsByLinks(manager.model);
  const search = new Random(seed, 1);
  const links = robot.links.filter(({ collisions }) => collisions.length > 0).map(({ name }) => name);
  const pairs = links.flatMap((b, i) =>
    links.slice(0, i).map((a): PairFinding => {
      if (adjacent.has(a, b)) return { a, b, reason: 'Adjacent', met: 0 };
      const key = keyOf([a, b]);
      const count = collisions.get(key) ?? 0;
      if (count === samples) return { a, b, reason: 'Always', met: count };
      if (atRest.has(key)) return { a, b, reason: 'Default', met: count };
      const neverCollides = count === 0 && closestApproach(manager, partPairs.get(key) ?? [], ranges, search) > 0;
      return { a, b, reason: neverCollides ? 'Never' : undefined, met: count };
    }),
  );
  return { links, pairs, samples, seed, rate: 3 / samples };
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

/** Returns the rest state: `home` of the SRDF if it exists, else zero, clamped to the limits. */
function restStates({ states }: RobotDescription, { variables }: RobotModel): Configuration[] {
  const home = Object.hasOwn(states, 'home') ? states['home'] : {};
  return [
    Float64Array.from(variables, ({ name, limits }) =>
      Math.min(Math.max(ownValue(home, name) ?? 0, limits.lower), limits.upper),
    ),
  ];
}

const keyOf = ([a, b]: readonly [string, string]): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);
