import { compose, create, type Transform } from '../math/transform.ts';
import type { RobotModel } from './robotModel.ts';

/** Name of the tool frame of an arm by the convention of ROS-Industrial. */
const TOOL_FRAME = 'tool0';
/** Absolute, m and entries of rotations: frames that differ by less are the same frame. */
const SAME_FRAME = 1e-9;

/**
 * Returns the last link of the planned chain, or several if that is ambiguous. If all joints that move are on one
 * chain: of the links that are fixed to the child of its last joint, this child included, the one named `tool0`, else
 * the last one; several if there are different ends. Otherwise the ends of all chains, unless these are the fingers of
 * a gripper with a link named `tool0`: then that one.
 */
export function tipLinks(model: RobotModel): readonly number[] {
  const { links } = model;
  const moving = links.filter(({ index }) => moves(model, index)).map(({ index }) => index);
  const last = moving.filter((link) => !moving.some((other) => other !== link && isBehind(model, other, link)));
  if (last.length === 0) return [0];
  const tool = links.find(({ name }) => name === TOOL_FRAME);
  if (last.length > 1 && tool !== undefined) {
    const anchor = anchorOf(model, tool.index);
    if (moving.every((link) => isBehind(model, link, anchor) || isBehind(model, anchor, link))) return [tool.index];
  }
  return last.flatMap((link) => fixedEnds(model, link));
}

/** True if a planned joint, or one that follows it, moves the link relative to its parent. */
const moves = ({ links, joints }: RobotModel, link: number) =>
  links[link].joint >= 0 && joints[links[link].joint].variable >= 0;

/** True if the link is the other one or a descendant of it. */
function isBehind({ links }: RobotModel, link: number, other: number): boolean {
  let l = link;
  while (l > other) l = links[l].parent; // parents come first
  return l === other;
}

/** Returns the nearest moving link above a link, or the link itself if it moves; the root if there is none. */
function anchorOf(model: RobotModel, link: number): number {
  let l = link;
  while (model.links[l].parent >= 0 && !moves(model, l)) l = model.links[l].parent;
  return l;
}

/** Returns the tool frame or the ends of the links that are fixed to a link; ends at the same pose count once. */
function fixedEnds(model: RobotModel, from: number): number[] {
  const { links, joints } = model;
  const poses = new Map<number, Transform>([[from, create()]]);
  const inner = new Set<number>();
  for (const { index, parent, joint } of links) {
    const T_from_parent = poses.get(parent); // parents come first
    if (T_from_parent === undefined || joints[joint].type !== 'fixed') continue;
    const T = create();
    compose(T, T_from_parent, joints[joint].T_parent_joint);
    poses.set(index, T);
    inner.add(parent);
  }
  const tool = [...poses.keys()].find((link) => links[link].name === TOOL_FRAME);
  if (tool !== undefined) return [tool];
  const ends = [...poses.keys()].filter((link) => !inner.has(link));
  return ends.filter((link, i) => !ends.slice(0, i).some((other) => isSame(poses.get(link)!, poses.get(other)!)));
}

const isSame = (A: Transform, B: Transform) => A.every((value, i) => Math.abs(value - B[i]) <= SAME_FRAME);
