import type { MassProperties, Pose } from '../kinematics/robotModel.ts';
import type { ToolCenterPoint } from '../kinematics/toolCenterPoint.ts';
import type { ShapeSpec } from '../shapes/shape.ts';
import type { PairClearance } from './clearances.ts';
import type { PathConstraint } from './constraints.ts';
import type { Goal, JointGoal } from './goals.ts';
import type { ObstacleMotion, OtherRobot } from './movingScene.ts';
import type { Step, StepDefaults } from './program.ts';
import type { RobotReference } from './statedRobot.ts';

export type { Goal, JointGoal, PoseGoal } from './goals.ts';
export type { RobotReference } from './statedRobot.ts';

/**
 * Planning scene as plain data (metres, radians) that can be serialised with JSON and `postMessage`. Meshes are already
 * convex parts.
 */
export interface Scene {
  /** Name of the scene. */
  readonly name: string;
  /** Description for readers. */
  readonly description?: string;
  /** The robot, as the file states it. */
  readonly robot: RobotReference;
  /** Start configuration; undefined if the scene has none. */
  readonly start?: JointGoal;
  /** Alternative goals; empty if the scene has none. */
  readonly goals: readonly Goal[];
  /** If true, a joint goal includes the same angles plus or minus full turns, within limits. */
  readonly equivalent: boolean;
  /** Obstacles, posed in the world. */
  readonly obstacles: readonly Obstacle[];
  /** Objects that are attached to links. */
  readonly attached: readonly AttachedObject[];
  /** Other robots, which follow given trajectories or rest. */
  readonly robots?: readonly OtherRobot[];
  /** Pairs of names that may collide, in addition to those of the robot. */
  readonly allow: readonly (readonly [string, string])[];
  /** Required minimum distance of every pair, metres. */
  readonly padding: number;
  /** Required minimum distances of single pairs, which are checked even if the pair is allowed; undefined: none. */
  readonly clearances?: readonly PairClearance[];
  /** Weight of each joint in the path length, by name: rad per rad or m of travel; undefined: default weights. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Tool center point; undefined: the frame of the last link of the planned chain. */
  readonly tcp?: ToolCenterPoint;
  /** Scale of all velocity limits, above 0 and at most 1; undefined: 1. */
  readonly speed?: number;
  /** Scale of all acceleration limits, likewise. Jerk limits are not scaled. */
  readonly acceleration?: number;
  /** Limit of the speed of the origin of the tool center point, m/s; undefined: unlimited. */
  readonly tcpSpeed?: number;
  /** Path constraints that every state and motion must satisfy. */
  readonly constraints?: readonly PathConstraint[];
  /** Steps of a program, executed in order from `start`; `goals` is then empty. */
  readonly steps?: readonly Step[];
  /** Acceleration of gravity in the world, m/s², not 0; undefined: (0, 0, −9.81). `settle` and torques use it. */
  readonly gravity?: readonly [number, number, number];
  /** If given, joint torques are limited: `scale` (above 0) times the maximum torques of the robot. */
  readonly torque?: { readonly scale: number };
  /** What the robot carries besides attached objects, in the frame of the link of the tool center point. */
  readonly payload?: MassProperties;
  /** Objects that `settle` creates; the scene is not complete before. */
  readonly drop?: Drop;
  /** Of objects that messages add, see `Obstacle.unknownSpeed`; undefined: 0. Only `gate` uses it. */
  readonly unknownSpeed?: number;
  /** Greatest distance of a point of the arm from its place on the motion, m; undefined: 0. Only `gate` uses it. */
  readonly tracking?: number;
  /** Rules of steps that are given later, such as those of a request of the service; `steps` contain theirs. */
  readonly stepDefaults?: StepDefaults;
}

/** What a scene states about the limits of motions. */
export type MotionScene = Pick<
  Scene,
  'speed' | 'acceleration' | 'tcpSpeed' | 'tcp' | 'constraints' | 'torque' | 'payload' | 'gravity'
>;

/** What collision checking, its limits and the motion to the first point of a trajectory depend on. */
export type CheckedScene = Pick<
  Scene,
  'obstacles' | 'attached' | 'robots' | 'allow' | 'padding' | 'clearances' | 'steps' | 'start'
> &
  MotionScene;

/**
 * Collision object (obstacle or attached object) of one or more convex parts, each with its pose in the object frame
 * (`at`; default: identity).
 */
export interface CollisionObject {
  /** Name, unique among the obstacles, or among the attached objects, of the scene. */
  readonly name: string;
  /** Convex parts. */
  readonly parts: readonly CollisionObjectPart[];
  /** Pose of an obstacle in the world, of an attached object in the frame of its link. */
  readonly pose: Pose;
  /** Mass properties in the frame of the object; undefined: it is not a load. */
  readonly inertial?: MassProperties;
}

/** Convex part of a collision object. */
export interface CollisionObjectPart {
  /** Shape of the part. */
  readonly shape: ShapeSpec;
  /** Pose in the frame of the object; undefined: identity. */
  readonly at?: Pose;
  /**
   * True for a sphere cloud: only spheres about the vertices of the `convex` shape are solid, with its margin as
   * radius; the shape is their hull.
   */
  readonly balls?: boolean;
}

/** Obstacle of a scene: a collision object at a pose in the world, or with a given motion. */
export interface Obstacle extends CollisionObject {
  /** Motion of the obstacle, whose `pose` is then that at the first time; undefined: it does not move. */
  readonly motion?: ObstacleMotion;
  /** Mass and surface of an object that `settle` lets fall; undefined: fixed. All others see it where it stands. */
  readonly free?: FreeObject;
  /**
   * Speed (m/s) at which it may have moved in any direction since it was last seen; undefined: 0. Only `gate` uses it.
   */
  readonly unknownSpeed?: number;
}

/** Mass and surface of a free object. */
export interface FreeObject {
  /** Mass in kg; undefined: density times volume. */
  readonly mass?: number;
  /** Density in kg/m³, if no mass is given. */
  readonly density?: number;
  /** Coefficient of Coulomb friction, 0 or more. */
  readonly friction: number;
  /** Coefficient of restitution, 0 to 1. */
  readonly restitution: number;
}

/** Objects that `settle` creates at random poses in a region, and lets fall. */
export interface Drop {
  /** Region of the centers of mass: a convex shape and its pose in the world. */
  readonly from: { readonly shape: ShapeSpec; readonly pose: Pose };
  /** Number of objects. */
  readonly count: number;
  /** Kinds of objects, used in turn. */
  readonly shapes: readonly DropShape[];
}

/** Kind of the objects of a `Drop`. */
export interface DropShape {
  /** Convex parts. */
  readonly parts: readonly CollisionObjectPart[];
  /** Mass and surface. */
  readonly free: FreeObject;
}

/** Object attached to a link; may touch that link and the links and objects in `touches`. */
export interface AttachedObject extends CollisionObject {
  /** Name of the link that carries the object. */
  readonly link: string;
  /** Names of links and objects that the object may touch. */
  readonly touches: readonly string[];
}

export const IDENTITY_POSE: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
