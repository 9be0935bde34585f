import type { Transform } from '../math/transform.ts';
import type { Vec3 } from '../math/vec3.ts';
import type { ConvexShape, ShapeSpec } from '../shapes/shape.ts';

/** Type of a joint: turning with limits or without (`continuous`), sliding, or not moving. */
export type JointType = 'revolute' | 'continuous' | 'prismatic' | 'fixed';

/** Pose as plain data: position in metres, unit quaternion w, x, y, z. */
export interface Pose {
  /** Position, metres. */
  readonly xyz: readonly [number, number, number];
  /** Orientation: unit quaternion w, x, y, z. */
  readonly quat_wxyz: readonly [number, number, number, number];
}

/** Mass, center of mass and inertia of a rigid body, in the frame of a link. */
export interface MassProperties {
  /** Mass, kg. */
  readonly mass: number;
  /** Center of mass, metres. */
  readonly center: readonly [number, number, number];
  /** Inertia about the center of mass, kg m², in the axes of the frame: xx, yy, zz, xy, xz, yz. */
  readonly inertia: readonly number[];
}

/** Motor and bearings of a joint; SI units, by the joint's own rate. */
export interface JointDrive {
  /** Inertia of the rotor times the square of the gear ratio, kg m² or kg. */
  readonly armature?: number;
  /** Viscous friction, N m s/rad or N s/m. */
  readonly damping?: number;
  /** Coulomb friction, N m or N. */
  readonly friction?: number;
}

/** Limits of one joint in rad or m, per s, s², s³. ±Infinity if unlimited. */
export interface JointLimits {
  /** Lower position limit. */
  readonly lower: number;
  /** Upper position limit. */
  readonly upper: number;
  /** Maximum speed in both directions. */
  readonly velocity: number;
  /** Maximum acceleration in both directions. */
  readonly acceleration: number;
  /** Maximum jerk in both directions. */
  readonly jerk: number;
}

/** Content of a robot's URDF and SRDF as plain data. Links and joints in the order of the file. */
export interface RobotDescription {
  /** Name of the robot. */
  readonly name: string;
  /** Hash of the calibration whose origins the joints have; absent: none was given. */
  readonly calibration?: string;
  /** Name of the root link. */
  readonly root: string;
  /** Links with their collision geometry. */
  readonly links: readonly LinkDescription[];
  /** Joints, each from a parent link to a child link. */
  readonly joints: readonly JointDescription[];
  /** Disabled collision pairs of the SRDF, with the reason; adjacent links are not listed. */
  readonly allowed: readonly (readonly [string, string, string])[];
  /** Pairs of links that are checked even if they are adjacent, unless `allowed` lists them. */
  readonly checked?: readonly (readonly [string, string])[];
  /** Named states of the SRDF: joint → value. */
  readonly states: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Named states of each group: group → state → joint → value. */
  readonly groupStates?: Readonly<Record<string, RobotDescription['states']>>;
  /** Groups of the SRDF, resolved to the joints they move: without fixed, mimic and passive ones. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** End effectors of the SRDF. */
  readonly endEffectors?: readonly EndEffector[];
  /** Passive joints of the SRDF: not actuated. */
  readonly passive?: readonly string[];
  /** Warnings about the files. */
  readonly warnings: readonly string[];
}

/** End effector of the SRDF: a group at the end of a chain. */
export interface EndEffector {
  /** Name of the end effector. */
  readonly name: string;
  /** Group of its links and joints. */
  readonly group: string;
  /** The link that it is attached to. */
  readonly parentLink: string;
  /** The group that moves that link; undefined if none is named. */
  readonly parentGroup?: string;
}

/** A link of a robot description. */
export interface LinkDescription {
  /** Name of the link. */
  readonly name: string;
  /** Convex parts of its collision geometry. */
  readonly collisions: readonly CollisionDescription[];
  /** Mass in kg, if stated. */
  readonly mass?: number;
  /** Mass properties; undefined if the file states none, of mass NaN if it does not state all of them. */
  readonly inertial?: MassProperties;
}

/** Convex part of a link, with its pose in the link frame. */
export interface CollisionDescription {
  /** Shape of the part. */
  readonly shape: ShapeSpec;
  /** Pose of the part in the frame of the link. */
  readonly pose: Pose;
  /** Number of triangles of the source mesh; 0 for primitives. */
  readonly triangles: number;
  /** Index of the link's `<collision>` element; the parts of one mesh share it. */
  readonly source: number;
}

