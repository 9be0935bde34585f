import type { Transform } from '../math/transform.ts';
import type { Vec3 } from '../math/vec3.ts';
import type { ConvexShape, ShapeSpec } from '../shapes/shape.ts';

export type JointType = 'revolute' | 'continuous' | 'prismatic' | 'fixed';

/** Pose as plain data: position in metres, unit quaternion w, x, y, z. */
export interface Pose {
  readonly xyz: readonly [number, number, number];
  readonly quat_wxyz: readonly [number, number, number, number];
}

/** Limits of one joint in rad or m, per s, s², s³. ±Infinity if unlimited. */
export interface JointLimits {
  readonly lower: number;
  readonly upper: number;
  readonly velocity: number;
  readonly acceleration: number;
  readonly jerk: number;
}

/** Content of a robot's URDF and SRDF as plain data. Links and joints in the order of the file. */
export interface RobotDescription {
  readonly name: string;
  readonly root: string;
  readonly links: readonly LinkDescription[];
  readonly joints: readonly JointDescription[];
  /** Disabled collision pairs of the SRDF, with the reason; adjacent links are not listed. */
  readonly allowed: readonly (readonly [string, string, string])[];
  /** Named states of the SRDF: joint → value. */
  readonly states: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Groups of the SRDF, resolved to the joints they move. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** End effectors of the SRDF. */
  readonly endEffectors?: readonly EndEffector[];
  /** Passive joints of the SRDF: not actuated. */
  readonly passive?: readonly string[];
  readonly warnings: readonly string[];
}

/** End effector of the SRDF: a group at the end of a chain. */
export interface EndEffector {
  readonly name: string;
  readonly group: string;
  /** The link that it is attached to. */
  readonly parentLink: string;
  /** The group that moves that link; undefined if none is named. */
  readonly parentGroup?: string;
}

export interface LinkDescription {
  readonly name: string;
  readonly collisions: readonly CollisionDescription[];
  readonly mass?: number;
}

/** Convex part of a link, with its pose in the link frame. */
export interface CollisionDescription {
  readonly shape: ShapeSpec;
  readonly pose: Pose;
  /** Number of triangles of the source mesh; 0 for primitives. */
  readonly triangles: number;
  /** Index of the link's `<collision>` element; the parts of one mesh share it. */
  readonly source: number;
}

export interface JointDescription {
  readonly name: string;
  readonly type: JointType;
  readonly parent: string;
  readonly child: string;
  readonly origin: Pose;
  /** Unit vector in the joint frame. */
  readonly axis: readonly [number, number, number];
  /** Undefined if unlimited (continuous joints) or not stated. */
  readonly lower?: number;
  readonly upper?: number;
  readonly velocity?: number;
  readonly effort?: number;
  readonly acceleration?: number;
  readonly jerk?: number;
  /** Soft limits of its `safety_controller`. Not enforced here: `lower` and `upper` are the hard limits. */
  readonly soft?: { readonly lower: number; readonly upper: number };
  readonly mimic?: { readonly joint: string; readonly multiplier: number; readonly offset: number };
}

/** Convex part of a link, prepared for collision queries. */
export interface CollisionPart {
  readonly shape: ConvexShape;
  readonly T_link_part: Transform;
  /** True if T_link_part is the identity. */
  readonly atLink: boolean;
}

export interface Link {
  readonly name: string;
  readonly index: number;
  /** Index of the parent link; −1 for the root. */
  readonly parent: number;
  /** Index into `RobotModel.joints` of its parent joint; −1 for the root. */
  readonly joint: number;
  readonly parts: readonly CollisionPart[];
}

/** Joint of the model. Its value is `multiplier · q[variable] + offset`; constant `offset` if variable is −1. */
export interface Joint {
  readonly name: string;
  readonly type: JointType;
  /** Indices into `RobotModel.links`. */
  readonly parent: number;
  readonly child: number;
  readonly T_parent_joint: Transform;
  readonly axis: Vec3;
  readonly variable: number;
  readonly multiplier: number;
  readonly offset: number;
}

/** Planned joint: one value of q. */
export interface PlannedJoint {
  readonly name: string;
  readonly type: 'revolute' | 'continuous' | 'prismatic';
  readonly limits: JointLimits;
  /** True if no acceleration limit is stated: the default is four times the velocity limit, per second. */
  readonly accelerationAssumed: boolean;
}

/** Kinematic model of a robot. Immutable; joints and links are sorted parents first. Poses are in `RobotState`. */
export interface RobotModel {
  readonly name: string;
  readonly description: RobotDescription;
  readonly dof: number;
  readonly variables: readonly PlannedJoint[];
  readonly joints: readonly Joint[];
  readonly links: readonly Link[];
  /** Pose of the root link in the world. */
  readonly T_world_root: Transform;
  /** Names of the links that are meant to have no collision geometry. */
  readonly empty: readonly string[];
  /** Values of the movable joints that are not planned. */
  readonly fixed: Readonly<Record<string, number>>;
}
