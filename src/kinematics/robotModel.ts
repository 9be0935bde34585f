import type { Transform } from '../math/transform.ts';
import type { Vec3 } from '../math/vec3.ts';
import type { ConvexShape, ShapeSpec } from '../shapes/shape.ts';

export type JointType = 'revolute' | 'continuous' | 'prismatic' | 'fixed';

/** Rigid placement as plain data: metres, w x y z. */
export interface Pose {
  readonly xyz: readonly [number, number, number];
  readonly quat_wxyz: readonly [number, number, number, number];
}

/** Limits of one joint: rad or m, rad/s or m/s, and so on. Infinity where there is none. */
export interface JointLimits {
  readonly lower: number;
  readonly upper: number;
  readonly velocity: number;
  readonly acceleration: number;
  readonly jerk: number;
}

/** A robot as its files describe it: plain data, nothing chosen yet. Links and joints in the order of the file. */
export interface RobotDescription {
  readonly name: string;
  readonly root: string;
  readonly links: readonly LinkDescription[];
  readonly joints: readonly JointDescription[];
  /** Pairs that may touch, with the reason, from the SRDF; adjacent links are not listed here. */
  readonly allowed: readonly (readonly [string, string, string])[];
  /** Named states of the SRDF: joint → value. */
  readonly states: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Groups of the SRDF, resolved to the joints they move. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Hands and tools of the SRDF. */
  readonly endEffectors?: readonly EndEffector[];
  /** Joints that the SRDF says no motor moves. */
  readonly passive?: readonly string[];
  readonly warnings: readonly string[];
}

/** A group of joints or links at the end of a chain, as the SRDF names it. */
export interface EndEffector {
  readonly name: string;
  readonly group: string;
  /** The link that carries it. */
  readonly parentLink: string;
  /** The group that moves that link; undefined where none is named. */
  readonly parentGroup?: string;
}

export interface LinkDescription {
  readonly name: string;
  readonly collisions: readonly CollisionDescription[];
  readonly mass?: number;
}

/** One convex part of a link, placed in the link's frame. */
export interface CollisionDescription {
  readonly shape: ShapeSpec;
  readonly pose: Pose;
  /** Triangles of the mesh it was read from; 0 for primitives. */
  readonly triangles: number;
  /** Which `<collision>` of the link it came from, counted from 0: several parts of one mesh share it. */
  readonly source: number;
}

export interface JointDescription {
  readonly name: string;
  readonly type: JointType;
  readonly parent: string;
  readonly child: string;
  readonly origin: Pose;
  /** Unit vector in the joint's frame. */
  readonly axis: readonly [number, number, number];
  /** Undefined bounds: none (continuous joints), or not stated. */
  readonly lower?: number;
  readonly upper?: number;
  readonly velocity?: number;
  readonly effort?: number;
  readonly acceleration?: number;
  readonly jerk?: number;
  /** Where its `safety_controller` begins to hold it back, where it has one. Controllers heed it; limits here are the hard ones. */
  readonly soft?: { readonly lower: number; readonly upper: number };
  readonly mimic?: { readonly joint: string; readonly multiplier: number; readonly offset: number };
}

/** A convex part of a link, ready for collision queries. */
export interface CollisionPart {
  readonly shape: ConvexShape;
  readonly T_link_part: Transform;
  /** True where T_link_part moves nothing: the part's pose is then the link's. */
  readonly atLink: boolean;
}

export interface Link {
  readonly name: string;
  readonly index: number;
  /** Index of the parent link, −1 for the root. */
  readonly parent: number;
  /** Index into `RobotModel.joints` of the joint above it, −1 for the root. */
  readonly joint: number;
  readonly parts: readonly CollisionPart[];
}

/** One joint of the flat model. Its value is `multiplier · q[variable] + offset`; variable −1: it stays at `offset`. */
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

/** A planned joint: one value of `q`. */
export interface PlannedJoint {
  readonly name: string;
  readonly type: 'revolute' | 'continuous' | 'prismatic';
  readonly limits: JointLimits;
  /** The file states no acceleration limit: four times the velocity limit per second was taken. */
  readonly accelerationAssumed: boolean;
}

/** The robot that is planned for. Immutable; joints and links are sorted parents first. What moves lives in `RobotState`. */
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
  /** Values of the joints that move but are not planned, as given or by default. */
  readonly fixed: Readonly<Record<string, number>>;
}
