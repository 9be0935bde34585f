import type { InfeasibilityCertificate } from '../../core/certificate/cells/infeasibility.ts';
import type { Certificate } from '../../core/certificate/certificate.ts';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import type { ObstacleMotion } from '../../core/scene/movingScene.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import type { ServiceGateAnswer } from './gateResults.ts';

/** Result of `describe`: robot, scene and limits. The JSON schema of the service lists all fields. */
export interface ServiceDescription {
  /** Version of the service. */
  readonly version: string;
  /** Name of the scene. */
  readonly scene: string;
  /** Name of the robot. */
  readonly robot: string;
  /** Planned joints in the robot's order. A bound is null if the joint has none. */
  readonly joints: readonly {
    readonly name: string;
    readonly type: string;
    readonly lower: number | null;
    readonly upper: number | null;
  }[];
  /** Names of the links, parents first. */
  readonly links: readonly string[];
  /** Obstacles with their poses in the world. */
  readonly obstacles: readonly { readonly name: string; readonly pose: Pose; readonly motion?: ObstacleMotion }[];
  /** Names of the other robots of the scene; undefined: none. */
  readonly robots?: readonly string[];
  /** Attached objects with their poses in the frames of their links. */
  readonly attached: readonly { readonly name: string; readonly link: string; readonly pose: Pose }[];
  /** Required minimum distance of every pair, metres. */
  readonly padding: number;
  /** Start configuration of the scene; null if there is none. */
  readonly start: readonly number[] | null;
  /** First goal of the scene that is given as joint values; null if there is none. */
  readonly goal: readonly number[] | null;
  /** Alternative goals: joint values, or a pose in the form of the parameters of `ik`. */
  readonly goals: readonly ({ readonly q: readonly number[] } | ServicePoseGoal)[];
  /** Limits of the service: `states` of a message, bytes of a message (`body`) and of its response (`answer`), … */
  readonly limits: Readonly<Record<string, number>>;
}

/** Goal region of the scene: a pose of a link, with tolerances. */
export interface ServicePoseGoal {
  /** Undefined: the tool center point of the scene. */
  readonly link?: string;
  /** Pose of the link in the world. */
  readonly pose: Pose;
  /** `position` in metres, `angle` in radians. */
  readonly tolerance: { readonly position: number; readonly angle: number | readonly [number, number, number] };
}

/** Result of inverse kinematics. */
export interface ServiceIkResult {
  /** Joint values within limits, sorted by the distance to the start of the scene. */
  readonly solutions: readonly (readonly number[])[];
  /** Why there is no solution. */
  readonly reason?: string;
}

/** Result of a state validity check. */
export interface ServiceStateAnswer {
  /** True if the state is within limits and proved collision-free. */
  readonly valid: boolean;
  /** The first pair in collision, if any. */
  readonly collisions: readonly (readonly [string, string])[];
  /** Names of the joints out of limits. */
  readonly limits: readonly string[];
  /** Names of the violated constraints, if the scene has any. */
  readonly constraints?: readonly string[];
}

/** Result of a motion validity check. */
export interface ServiceMotionAnswer {
  /** True if the motion is within limits and certified. */
  readonly valid: boolean;
  /** Proved collision-free at every instant, in collision at some instant, or neither. */
  readonly verdict: 'certified' | 'collision' | 'unresolved';
  /** Names of the joints out of limits at either end. */
  readonly limits: readonly string[];
  /** Names of the constraints that are violated or not proved, if the scene has any. */
  readonly constraints?: readonly string[];
  /**
   * First contact, times from 0 (start) to 1 (end): certified until `free_until`, in collision or unresolved at `time`.
   */
  readonly contact?: { readonly pair: readonly [string, string]; readonly free_until: number; readonly time: number };
}

