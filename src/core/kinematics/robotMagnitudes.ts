import { InputError } from '../../errors.ts';
import { jointValueProblem, lengthProblem, MAX_JOINT_VALUE, mimicProblem } from '../math/magnitudes.ts';
import type { Transform } from '../math/transform.ts';
import type { Joint, PlannedJoint, RobotModel } from './robotModel.ts';

/**
 * Throws InputError unless every link stays within the bound on positions, whatever the joints do within their limits:
 * the offsets along the chain, the travel of its slides and the pose of the root are added up. A slide without limits
 * counts with the bound on joint values.
 */
export function requireMagnitudes({
  name,
  links,
  joints,
  variables,
  T_world_root,
  fixed,
}: Pick<RobotModel, 'name' | 'links' | 'joints' | 'variables' | 'T_world_root' | 'fixed'>): void {
  for (const [joint, value] of Object.entries(fixed)) {
    const problem = jointValueProblem(value);
    if (problem !== undefined) throw new InputError(`robot.fixed: joint "${joint}" is ${value}, which ${problem}`);
  }
  const reach = [offsetOf(T_world_root)];
  for (const joint of joints) {
    const problem = mimicProblem(joint.multiplier, joint.offset);
    if (problem !== undefined) throw new InputError(`robot "${name}": joint "${joint.name}": ${problem}`);
    reach[joint.child] = reach[joint.parent] + offsetOf(joint.T_parent_joint) + travelOf(joint, variables);
  }
  for (const { index, name: link, parts } of links) {
    const offsets = parts.map(({ T_link_part }) => offsetOf(T_link_part));
    const farthest = offsets.reduce((most, offset) => Math.max(most, offset), 0);
    if (lengthProblem(reach[index] + farthest) === undefined) continue;
    throw new InputError(
      `robot "${name}": link "${link}" may be ${reach[index] + farthest} m from the origin, which exceeds the ` +
        'bound of 1e7 m on positions',
      'Origins along the chain, ranges of prismatic joints and the pose of the robot are added up.',
    );
  }
}

/** Greatest distance (m) that a slide moves its link; 0 for other joints. */
export function travelOf({ type, variable, multiplier, offset }: Joint, variables: readonly PlannedJoint[]): number {
  if (type !== 'prismatic') return 0;
  if (variable < 0) return Math.abs(offset);
  const { lower, upper } = variables[variable].limits;
  const farthest = Math.min(Math.max(Math.abs(lower), Math.abs(upper)), MAX_JOINT_VALUE);
  return Math.abs(multiplier) * farthest + Math.abs(offset);
}

const offsetOf = (T: Transform): number => Math.sqrt(T[3] * T[3] + T[7] * T[7] + T[11] * T[11]);

/**
 * Upper bound, in metres, on the distance of any point of the robot from the axis of a revolute joint that moves it.
 */
export function longestLever(model: RobotModel): number {
  const extents = new Float64Array(model.links.length);
  let longest = 0;
  // Children before parents: links are sorted parents first.
  for (let link = model.links.length - 1; link >= 0; link--) {
    const { parts, joint, parent } = model.links[link];
    for (const { shape, T_link_part } of parts)
      extents[link] = Math.max(extents[link], lengthOf(T_link_part) + shape.outerRadius);
    if (parent < 0) continue;
    const above = model.joints[joint];
    const turns = above.variable >= 0 && above.type !== 'prismatic';
    if (turns) longest = Math.max(longest, extents[link]);
    const away = lengthOf(above.T_parent_joint) + slideOf(model, above) + extents[link];
    extents[parent] = Math.max(extents[parent], away);
  }
  return longest;
}

const lengthOf = (T: Float64Array) => Math.sqrt(T[3] * T[3] + T[7] * T[7] + T[11] * T[11]);

/** Maximum displacement by a prismatic joint; 0 for revolute joints and for unlimited ones. */
function slideOf({ variables }: RobotModel, { type, variable, multiplier, offset }: Joint): number {
  if (type !== 'prismatic') return 0;
  if (variable < 0) return Math.abs(offset);
  const { lower, upper } = variables[variable].limits;
  const most = Math.max(Math.abs(multiplier * lower + offset), Math.abs(multiplier * upper + offset));
  return Number.isFinite(most) ? most : 0;
}
