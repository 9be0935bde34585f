import { createRobotModel, type RobotOptions } from '../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';

type Triple = readonly [number, number, number];

/** A chain of joints, each on the link of the one before; links are named link0, link1, … */
export function chainOf(
  joints: readonly (Partial<JointDescription> & { readonly at?: Triple })[],
  options: RobotOptions = {},
): RobotModel {
  const description: RobotDescription = {
    name: 'chain',
    root: 'link0',
    links: Array.from({ length: joints.length + 1 }, (_, i) => ({ name: `link${i}`, collisions: [] })),
    joints: joints.map(({ at = [0, 0, 0], ...more }, i) => ({
      name: `joint${i + 1}`,
      type: 'revolute',
      parent: `link${i}`,
      child: `link${i + 1}`,
      origin: { xyz: at, quat_wxyz: [1, 0, 0, 0] },
      axis: [0, 0, 1],
      lower: -Math.PI,
      upper: Math.PI,
      ...more,
    })),
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  };
  return createRobotModel(description, options);
}

/** Two turning joints about z and two links, 0.5 m and 0.2 m; link3 is the tip. */
export const planarArm = (): RobotModel => chainOf([{}, { at: [0.5, 0, 0] }, { at: [0.2, 0, 0], type: 'fixed' }]);
