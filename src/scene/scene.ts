import type { Pose } from '../kinematics/robotModel.ts';
import type { ShapeSpec } from '../shapes/shape.ts';

/** What stands where, as plain data in metres and radians: survives JSON and `postMessage`. Meshes have become convex parts. */
export interface Scene {
  readonly name: string;
  readonly description?: string;
  readonly robot: RobotReference;
  readonly start?: JointGoal;
  /** Any of them will do; empty where the scene names none. */
  readonly goals: readonly Goal[];
  /** A joint goal also stands for the same angles plus or minus full turns, within limits. */
  readonly equivalent: boolean;
  readonly obstacles: readonly Obstacle[];
  readonly attached: readonly AttachedBody[];
  /** Pairs of names that may touch, on top of the robot's own. */
  readonly allow: readonly (readonly [string, string])[];
  /** Metres that every pair must stay apart. */
  readonly padding: number;
  /** What the travel of a joint counts in the length of a path, by name: radians for each radian or metre; undefined: nothing is said. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** The robot of a scene as the file names it; paths as written there. */
export interface RobotReference {
  /** A built-in name; or else `urdf`. */
  readonly name?: string;
  readonly urdf?: string;
  readonly srdf?: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Planned joints in the order of q; undefined: all that move by themselves, in the order of the URDF. */
  readonly joints?: readonly string[];
  readonly fixed: Readonly<Record<string, number>>;
  readonly limits: Readonly<
    Record<string, { readonly velocity?: number; readonly acceleration?: number; readonly jerk?: number }>
  >;
  readonly pose: Pose;
  readonly parts: 'hull' | 'decompose';
  /** Which geometry of its links is checked for collisions; undefined: collision. */
  readonly geometry?: 'collision' | 'visual';
  /** Links that are meant to have no collision geometry. */
  readonly empty?: readonly string[];
  /** Hulls of its meshes get at most as many corners, never inside the true ones; undefined: all. */
  readonly hullVertices?: number;
}

/** A configuration as people write it: all values in the order of q, values by name (the rest 0), or the name of an SRDF state. */
export type JointGoal = readonly number[] | Readonly<Record<string, number>> | string;

export interface PoseGoal {
  readonly link: string;
  readonly xyz: readonly [number, number, number];
  readonly quat_wxyz: readonly [number, number, number, number];
  readonly tolerance: { readonly position: number; readonly angle: number };
}

export type Goal =
  | { readonly kind: 'joints'; readonly joints: JointGoal }
  | { readonly kind: 'pose'; readonly pose: PoseGoal };

/** A body of one or more convex parts, each placed in the body's frame (`at`, none: no displacement). */
export interface Body {
  readonly name: string;
  readonly parts: readonly BodyPart[];
  /** Of an obstacle: in the world. Of an attached body: in its link's frame. */
  readonly pose: Pose;
}

export interface BodyPart {
  readonly shape: ShapeSpec;
  readonly at?: Pose;
  /** Solid are only the balls about the points of the shape, a `convex` one, its margin their radius: the shape is the hull around them. */
  readonly balls?: boolean;
}

export type Obstacle = Body;

/** A body carried by a link: may touch that link and those named in `touches`. */
export interface AttachedBody extends Body {
  readonly link: string;
  readonly touches: readonly string[];
}

export const IDENTITY_POSE: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