/** A joint of a robot description: rad for turning joints, m for prismatic ones. */
export interface JointDescription {
  /** Name of the joint. */
  readonly name: string;
  /** Type of the joint. */
  readonly type: JointType;
  /** Name of the parent link. */
  readonly parent: string;
  /** Name of the child link. */
  readonly child: string;
  /** Pose of the joint frame in the frame of the parent link. */
  readonly origin: Pose;
  /** Axis about or along which the joint moves: unit vector in the joint frame. */
  readonly axis: readonly [number, number, number];
  /** Lower position limit; undefined if unlimited (continuous joints) or not stated. */
  readonly lower?: number;
  /** Upper position limit; undefined likewise. */
  readonly upper?: number;
  /** Maximum speed; undefined if not stated. */
  readonly velocity?: number;
  /** Maximum force (N) or torque (N m); undefined if not stated. */
  readonly effort?: number;
  /** Maximum acceleration; undefined if not stated. */
  readonly acceleration?: number;
  /** Maximum jerk; undefined if not stated. */
  readonly jerk?: number;
  /** Motor and friction; undefined if the file states none. */
  readonly drive?: JointDrive;
  /** Soft limits of its `safety_controller`. Not enforced here: `lower` and `upper` are the hard limits. */
  readonly soft?: { readonly lower: number; readonly upper: number };
  /** A mimic joint has the value multiplier · (value of `joint`) + offset. */
  readonly mimic?: { readonly joint: string; readonly multiplier: number; readonly offset: number };
}

/** Convex part of a link, prepared for collision queries. */
export interface CollisionPart {
  /** Shape of the part. */
  readonly shape: ConvexShape;
  /** Pose of the part in the frame of the link. */
  readonly T_link_part: Transform;
}

/** A link of a robot model. */
export interface Link {
  /** Name of the link. */
  readonly name: string;
  /** Index into `RobotModel.links`. */
  readonly index: number;
  /** Index of the parent link; −1 for the root. */
  readonly parent: number;
  /** Index into `RobotModel.joints` of its parent joint; −1 for the root. */
  readonly joint: number;
  /** Convex parts of its collision geometry. */
  readonly parts: readonly CollisionPart[];
}

/** Joint of the model. Its value is `multiplier · q[variable] + offset`; constant `offset` if variable is −1. */
export interface Joint {
  /** Name of the joint. */
  readonly name: string;
  /** Type of the joint. */
  readonly type: JointType;
  /** Index of the parent link in `RobotModel.links`. */
  readonly parent: number;
  /** Index of the child link in `RobotModel.links`. */
  readonly child: number;
  /** Pose of the joint frame in the frame of the parent link, at value 0. */
  readonly T_parent_joint: Transform;
  /** Unit vector in the joint frame, about or along which the joint moves. */
  readonly axis: Vec3;
  /** Index of the planned joint whose value it has; −1 if it is constant. */
  readonly variable: number;
  /** Factor of the planned joint's value; 1 unless it mimics a joint. */
  readonly multiplier: number;
  /** Offset of the value; the value itself if it is constant. */
  readonly offset: number;
  /** Motor and friction; undefined: none are stated. */
  readonly drive?: JointDrive;
}

/** Planned joint: one value of q. */
export interface PlannedJoint {
  /** Name of the joint. */
  readonly name: string;
  /** Type of the joint. */
  readonly type: 'revolute' | 'continuous' | 'prismatic';
  /** Limits of the joint, narrowed so that the joints that follow it (mimic) keep theirs. */
  readonly limits: JointLimits;
  /** Maximum torque (N m) or force (N); Infinity: not stated. */
  readonly effort: number;
  /** True if no acceleration limit is stated: the default is four times the velocity limit, per second. */
  readonly accelerationAssumed: boolean;
  /** Names of the joints that follow it (mimic) whose limits narrow its own; absent if there is none. */
  readonly narrowedBy?: readonly string[];
  /**
   * Names of the joints that follow it (mimic) whose ranges are not applied, because they would leave it at most one
   * value; absent if there is none.
   */
  readonly contradictedBy?: readonly string[];
}

/** Kinematic model of a robot. Immutable; joints and links are sorted parents first. Poses are in `RobotState`. */
export interface RobotModel {
  /** Name of the robot. */
  readonly name: string;
  /** The description that the model was created from. */
  readonly description: RobotDescription;
  /** Number of planned joints: the length of q. */
  readonly dof: number;
  /** Planned joints in the order of q. */
  readonly variables: readonly PlannedJoint[];
  /** All joints, parents first. */
  readonly joints: readonly Joint[];
  /** All links, parents first; the root is link 0. */
  readonly links: readonly Link[];
  /** Pose of the root link in the world. */
  readonly T_world_root: Transform;
  /** Names of the links that are meant to have no collision geometry. */
  readonly empty: readonly string[];
  /** Values of the movable joints that are not planned. */
  readonly fixed: Readonly<Record<string, number>>;
  /**
   * Names of the links that do not belong to the planned robot, but to moving obstacles and other robots: their pairs
   * with each other and with obstacles are not checked. Undefined: none. They come before its links in the tree.
   */
  readonly others?: ReadonlySet<string>;
}

/**
 * Returns the unit of distances between configurations and of lengths of paths: `rad`, `m` for a robot whose planned
 * joints are all prismatic, `rad and m` for one with joints of both kinds.
 */
export function distanceUnit({ variables }: Pick<RobotModel, 'variables'>): 'rad' | 'm' | 'rad and m' {
  const slides = variables.filter(({ type }) => type === 'prismatic').length;
  if (slides === 0) return 'rad';
  return slides === variables.length ? 'm' : 'rad and m';
}

/** Returns the unit of the positions of a joint. */
export const unitOf = ({ type }: { readonly type: string }): 'rad' | 'm' => (type === 'prismatic' ? 'm' : 'rad');
