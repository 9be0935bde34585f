import { InputError, suggestion } from '../../errors.ts';
import { compose, create, type Transform } from '../math/transform.ts';
import type { RobotState } from './forwardKinematics.ts';
import { poseOfTransform, transformOfPose } from './pose.ts';
import type { Pose, RobotDescription, RobotModel } from './robotModel.ts';

/** Tool center point (TCP) as plain data: a frame fixed to a link. */
export interface ToolCenterPoint {
  /** Undefined: the last link of the planned chain, or the elbow. */
  readonly link?: string;
  /** True: the link is the elbow (`elbowLink`). */
  readonly isElbow?: boolean;
  /** Pose in the frame of the link. */
  readonly pose: Pose;
}

/** The elbow. */
export const ELBOW: ToolCenterPoint = { isElbow: true, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } };

/** A frame fixed to a link. */
export interface LinkFrame {
  /** Index into `RobotModel.links`. */
  readonly link: number;
  /** Pose of the frame in the frame of the link. */
  readonly T_link_frame: Transform;
}

/**
 * Returns the frame of the tool center point: as stated, or else the frame of the last link of the planned chain
 * (`tipLinks`). Throws `InputError` if the link is unknown, or if none is stated and the robot has several ends.
 */
export function tcpOf(model: RobotModel, stated?: ToolCenterPoint): LinkFrame {
  const T_link_frame = stated === undefined ? create() : transformOfPose(stated.pose);
  if (stated?.isElbow) return { link: elbowLink(model), T_link_frame };
  if (stated?.link !== undefined) return { link: linkNamed(model, stated.link), T_link_frame };
  const tips = tipLinks(model);
  if (tips.length === 1) return { link: tips[0], T_link_frame };
  const names = tips.map((tip) => model.links[tip].name);
  throw new InputError(
    `the tool center point of "${model.name}" is ambiguous: it has several ends: ${names.join(', ')}`,
    `State it in the scene, for example tcp: {link: ${names[0]}}, or name the link that the pose is for.`,
  );
}

/**
 * Returns the link whose frame is the elbow: the child of the joint whose name begins with "elbow", else of the third
 * joint that moves by itself. Throws `InputError` if there is none.
 */
export function elbowLink({ description, links, name }: RobotModel): number {
  const elbow = elbowOf(description);
  if (elbow !== undefined) return links.findIndex((link) => link.name === elbow);
  throw new InputError(`"${name}" has no elbow`, 'It has fewer than three joints that move.');
}

/** Returns the name of the link of the elbow, as `elbowLink`; undefined if there is none. */
export function elbowOf({ joints }: Pick<RobotDescription, 'joints'>): string | undefined {
  const moving = joints.filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined);
  return (joints.find(({ name, type }) => type !== 'fixed' && name.startsWith('elbow')) ?? moving[2])?.child;
}

/** Returns the frame of a link, or of the tool center point if no link is given. Throws `InputError` as `tcpOf`. */
export function linkFrameOf(model: RobotModel, link: string | undefined, tcp?: ToolCenterPoint): LinkFrame {
  return link === undefined ? tcpOf(model, tcp) : { link: linkNamed(model, link), T_link_frame: create() };
}

/** Computes the pose of a frame in the world at the q of the last `forwardKinematics`. */
export function setFramePose(T_world_frame: Transform, state: RobotState, { link, T_link_frame }: LinkFrame): void {
  compose(T_world_frame, state.T_world_link[link], T_link_frame);
}

/** Returns the pose of a frame in the world at the q of the last `forwardKinematics`. */
export function framePose(state: RobotState, frame: LinkFrame): Pose {
  const T = create();
  setFramePose(T, state, frame);
  return poseOfTransform(T);
}

/** Returns the index of the link with this name. Throws `InputError` if it is unknown. */
export function linkNamed({ links, name }: RobotModel, link: string): number {
  const index = links.findIndex((one) => one.name === link);
  if (index >= 0) return index;
  const names = links.map((one) => one.name);
  throw new InputError(`"${name}" has no link "${link}"`, suggestion(link, names));
}

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
