import type { RobotModel } from './robotModel.ts';

/**
 * Index of the last link of the planned chain: of the links behind the most planned joints, the one that is farthest
 * behind the last of these joints over fixed joints alone; the first in the order of the model if several are equally
 * far.
 */
export function tipLink({ links, joints, variables }: RobotModel): number {
  // Of each link: the planned joints between it and the root, and the fixed ones behind the last of these; −1 behind
  // any other joint.
  const planned = new Int32Array(links.length);
  const fixed = new Int32Array(links.length);
  let tip = 0;
  for (const { index, parent, joint } of links) {
    if (parent < 0) continue;
    const { name, type, variable } = joints[joint];
    // mimic joints have the variable of another joint
    const isPlanned = variable >= 0 && variables[variable].name === name;
    planned[index] = planned[parent] + (isPlanned ? 1 : 0);
    fixed[index] = isPlanned ? 0 : type === 'fixed' && fixed[parent] >= 0 ? fixed[parent] + 1 : -1;
    const isFarther = planned[index] === planned[tip] && fixed[index] > fixed[tip];
    if (planned[index] > planned[tip] || isFarther) tip = index;
  }
  return tip;
}
