import type { MassProperties, Pose, RobotModel } from '../kinematics/robotModel.ts';
import { tcpOf } from '../kinematics/toolCenterPoint.ts';
import { IDENTITY_POSE, type Scene } from './scene.ts';

/** A body that a link carries. */
export interface Load {
  /** Name of the link. */
  readonly link: string;
  /** Pose of the frame of `properties` in the frame of the link. */
  readonly pose: Pose;
  /** Mass properties. */
  readonly properties: MassProperties;
}

/** What a scene states about the loads of its robot. */
export type LoadedScene = Pick<Scene, 'attached' | 'payload' | 'tcp'>;

/** Returns the payload and the attached objects with mass that links of the robot carry. Throws as `tcpOf`. */
export function loadsOf(robot: RobotModel, { attached, payload, tcp }: LoadedScene): Load[] {
  const own = new Set(robot.links.map(({ name }) => name));
  const carried = attached.flatMap(({ link, pose, inertial }) =>
    inertial && own.has(link) ? [{ link, pose, properties: inertial }] : [],
  );
  if (payload === undefined) return carried;
  return [{ link: robot.links[tcpOf(robot, tcp).link].name, pose: IDENTITY_POSE, properties: payload }, ...carried];
}
