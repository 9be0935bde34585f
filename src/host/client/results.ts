import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import type { ServiceTrajectory } from '../../formats/schemas/planningMessages.ts';
import type { ServiceResults } from '../../formats/schemas/serviceMessages.ts';

/** Result of `describe`: robot, scene and limits. */
export type ServiceDescription = ServiceResults['describe'];

/** Goal region of the scene: a pose of a link (undefined: the tool center point of the scene), with tolerances. */
export type ServicePoseGoal = Exclude<ServiceDescription['goals'][number], { q: unknown }>;

/** Joint values of a pose within limits, sorted by the distance to the start of the scene. */
export type ServiceIkResult = ServiceResults['ik'];

/** Results about each item of a list. */
export interface ServiceAnswers<T> {
  /** One for each item, in order. */
  readonly answers: readonly T[];
}

/** Validity of one item, or of a list. */
export interface ServiceValidity {
  /** A list for a list. */
  readonly valid: boolean | readonly boolean[];
}

/** Result of a state validity check: the first pair in collision, if any, and the joints out of limits. */
export type ServiceStateAnswer = Extract<ServiceResults['validate'], { collisions: unknown }>;

/**
 * Result of a motion validity check: proved collision-free at every instant, in collision at some instant, or neither.
 */
export type ServiceMotionAnswer = Extract<ServiceResults['validate_motion'], { verdict: unknown }>;

/** Clearance of a state, with its derivative by each joint on request. */
export type ServiceClearance = Exclude<ServiceResults['clearance'], { answers: unknown }>;

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

/** Poses of links for one state, in the world by the name of the link. */
export type ServiceLinkPoses = Exclude<ServiceResults['fk'], { answers: unknown }>;

/** Poses of links for many states. */
export interface ServicePoses {
  /** Names of the links in the order of the poses. */
  readonly links: readonly string[];
  /** In row-major order [n, links, 7]: x, y, z in metres, then the quaternion w, x, y, z. */
  readonly poses: Float64Array;
}

/** Forces and energy of a state: N m, N, kg m/s, J. */
export type ServiceDynamics = Exclude<ServiceResults['dynamics'], { answers: unknown }>;

/** Names of the objects of a scene after a change. */
export type ServiceScene = ServiceResults['scene.move'];

/** Result of `plan`: a motion, or why there is none; counts and times as of `plan --stats`. */
export type ServicePlan = ServiceResults['plan'];

/** Result of `check`: valid if every limit is kept and every pair is proved separated at every instant. */
export type ServiceCheck = ServiceResults['check'];

/** Result of `verify`: whether the certificate proves the motion. */
export type ServiceVerification = ServiceResults['verify'];

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

/** Result of `repair`: whether the given trajectory is valid, was changed, or no valid one was found. */
export type ServiceRepair = ServiceResults['repair'];

/** Result of `recertify`: status of the motion in the current scene. */
export type ServiceRecertification = ServiceResults['recertify'];

/** How far a watched motion is proved. */
export type ServiceCertifiedUntil = ServiceResults['watch.advance'];

/** Result of `watch`: its id, and how far the motion is proved. */
export type ServiceWatch = ServiceResults['watch'];

/** A `$/watch` notification. */
export interface ServiceWatchReport extends Omit<ServiceWatch, 'unchecked'> {
  /** Pairs of links and objects that are not checked; absent if the proof itself failed. */
  readonly unchecked?: UncheckedPairs;
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

/** A point of a proposed motion; all points have velocities, or none. */
export interface ServiceGatePoint {
  /** Seconds on the clock of the gate. */
  readonly time: number;
  /** Joint values: rad, m. */
  readonly positions: ArrayLike<number>;
  /** Joint velocities: rad/s, m/s; undefined: with continuous accelerations. */
  readonly velocities?: ArrayLike<number>;
}

/** The committed motion of a gate. */
export type ServiceGateState = ServiceResults['gate.state'];

/** A motion of cubics through points, which ends at rest. */
export type ServiceGateMotion = ServiceGateState['committed'];

/** Answer of a gate: what became of the message, and the committed motion if it has changed. */
export type ServiceGateAnswer = ServiceResults['gate.tick'];
