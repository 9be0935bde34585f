import type { Joint, RobotModel } from './robotModel.ts';

/** Metres that any point of the robot can at most be away from the axis of a turning joint that moves it; a bound, by lengths alone. */
export function longestLever(model: RobotModel): number {
  const extents = new Float64Array(model.links.length);
  let longest = 0;
  // Children before parents: links are sorted the other way round.
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

/** How far a slide can carry its link; 0 for joints that turn, and for slides without end. */
function slideOf({ variables }: RobotModel, { type, variable, multiplier, offset }: Joint): number {
  if (type !== 'prismatic') return 0;
  if (variable < 0) return Math.abs(offset);
  const { lower, upper } = variables[variable].limits;
  const most = Math.max(Math.abs(multiplier * lower + offset), Math.abs(multiplier * upper + offset));
  return Number.isFinite(most) ? most : 0;
}
