import { InputError, ownValue } from '../../errors.ts';
import { type Follower, statedLimits } from './followerLimits.ts';
import type { JointDescription, JointLimits, RobotDescription } from './robotModel.ts';

/** Indices of joints by name. */
const jointsByName = new WeakMap<RobotDescription, ReadonlyMap<string, number>>();

/** Returns a joint of a description, which may have changed since the last call. */
export function jointNamed(description: RobotDescription, name: string): JointDescription {
  const { joints } = description;
  const known = joints[jointsByName.get(description)?.get(name) ?? -1];
  if (known?.name === name) return known;
  const indices = new Map(joints.map((joint, i) => [joint.name, i]));
  jointsByName.set(description, indices);
  return joints[indices.get(name) ?? -1];
}

/** Independent joint at the end of a chain of mimics: value = multiplier · (value of `leader`) + offset. */
export interface Leader {
  readonly leader: string;
  readonly multiplier: number;
  readonly offset: number;
}

/** Returns the leader of each joint by its name. Throws `InputError` for mimics that lead to no independent joint. */
export const leadersOf = (description: RobotDescription): Map<string, Leader> =>
  new Map(description.joints.map((joint) => [joint.name, followMimics(description, joint)]));

function followMimics(description: RobotDescription, joint: JointDescription): Leader {
  let [leader, multiplier, offset] = [joint, 1, 0];
  for (let steps = 0; leader.mimic; steps++) {
    const { mimic } = leader;
    const next = jointNamed(description, mimic.joint);
    if (!next || steps > description.joints.length)
      throw new InputError(
        `robot "${description.name}": joint "${joint.name}" follows "${mimic.joint}", which leads to no ` +
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
