import { InputError, ownValue } from '../../errors.ts';
import type { JointDescription, JointLimits, RobotDescription } from './robotModel.ts';

/** Joints of a description by name. */
export type JointsByName = ReadonlyMap<string, JointDescription>;

/** Independent joint at the end of a chain of mimics: value = multiplier · (value of `leader`) + offset. */
export interface Leader {
  readonly leader: string;
  readonly multiplier: number;
  readonly offset: number;
}

/** Returns the leader of each joint by its name. Throws `InputError` for mimics that lead to no independent joint. */
export const leadersOf = (robotName: string, byName: JointsByName): Map<string, Leader> =>
  new Map([...byName].map(([name, joint]) => [name, followMimics(robotName, joint, byName)]));

function followMimics(robotName: string, joint: JointDescription, byName: JointsByName): Leader {
  let [leader, multiplier, offset] = [joint, 1, 0];
  for (let steps = 0; leader.mimic; steps++) {
    const { mimic } = leader;
    const next = byName.get(mimic.joint);
    if (!next || steps > byName.size)
      throw new InputError(
        `robot "${robotName}": joint "${joint.name}" follows "${mimic.joint}", which leads to no ` +
          'independent joint',
        'The last joint of a mimic chain must be independent.',
      );
    offset += multiplier * mimic.offset;
    multiplier *= mimic.multiplier;
    leader = next;
  }
  return { leader: leader.name, multiplier, offset };
}

/** Rad or m: a stated value of a follower may differ by this from the one that it has. */
const FOLLOWER_TOLERANCE = 1e-6;

/**
 * Returns what contradicts a stated value of a joint that follows another one; undefined if it has that value.
 * @param values stated values of joints; a leader without one is at 0
 */
export function followerContradiction(
  name: string,
  values: ReadonlyMap<string, number>,
  leaders: ReadonlyMap<string, Leader>,
): string | undefined {
  const { leader, multiplier, offset } = leaders.get(name)!;
  const expected = multiplier * (values.get(leader) ?? 0) + offset;
  if (leader === name || Math.abs(values.get(name)! - expected) <= FOLLOWER_TOLERANCE) return undefined;
  return `it follows ${JSON.stringify(leader)} (mimic) and has ${expected}`;
}

/** Returns the joints that follow each joint (mimic), by its name, with their stated limits. */
export function followersOf(
  { joints }: RobotDescription,
  leaders: ReadonlyMap<string, Leader>,
  limits: Readonly<Record<string, Partial<JointLimits>>>,
): Map<string, Follower[]> {
  const followers = new Map<string, Follower[]>();
  for (const joint of joints) {
    if (!joint.mimic || joint.type === 'fixed') continue;
    const { leader, ...factors } = leaders.get(joint.name)!;
    const list = followers.get(leader) ?? [];
    followers.set(leader, list);
    const given = ownValue(limits, joint.name) ?? {};
    const isRangeGiven = given.lower !== undefined || given.upper !== undefined;
    list.push({ name: joint.name, ...factors, limits: statedLimits(joint, given), isRangeGiven });
  }
  return followers;
}

/** A mimic joint: its value is multiplier · (value of the planned joint that it follows) + offset. */
export interface Follower {
  /** Name of the mimic joint. */
  readonly name: string;
  readonly multiplier: number;
  readonly offset: number;
  /** Its own limits; undefined: none is stated. */
  readonly limits: Partial<JointLimits>;
  /** True if the range is given beside the robot description, by the scene. */
  readonly isRangeGiven: boolean;
}

/** Limits of a planned joint, and the names of the followers that narrow them. */
export interface FollowedLimits {
  readonly limits: JointLimits;
  readonly narrowedBy: readonly string[];
  /** Names of the followers whose ranges are not applied: they leave the joint at most one value. */
  readonly contradictedBy: readonly string[];
}

/**
 * Returns the stated limits of a mimic joint. Rates of 0 count as not stated: files state them for joints without a
 * drive.
 */
function statedLimits(
  { type, lower, upper, velocity, acceleration, jerk }: JointDescription,
  given: Partial<JointLimits>,
): Partial<JointLimits> {
  const range = type === 'continuous' ? {} : { lower, upper };
  const rates = { velocity, acceleration, jerk };
  const stated = Object.entries({ ...range, ...rates, ...given }).filter(
    ([kind, value]) => value !== undefined && !(value === 0 && Object.hasOwn(rates, kind)),
  );
  return Object.fromEntries(stated);
}

/**
 * Narrows the limits of a planned joint so that all joints that follow it keep their own limits. Published grippers
 * state ranges of mirrored fingers with the wrong sign: a range of the description that would leave the joint at most
 * one value is not applied. One that is given beside the description is.
 */
export function limitsWithFollowers(own: JointLimits, followers: readonly Follower[]): FollowedLimits {
  let limits = own;
  const narrowedBy: string[] = [];
  const contradictedBy: string[] = [];
  for (const follower of followers) {
    const all = narrowed(limits, follower);
    const isContradiction = !(all.lower < all.upper) && limits.lower < limits.upper && !follower.isRangeGiven;
    const next = isContradiction ? { ...all, lower: limits.lower, upper: limits.upper } : all;
    if (isContradiction) contradictedBy.push(follower.name);
    const kinds = (Object.keys(own) as (keyof JointLimits)[]).filter((kind) => !isEqual(next[kind], limits[kind]));
    if (kinds.length > 0) narrowedBy.push(follower.name);
    limits = { ...limits, ...Object.fromEntries(kinds.map((kind) => [kind, next[kind]])) };
  }
  return { limits, narrowedBy, contradictedBy };
}

/** Relative: limits that differ by less differ by the rounding of a quotient only, such as 2.4 / 3 and 0.8. */
const ROUNDING = 1e-12;

const isEqual = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= ROUNDING * Math.min(Math.abs(a), Math.abs(b));

function narrowed(limits: JointLimits, { multiplier, offset, limits: own }: Follower): JointLimits {
  if (multiplier === 0) return limits; // the follower does not move
  const { lower = Number.NEGATIVE_INFINITY, upper = Number.POSITIVE_INFINITY } = own;
  const ends = [(lower - offset) / multiplier, (upper - offset) / multiplier];
  const rate = (kind: 'velocity' | 'acceleration' | 'jerk') =>
    Math.min(limits[kind], (own[kind] ?? Number.POSITIVE_INFINITY) / Math.abs(multiplier));
  return {
    lower: Math.max(limits.lower, Math.min(...ends)),
    upper: Math.min(limits.upper, Math.max(...ends)),
    velocity: rate('velocity'),
    acceleration: rate('acceleration'),
    jerk: rate('jerk'),
  };
}
