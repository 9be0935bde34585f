import type { Pose } from '../kinematics/robotModel.ts';
import type { ToolCenterPoint } from '../kinematics/toolCenterPoint.ts';
import type { ShapeSpec } from '../shapes/shape.ts';

/** A direction fixed in a frame stays within an angle of a world direction. */
export interface TiltConstraint {
  readonly type: 'tilt';
  readonly name?: string;
  /** The frame; undefined: the tool center point. */
  readonly frame?: ToolCenterPoint;
  /** Unit vector in the frame. */
  readonly axis: readonly [number, number, number];
  /** Unit vector in the world. */
  readonly towards: readonly [number, number, number];
  /** Radians. */
  readonly within: number;
}

/** The rotation vector from an orientation in the world, in its axes, stays within an angle per component. */
export interface OrientationConstraint {
  readonly type: 'orientation';
  readonly name?: string;
  readonly frame?: ToolCenterPoint;
  readonly quat_wxyz: readonly [number, number, number, number];
  /** Radians; π or more: free. */
  readonly within: readonly [number, number, number];
}

/** The origin of a frame stays inside a convex shape in the world. */
export interface RegionConstraint {
  readonly type: 'region';
  readonly name?: string;
  readonly frame?: ToolCenterPoint;
  readonly shape: ShapeSpec;
  readonly pose: Pose;
}

/** The speed of the origin of a frame is limited. */
export interface SpeedConstraint {
  readonly type: 'speed';
  readonly name?: string;
  readonly frame?: ToolCenterPoint;
  /** m/s. */
  readonly most: number;
}

/** A joint stays within a range. */
export interface JointConstraint {
  readonly type: 'joint';
  readonly name?: string;
  readonly joint: string;
  /** Radians or metres. */
  readonly range: readonly [number, number];
}

/** A path constraint of a scene or of a step of a program. */
export type PathConstraint =
  | TiltConstraint
  | OrientationConstraint
  | RegionConstraint
  | SpeedConstraint
  | JointConstraint;

/** Name of a constraint in results: its own, else its type. */
export const constraintLabel = ({ name, type }: PathConstraint) => name ?? type;
