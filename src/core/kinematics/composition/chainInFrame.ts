import { compose, create, invert, type Transform } from '../../math/transform.ts';
import type { Joint, Link, PlannedJoint, RobotModel } from '../robotModel.ts';
import type { LinkFrame } from '../toolCenterPoint.ts';

/** The joints between a frame and a tool as a robot of its own, whose world is the frame. */
export interface FrameChain {
  readonly model: RobotModel;
  readonly tool: LinkFrame;
  /** Indices of the planned joints that move the frame, but not the tool. */
  readonly ofFrame: readonly number[];
}

/** A joint at the tool that no motor moves: a rotation that a task leaves free. */
export interface FreeJoint {
  readonly name: string;
  readonly axis: readonly [number, number, number];
  /** Largest angle in both directions, radians. */
  readonly most: number;
}

/**
 * Returns the chain of joints from a frame to a tool: its forward kinematics is the pose of the tool in the frame. q
 * has the values of all planned joints, then those of the free joints. If the frame is a link, the joints between it
 * and the common ancestor with the tool are passed backwards: T_child_parent(q) = M(−q) T_parent_joint⁻¹, with M the
 * motion of the joint.
 * @param frame index of a link, or the pose of a frame in the world that does not move
 */
export function chainInFrame(
  robot: RobotModel,
  tool: LinkFrame,
  frame: number | Transform,
  free: readonly FreeJoint[] = [],
): FrameChain {
  const chain = new ChainBuilder();
  const down = linksAbove(robot, tool.link);
  const ofFrame: number[] = [];
  if (typeof frame === 'number') {
    const up = linksAbove(robot, frame);
    while (up.length > 0 && down.length > 0 && up[0] === down[0]) {
      up.shift();
      down.shift();
    }
    for (const link of up.reverse()) {
      const joint = robot.joints[robot.links[link].joint];
      chain.addReversed(joint);
      if (joint.variable >= 0) ofFrame.push(joint.variable);
    }
  } else {
    invert(chain.T_world_root, frame);
    compose(chain.T_world_root, chain.T_world_root, robot.T_world_root);
  }
  for (const link of down) chain.add(robot.joints[robot.links[link].joint]);
  let { T_link_frame } = tool;
  for (const [k, { name, axis }] of free.entries()) {
    chain.add({
      ...fixedJoint(name, T_link_frame),
      type: 'revolute',
      axis: Float64Array.from(axis),
      variable: robot.dof + k,
    });
    T_link_frame = create();
  }
  const variables = [...robot.variables, ...free.map(freeVariable)];
  const { links, joints, T_world_root } = chain;
  const model = { ...robot, dof: variables.length, variables, joints, links, T_world_root };
  return { model, tool: { link: links.length - 1, T_link_frame }, ofFrame };
}

/** Returns the links from the child of the root to a link. */
function linksAbove({ links }: RobotModel, link: number): number[] {
  const above: number[] = [];
  for (let l = link; links[l].parent >= 0; l = links[l].parent) above.unshift(l);
  return above;
}

/** Returns true if a planned joint moves a link. */
export const isMovedLink = (robot: RobotModel, link: number): boolean =>
  linksAbove(robot, link).some((l) => robot.joints[robot.links[l].joint].variable >= 0);

const freeVariable = ({ name, most }: FreeJoint): PlannedJoint => ({
  name,
  type: 'revolute',
  limits: {
    lower: -most,
    upper: most,
    velocity: Number.POSITIVE_INFINITY,
    acceleration: Number.POSITIVE_INFINITY,
    jerk: Number.POSITIVE_INFINITY,
  },
  effort: Number.POSITIVE_INFINITY,
  accelerationAssumed: false,
});

type ChainJoint = Omit<Joint, 'parent' | 'child'>;

const fixedJoint = (name: string, T_parent_joint: Transform): ChainJoint => ({
  name,
  type: 'fixed',
  T_parent_joint,
  axis: Float64Array.of(1, 0, 0),
  variable: -1,
  multiplier: 1,
  offset: 0,
});

/** Collects the joints of a chain, each with a link of its own. */
class ChainBuilder {
  readonly links: Link[] = [{ name: 'frame', index: 0, parent: -1, joint: -1, parts: [] }];
  readonly joints: Joint[] = [];
  readonly T_world_root = create();

  add(joint: ChainJoint): void {
    const parent = this.links.length - 1;
    const child = parent + 1;
    this.joints.push({ ...joint, parent, child });
    this.links.push({ name: joint.name, index: child, parent, joint: child - 1, parts: [] });
  }

  /** Adds a joint from its child to its parent. */
  addReversed(joint: Joint): void {
    const T_joint_parent = create();
    invert(T_joint_parent, joint.T_parent_joint);
    this.add({ ...joint, T_parent_joint: create(), multiplier: -joint.multiplier, offset: -joint.offset });
    this.add(fixedJoint(joint.name, T_joint_parent));
  }
}
