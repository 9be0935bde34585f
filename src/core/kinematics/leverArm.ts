import type { Joint, RobotModel } from './robotModel.ts';

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
