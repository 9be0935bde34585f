import { InputError } from '../../errors.ts';
import type { PathConstraint } from './constraints.ts';
import type { Goal } from './goals.ts';
import { hasMoving, isProgram, type MovingScene } from './movingScene.ts';

/** Limits, blend and tolerance of one motion of a program. */
export interface StepRules {
  /** Scale of the joint velocity limits, in (0, 1]. */
  readonly speed: number;
  /** Scale of the joint acceleration limits, in (0, 1]. */
  readonly acceleration: number;
  /** Limit of the speed of the TCP, m/s; undefined: none. */
  readonly tcpSpeed?: number;
  /** Radius about the end of the step within which the TCP may leave its path, metres. */
  readonly blend: number;
  /** Maximum deviation from a line or arc: metres, radians. */
  readonly tolerance: { readonly position: number; readonly angle: number };
  /** Constraints of this motion, in addition to those of the scene. */
  readonly constraints: readonly PathConstraint[];
}

/** Rules of steps that do not state their own; absent fields: the defaults of `StepRules`. */
export type StepDefaults = Partial<Omit<StepRules, 'constraints'>>;

/** End of a straight line: an offset of the TCP, or a pose of the TCP in the world. */
export type LineTarget =
  | {
      readonly kind: 'by';
      /** Displacement of the origin of the TCP in the axes of the frame, metres. */
      readonly by: readonly [number, number, number];
      /** Rotation about the origin of the TCP in the axes of the frame. */
      readonly quat_wxyz: readonly [number, number, number, number];
      /** `world`, `tcp` (the TCP frame at the start of the step), or the name of a link. */
      readonly frame: string;
    }
  | WorldTarget;

/** A pose of the TCP in the world; without orientation, that at the start is kept. */
export interface WorldTarget {
  /** Kind of the target. */
  readonly kind: 'to';
  /** Position of the TCP in the world, metres. */
  readonly xyz: readonly [number, number, number];
  /** Orientation of the TCP in the world; absent: that at the start of the motion. */
  readonly quat_wxyz?: readonly [number, number, number, number];
}

/** Fields of all steps. */
export interface StepBase {
  /** Index in the list of steps, from 0. */
  readonly index: number;
  /** Name of the step, if it has one. */
  readonly name?: string;
}

/** Free motion to one of the goals. */
export interface MoveStep extends StepBase, StepRules {
  /** Kind of the step. */
  readonly kind: 'move';
  /** Alternative goals, at least one. */
  readonly goals: readonly Goal[];
}

/** Straight line of the TCP, or a polyline of several. */
export interface LineStep extends StepBase, StepRules {
  /** Kind of the step. */
  readonly kind: 'line';
  /** Ends of the lines, in order. */
  readonly targets: readonly LineTarget[];
}

/** Circular arc of the TCP through a point. */
export interface ArcStep extends StepBase, StepRules {
  /** Kind of the step. */
  readonly kind: 'arc';
  /** Point of the arc in the world, metres. */
  readonly via: readonly [number, number, number];
  /** End of the arc. */
  readonly to: WorldTarget;
}

/** A way point of a tool path, in the frame of the path. */
export interface PathPoint {
  /** Position of the TCP, metres. */
  readonly xyz: readonly [number, number, number];
  /** Orientation of the TCP; absent at all points: that at the start of the motion. */
  readonly quat_wxyz?: readonly [number, number, number, number];
  /** Upper limit of the speed of the TCP in the frame of the path on the way to this point, m/s. */
  readonly speed?: number;
  /** Signal from this point on, until a point states another; stated at all points of a path, or at none. */
  readonly on?: boolean;
}

/** One continuous motion of the TCP through way points. */
export interface PathStep extends StepBase, StepRules {
  /** Kind of the step. */
  readonly kind: 'path';
  /** Way points in order, at least two; the first one is where the motion begins. */
  readonly points: readonly PathPoint[];
  /** Frame of the way points: `world`, a link, or an obstacle. The path moves with a link. */
  readonly frame: string;
  /** True if the tool may be rotated about its z axis. */
  readonly isYawFree: boolean;
  /** Maximum angle by which the z axis of the tool may be tilted, radians; only with a free z axis. */
  readonly tilt: number;
  /** Upper limit of the speed of the TCP in the frame of the path, m/s. */
  readonly pathSpeed?: number;
}

/** Rest for a number of seconds. */
export interface WaitStep extends StepBase {
  /** Kind of the step. */
  readonly kind: 'wait';
  /** Seconds. */
  readonly duration: number;
  /** Of a `set` that moves joints which are not planned; undefined: nothing but time passes. */
  readonly moves?: JointMove;
}

/** Joints that are not planned move linearly over the segment of a wait. */
export interface JointMove {
  /** Value of each joint at the end, by name: rad, m. */
  readonly joints: Readonly<Record<string, number>>;
  /** Value of `set` that is passed on with the event at the start. */
  readonly values: unknown;
}

/** A wait in which joints that are not planned move. */
export type JointMoveStep = WaitStep & { readonly moves: JointMove };