/** Clearance of a state. */
export interface ServiceClearance {
  /**
   * Minimum distance over all checked pairs, metres; the negative penetration depth if any pair collides; null if no
   * pair is checked.
   */
  readonly distance: number | null;
  /** Names of the nearest pair; null if no pair is checked. */
  readonly pair: readonly [string, string] | null;
  /** Derivative of the distance with respect to each joint: m/rad, m/m; on request. */
  readonly gradient?: readonly number[];
  /** Whether the distance is differentiable in this state. */
  readonly differentiable?: boolean;
}

/** Clearances of many states. */
export interface ServiceClearances {
  /** Minimum distance of each state, metres, negative when colliding; infinite if no pair is checked. */
  readonly distance: Float64Array;
  /** Names of the nearest pair of each state; null if no pair is checked. */
  readonly pairs: readonly (readonly [string, string] | null)[];
  /** Derivatives by each joint, in row-major order [n, joints]; on request. */
  readonly gradient?: Float64Array;
  /** Whether the distance is differentiable in each state; with `gradient`. */
  readonly differentiable?: readonly boolean[];
}

/** Poses of links for many states. */
export interface ServicePoses {
  /** Names of the links in the order of the poses. */
  readonly links: readonly string[];
  /** In row-major order [n, links, 7]: x, y, z in metres, then the quaternion w, x, y, z. */
  readonly poses: Float64Array;
}

/** Names of the objects of a scene after a change. */
export interface ServiceScene {
  /** Names of the obstacles. */
  readonly obstacles: readonly string[];
  /** Names of the attached objects. */
  readonly attached: readonly string[];
  /** Angles that are most likely in degrees. */
  readonly warnings?: readonly string[];
  /** Answer of each gate of the session to the change. */
  readonly gates?: readonly (ServiceGateAnswer & { readonly gate: number })[];
}

/** A trajectory in the JSON format: the content of a file that `plan` writes. */
export interface ServiceTrajectory {
  /** Names of the joints in the order of the positions. */
  readonly joint_names: readonly string[];
  /** Points: `time_from_start` (absent in paths), `positions`, `velocities`. */
  readonly points: readonly {
    readonly time_from_start?: number;
    readonly positions: readonly number[];
    readonly velocities?: readonly number[];
  }[];
  /** Hash of joint names and points. */
  readonly hash?: string;
  /** Further fields of the file. */
  readonly [field: string]: unknown;
}

/** Result of `plan`. */
export interface ServicePlan {
  /** `solved`, or why there is no motion. */
  readonly status: string;
  /** One line that describes the status. */
  readonly reason: string;
  /** Present if and only if the status is `solved`; proved valid at every instant. */
  readonly trajectory?: ServiceTrajectory;
  /** On request, of a solved problem; of status `infeasible` the proof that no motion exists. */
  readonly certificate?: Certificate | InfeasibilityCertificate;
  /** On request, of a failure. */
  readonly explanation?: object;
  /** Why there is no certificate. */
  readonly warnings?: readonly string[];
  /** Counts and times, as of `plan --stats`. */
  readonly stats: Readonly<Record<string, unknown>>;
}

/** Result of `check`. */
export interface ServiceCheck {
  /** True if every limit is kept and every pair is proved separated at every instant. */
  readonly valid: boolean;
  /** Number of points. */
  readonly points: number;
  /** Seconds; absent for a path. */
  readonly duration?: number;
  /** Maximum of value / limit; absent for a path. */
  readonly limit_ratios?: Readonly<Record<string, number | null>>;
  /** The motion from the start of the scene to the first point, if a controller adds one; time: of its contact. */
  readonly lead_in?: { readonly valid: boolean; readonly pair?: readonly [string, string]; readonly time?: number };
  /** The first contact, if there is one: seconds (waypoints for a path), and the greatest depth, metres. */
  readonly contacts?: readonly {
    readonly pair: readonly [string, string];
    readonly from: number;
    readonly until: number;
    readonly depth: number;
  }[];
  /** Names of the violated constraints, limits of the cell and clearances; absent if there are none. */
  readonly constraints?: readonly string[];
  /** Least margin of each of them, in the unit of its limit; absent if the scene has none. */
  readonly margins?: Readonly<Record<string, number>>;
  /** Faults, one line each. */
  readonly faults: readonly string[];
  /** Pairs of links and objects that are not checked. */
  readonly unchecked: UncheckedPairs;
  /** On request, of a valid trajectory. */
  readonly certificate?: Certificate;
  /** Warnings about the trajectory. */
  readonly warnings?: readonly string[];
}

