import { InputError, suggestion } from '../../errors.ts';
import { compose, create, type Transform } from '../math/transform.ts';
import type { RobotState } from './forwardKinematics.ts';
import { poseOfTransform, transformOfPose } from './pose.ts';
import type { Pose, RobotDescription, RobotModel } from './robotModel.ts';
import { tipLinks } from './tipLinks.ts';

/** Tool center point (TCP) as plain data: a frame fixed to a link. */
export interface ToolCenterPoint {
  /** Undefined: the last link of the planned chain, or the elbow. */
  readonly link?: string;
  /** True: the link is the elbow (`elbowLink`). */
  readonly isElbow?: boolean;
  /** Pose in the frame of the link. */
  readonly pose: Pose;
}

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
