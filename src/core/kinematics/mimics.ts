import { InputError, ownValue } from '../../errors.ts';
import { type Follower, statedLimits } from './followerLimits.ts';
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
