import type { AngleTolerance } from '../kinematics/pose.ts';

/**
 * Configuration in a scene file: all values in the order of q, values by joint name, or the name of an SRDF state.
 * Joints without a value are 0 in a start, and keep their value at the start of the motion in a goal.
 */
export type JointGoal = readonly number[] | Readonly<Record<string, number>> | string;

/** Goal pose of a link or of the tool center point: metres, quaternion w, x, y, z. */
export interface PoseGoal {
  /** Link whose frame is to be there; undefined: the tool center point. */
  readonly link?: string;
  /** Position in the world, or in the frame of `relativeTo`, metres. */
  readonly xyz: readonly [number, number, number];
  /** Orientation in the same frame: unit quaternion w, x, y, z. */
  readonly quat_wxyz: readonly [number, number, number, number];
  /** Obstacle in whose frame the pose is given; undefined: the world. */
  readonly relativeTo?: string;
  /** Maximum pose error: metres, radians. */
  readonly tolerance: { readonly position: number; readonly angle: AngleTolerance };
}

/** A goal of a scene: a configuration, or a pose. */
export type Goal =
  | { readonly kind: 'joints'; readonly joints: JointGoal }
  | { readonly kind: 'pose'; readonly pose: PoseGoal };
