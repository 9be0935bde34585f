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

/** How allowed pairs are looked for. */
export interface AllowedPairOptions {
  /** Random states, spread evenly over the limits. */
  readonly samples: number;
  readonly seed: number;
}

export const allowedPairDefaults: AllowedPairOptions = { samples: 10_000, seed: 1 };

/**
 * Why a pair of links may be left unchecked: a joint holds them together; they met in every state; they meet where the robot stands at
 * rest, so that it could never start; they met in no state, nor could a search bring them together. Undefined: the pair has to be checked.
 */
export type PairReason = 'Adjacent' | 'Always' | 'Default' | 'Never';

export interface PairFinding {
  /** Names of links, in the order of the file. */
  readonly a: string;
  readonly b: string;
  readonly reason: PairReason | undefined;
  /** States in which they met; 0 for adjacent links, which are not looked at. */
  readonly met: number;
}

export interface AllowedPairFindings extends AllowedPairOptions {
  /** Links that have collision shapes, in the order of the file. */
  readonly links: readonly string[];
  /** Every pair of them, row by row below the diagonal. */
  readonly pairs: readonly PairFinding[];
  /**
   * With 95 % confidence, what met in no state meets in less than this share of all states, and what met in every state in all but this
   * share: the rule of three, 3 / samples.
   */
  readonly rate: number;
}

/**
 * Which pairs of links may be left unchecked, found by looking, whatever the robot's SRDF says. Equal robots, samples and seeds give
 * equal answers. Joints without limits are turned all the way, or slid by 1 m.
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
  const met = countMeetings(manager, ranges, samples, seed);
  const atRest = new Set(restStates(robot, model).flatMap((q) => manager.collidingPairs(q).map(keyOf)));
  const adjacent = robotAllowedPairs(bare);
  const partPairs = pairsByLinks(manager.model);
  const search = new Random(seed, 1);
  const links = robot.links.filter(({ collisions }) => collisions.length > 0).map(({ name }) => name);
  const pairs = links.flatMap((b, i) =>
    links.slice(0, i).map((a): PairFinding => {
      if (adjacent.has(a, b)) return { a, b, reason: 'Adjacent', met: 0 };
      const key = keyOf([a, b]);
      const count = met.get(key) ?? 0;
      if (count === samples) return { a, b, reason: 'Always', met: count };
      if (atRest.has(key)) return { a, b, reason: 'Default', met: count };
      const apart = count === 0 && closestApproach(manager, partPairs.get(key) ?? [], ranges, search) > 0;
      return { a, b, reason: apart ? 'Never' : undefined, met: count };
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

function countMeetings(
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

/** The pairs of parts of each two links. */
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

/** Where the robot stands when nobody has moved it: its state `home` where the SRDF has one, or else zero, moved into the limits. */
function restStates({ states }: RobotDescription, { variables }: RobotModel): Configuration[] {
  const home = Object.hasOwn(states, 'home') ? states['home'] : {};
  return [
    Float64Array.from(variables, ({ name, limits }) =>
      Math.min(Math.max(ownValue(home, name) ?? 0, limits.lower), limits.upper),
    ),
  ];
}

const keyOf = ([a, b]: readonly [string, string]): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);
