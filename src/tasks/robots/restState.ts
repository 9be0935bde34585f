import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { RobotDescription, RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Random } from '../../core/math/random.ts';
import { ownValue } from '../../errors.ts';

type Pair = readonly [string, string];

/** Rest state of a robot. */
export interface RestState {
  /** Joint values by name; undefined if no state without contacts of pairs that must be checked was found. */
  readonly values: Readonly<Record<string, number>> | undefined;
  /** Name of the state: `home`, or another one if the robot has a state of that name in which such pairs collide. */
  readonly name: string;
  /** Pairs that must be checked and collide in `home` of the robot, or at zero; empty: that is the rest state. */
  readonly avoided: readonly Pair[];
  /** Pairs that collide in the rest state. */
  readonly contacts: readonly Pair[];
}

/** What is known about pairs of links before the rest state is chosen. */
export interface PairRules {
  /** True for pairs that collide in all states. */
  readonly isAlways: (pair: Pair) => boolean;
  /** True for pairs that may be allowed because they collide in the rest state. */
  readonly isLoose: (pair: Pair) => boolean;
}

/** Steps away from the given state, as fractions of each joint range, and states that are tried at each. */
const STEPS = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1];
const TRIES = 200;

/**
 * Chooses the rest state of a robot: `home` of its states, or zero within the limits, if only pairs collide in it that
 * may be allowed for this reason. Otherwise searches for a state near it in which no pair collides, or else only pairs
 * that may be allowed. Values of the state that is found have three decimals.
 * @param ranges lower and upper bound of each joint
 */
export function findRestState(
  robot: RobotDescription,
  manager: CollisionManager,
  ranges: readonly (readonly [number, number])[],
  { isAlways, isLoose }: PairRules,
  random: Random,
): RestState {
  const { variables } = manager.model.robot;
  const given = givenRest(robot, variables);
  const contactsAt = (q: Configuration) => manager.collidingPairs(q).filter((pair) => !isAlways(pair));
  const contacts = contactsAt(given);
  const avoided = contacts.filter((pair) => !isLoose(pair));
  const named = (q: Configuration) => Object.fromEntries(variables.map(({ name }, i) => [name, q[i] + 0]));
  if (avoided.length === 0) return { values: named(given), name: 'home', avoided, contacts };
  const hasHome = Object.hasOwn(robot.states, 'home');
  const name = hasHome ? freeName('rest', robot.states) : 'home';
  let second: { q: Configuration; found: Pair[] } | undefined;
  for (const step of STEPS) {
    for (let i = 0; i < TRIES; i++) {
      const q = stepFrom(given, step, ranges, random);
      const found = contactsAt(q);
      if (found.length === 0) return { values: named(q), name, avoided, contacts: [] };
      if (second === undefined && found.every(isLoose)) second = { q, found };
    }
    if (second !== undefined) return { values: named(second.q), name, avoided, contacts: second.found };
  }
  return { values: undefined, name, avoided, contacts };
}

/** Returns `home` of the robot if it exists, else zero, within the limits. */
function givenRest({ states }: RobotDescription, variables: RobotModel['variables']): Configuration {
  const home = Object.hasOwn(states, 'home') ? states['home'] : {};
  return Float64Array.from(variables, ({ name, limits }) =>
    Math.min(Math.max(ownValue(home, name) ?? 0, limits.lower), limits.upper),
  );
}

/** Returns a random state at most `step` times the range of each joint away; about half of the joints do not move. */
function stepFrom(
  from: Configuration,
  step: number,
  ranges: readonly (readonly [number, number])[],
  random: Random,
): Configuration {
  return Float64Array.from(ranges, ([lower, upper], i) => {
    const moved = from[i] + (random.between(0, 1) < 0.5 ? 0 : step * random.between(-1, 1) * (upper - lower));
    const within = Math.min(Math.max(moved, lower), upper);
    const short = Math.floor(within * 1000 + 0.5) / 1000;
    return short >= lower && short <= upper ? short : within;
  });
}

/** Returns a name that no state has: `name`, `name_2`, … */
function freeName(name: string, states: RobotDescription['states']): string {
  let free = name;
  for (let i = 2; Object.hasOwn(states, free); i++) free = `${name}_${i}`;
  return free;
}