/** Result of `verify`. */
export interface ServiceVerification {
  /** True if the certificate proves the motion. */
  readonly proved: boolean;
  /** Number of pairs of the certificate. */
  readonly pairs: number;
  /** Number of spans. */
  readonly spans: number;
  /** Proved lower bound on all distances, metres. */
  readonly least_gap: number | null;
  /** Why it is no proof, one line each. */
  readonly problems: readonly string[];
  /** Pairs of links and objects that no certificate has to cover. */
  readonly unchecked: UncheckedPairs;
}

/** A point cloud to be added, without its points. */
export interface ServiceCloud {
  /** Name of the object. */
  readonly name: string;
  /** Radius of the sphere about each point, metres. */
  readonly radius: number;
  /** Pose in the world; with `link`, in the frame of the link; default: identity. */
  readonly pose?: {
    readonly xyz?: readonly number[];
    readonly rpy?: readonly number[];
    readonly quat_wxyz?: readonly number[];
  };
  /** Link that carries the cloud; default: none, an obstacle. */
  readonly link?: string;
  /** Links and objects that an attached cloud may touch. */
  readonly touches?: readonly string[];
  /** True: takes the place of an object of the same name, if there is one. */
  readonly replace?: boolean;
}

/** Result of `repair`. */
export interface ServiceRepair {
  /** Whether the given trajectory is valid, was changed, or no valid one was found. */
  readonly status: 'good' | 'repaired' | 'failed';
  /** One line that describes the status. */
  readonly reason: string;
  /** Times of the given trajectory, [from, to], at which the result differs; waypoints for a path. */
  readonly changed: readonly (readonly [number, number])[];
  /** Valid; absent if the repair failed. */
  readonly trajectory?: ServiceTrajectory;
  /** Pairs of links and objects that are not checked. */
  readonly unchecked: UncheckedPairs;
}

/** Result of `recertify`. */
export interface ServiceRecertification {
  /** Status of the motion in the current scene. */
  readonly status: 'proved' | 'collision' | 'unresolved' | 'out-of-limits';
  /** Number of pairs by result: unchanged, kept, renewed, lost. */
  readonly pairs: Readonly<Record<string, number>>;
  /** Pairs of links and objects that are not checked. */
  readonly unchecked: UncheckedPairs;
  /** Further fields, as of the command `recertify`. */
  readonly [field: string]: unknown;
}

/** How far a watched motion is proved. */
export interface ServiceCertifiedUntil {
  /** Seconds of the motion; null: to its end. */
  readonly certified_until: number | null;
  /** The pair that is not proved separated then. */
  readonly pair?: readonly [string, string];
  /** Violated limits; if there are any, nothing is certified. */
  readonly faults?: readonly string[];
  /** Pairs of links and objects that are not checked; absent if the proof itself failed. */
  readonly unchecked?: UncheckedPairs;
}

/** A `$/watch` notification. */
export interface ServiceWatchReport extends ServiceCertifiedUntil {
  /** Id of the watch. */
  readonly watch: number;
  /** With `replan`: a motion that joins the old one at `from` in position and velocity. */
  readonly trajectory?: ServiceTrajectory;
  /** Time of the old motion at which the new one begins, seconds. */
  readonly from?: number;
  /** Why there is no new motion. */
  readonly reason?: string;
}

/** A `$/progress` notification. */
export interface ServiceProgress {
  /** What is being done. */
  readonly phase: string;
  /** From 0 to 1. */
  readonly fraction?: number;
  /** Details for a person. */
  readonly message?: string;
}

/** Result of `watch`. */
export interface ServiceWatch extends ServiceCertifiedUntil {
  /** Id of the watch. */
  readonly watch: number;
}
