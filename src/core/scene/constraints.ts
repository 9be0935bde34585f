import type { Pose } from '../kinematics/robotModel.ts';
import type { ToolCenterPoint } from '../kinematics/toolCenterPoint.ts';
import type { ShapeSpec } from '../shapes/shape.ts';

/** A direction fixed in a frame stays within an angle of a world direction. */
export interface TiltConstraint {
  /** Selects the constraint. */
  readonly type: 'tilt';
  /** Name in results; default: the type. */
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
  /** Selects the constraint. */
  readonly type: 'orientation';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** The frame; undefined: the tool center point. */
  readonly frame?: ToolCenterPoint;
  /** The orientation in the world. */
  readonly quat_wxyz: readonly [number, number, number, number];
  /** Radians; π or more: free. */
  readonly within: readonly [number, number, number];
}

/** The origin of a frame stays inside a convex shape in the world. */
export interface RegionConstraint {
  /** Selects the constraint. */
  readonly type: 'region';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** The frame; undefined: the tool center point. */
  readonly frame?: ToolCenterPoint;
  /** A convex shape, margin included; no mesh, and at most 60 points. */
  readonly shape: ShapeSpec;
  /** Pose of the shape in the world. */
  readonly pose: Pose;
}

/** The speed of the origin of a frame is limited. */
export interface SpeedConstraint {
  /** Selects the constraint. */
  readonly type: 'speed';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** The frame; undefined: the tool center point. */
  readonly frame?: ToolCenterPoint;
  /** m/s. */
  readonly most: number;
}

/** A joint stays within a range. */
export interface JointConstraint {
  /** Selects the constraint. */
  readonly type: 'joint';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** Name of a planned joint. */
  readonly joint: string;
  /** Radians or metres. */
  readonly range: readonly [number, number];
}

/** The speed of a joint is limited, in addition to its own limits. Stated as `safety: {joint_speed}`. */
export interface JointSpeedConstraint {
  /** Selects the constraint. */
  readonly type: 'joint_speed';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** Name of a planned joint. */
  readonly joint: string;
  /** rad/s or m/s. */
  readonly most: number;
}

/** A path constraint of a scene or of a step of a program. */
export type PathConstraint =
  | TiltConstraint
  | OrientationConstraint
  | RegionConstraint
  | SpeedConstraint
  | JointConstraint
  | JointSpeedConstraint;

/** A constraint that concerns motions over time only, not single states. */
export type RateConstraint = SpeedConstraint | JointSpeedConstraint;

/** Returns true for constraints that concern motions over time only. */
export const isRateConstraint = (given: PathConstraint): given is RateConstraint =>
  given.type === 'speed' || given.type === 'joint_speed';

/** Name of a constraint in results: its own, else its type. */
export const constraintLabel = ({ name, type }: PathConstraint) => name ?? type;