/** An obstacle is attached to a link where it is. */
export interface AttachStep extends StepBase {
  /** Kind of the step. */
  readonly kind: 'attach';
  /** Name of the object. */
  readonly object: string;
  /** Undefined: the link of the TCP. */
  readonly link?: string;
  /** Names of links and objects that the object may touch. */
  readonly touches: readonly string[];
}

/** An attached object becomes an obstacle where it is. */
export interface DetachStep extends StepBase {
  /** Kind of the step. */
  readonly kind: 'detach';
  /** Name of the object. */
  readonly object: string;
}

/** An event for the program that executes the trajectory: passed on. */
export interface SetStep extends StepBase {
  /** Kind of the step. */
  readonly kind: 'set';
  /** The value of the key, passed on unchanged. */
  readonly values: unknown;
}

/** Pairs of names that may touch from here on, or no longer. */
export interface AllowStep extends StepBase {
  /** Kind of the step. */
  readonly kind: 'allow' | 'forbid';
  /** The pairs of names. */
  readonly pairs: readonly (readonly [string, string])[];
}

/** A step in which the tool follows a path. */
export type CartesianStep = LineStep | ArcStep | PathStep;
/** A step in which the robot moves. */
export type MotionStep = MoveStep | CartesianStep;
/** A step without duration: changes the scene, or is passed on. */
export type EventStep = AttachStep | DetachStep | SetStep | AllowStep;
/** A step of a program. */
export type Step = MotionStep | WaitStep | EventStep;

/**
 * Throws `InputError` if a scene is a program: functions for single motions would ignore its steps.
 * @param place prefix of the message
 */
export function requireSingleMotion(scene: { readonly steps?: readonly Step[] }, place: string): void {
  if (!isProgram(scene)) return;
  throw new InputError(
    `${place}: the scene is a program of ${scene.steps.length} steps, not a single motion`,
    'Use plan, check and verify, or the functions of programs, with it.',
  );
}

/** Returns the limit of the TCP speed in a step of a scene: the smaller of both, m/s; Infinity: none. */
export const tcpSpeedLimit = (scene: Pick<StepRules, 'tcpSpeed'>, step: Pick<StepRules, 'tcpSpeed'>) =>
  Math.min(scene.tcpSpeed ?? Number.POSITIVE_INFINITY, step.tcpSpeed ?? Number.POSITIVE_INFINITY);

/** True for steps that take time: they have a segment of the trajectory; the others have an event. */
export const hasSegment = (step: Step): step is MotionStep | WaitStep =>
  step.kind !== 'attach' &&
  step.kind !== 'detach' &&
  step.kind !== 'set' &&
  step.kind !== 'allow' &&
  step.kind !== 'forbid';

/** True for steps that move joints which are not planned. */
export const movesJoints = (step: Step): step is JointMoveStep => step.kind === 'wait' && step.moves !== undefined;

/**
 * Throws `InputError` if anything but the planned joints moves in a scene: programs of moves have no known times.
 * @param place prefix of the message
 */
export function requireOnlyPlannedMotion(
  scene: MovingScene & { readonly steps?: readonly Step[] },
  place: string,
): void {
  const mover = scene.steps?.find(movesJoints);
  if (mover !== undefined)
    throw new InputError(
      `${place}: step ${mover.index} moves joints that are not planned`,
      'No program of moves can state it; an event, such as `set: {gripper: open}`, is passed on.',
    );
  if (hasMoving(scene))
    throw new InputError(`${place}: something else moves in the scene`, 'The times of moves are not known.');
}

/** True for steps with an event: those without a segment, and those that move joints which are not planned. */
export const hasEvent = (step: Step): step is EventStep | JointMoveStep => !hasSegment(step) || movesJoints(step);

/** True for steps after which the scene is another one, or what may touch in it. */
export const changesScene = (step: Step): step is Exclude<EventStep, SetStep> | JointMoveStep =>
  hasEvent(step) && step.kind !== 'set';

/** True for steps in which the robot moves. */
export const isMotionStep = (step: Step): step is MotionStep => hasSegment(step) && step.kind !== 'wait';

/**
 * Returns true if a step need not end at rest: it has a blend, and another motion follows. Tool paths begin and end at
 * rest: their blend is that of their corners.
 */
export function mayBlend(steps: readonly Step[], step: MotionStep): boolean {
  const next = steps[step.index + 1];
  return step.kind !== 'path' && step.blend > 0 && next !== undefined && isMotionStep(next) && next.kind !== 'path';
}

/** Returns true if the path of a step depends on the pose of a link at its start, other than that of the TCP. */
export const dependsOnLinks = (step: CartesianStep): boolean =>
  step.kind === 'line' &&
  step.targets.some((target) => target.kind === 'by' && target.frame !== 'world' && target.frame !== 'tcp');

/** Name of a step for messages: `step 4 (line "insert")`. */
export const stepName = (step: Step) => {
  const { index, kind, name } = step;
  return `step ${index} (${movesJoints(step) ? 'set' : kind}${name === undefined ? '' : ` ${JSON.stringify(name)}`})`;
};
