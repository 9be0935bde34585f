import { InputError, suggestion } from '../../errors.ts';

/** One point of a path (no time) or of a trajectory. Values in the order of `jointNames`; rad, rad/s, s. */
export interface TrajectoryPoint {
  /** Seconds from the start; absent in a path. */
  readonly time_from_start?: number;
  /** Joint positions: rad, m. */
  readonly positions: readonly number[];
  /** Joint velocities: rad/s, m/s; absent if they are not stated. */
  readonly velocities?: readonly number[];
  /**
   * rad/s². A segment with accelerations at both ends is a quintic, unless `interpolation` states otherwise. Planners
   * write none.
   */
  readonly accelerations?: readonly number[];
}

/**
 * Interpolation of a segment: a straight line, or the polynomial of that degree that matches all values at both ends.
 */
export type SegmentKind = 'linear' | 'cubic' | 'quintic';

/**
 * A trajectory, or a path. Segments are interpolated as a joint trajectory controller does (`segmentKinds`), unless
 * `interpolation` states one kind for all. Points without times are a path of straight joint-space lines, for which t
 * counts waypoints.
 */
export interface Trajectory {
  /** Names of the joints, in the order of the values of each point. */
  readonly jointNames: readonly string[];
  /** Points in the order of time, at least one. */
  readonly points: readonly TrajectoryPoint[];
  /** Interpolation of all segments; absent: by the values that both ends of a segment state. */
  readonly interpolation?: SegmentKind;
  /**
   * True if the points are set points of a control loop, at most 8 ms apart (URScript's servoj), or recorded joint
   * states: see `setPointRates`.
   */
  readonly setPoints?: true;
  /** True for a path of moves whose speeds a script states, which the path does not have. */
  readonly hasStatedSpeeds?: true;
  /** Remarks on how the file was read, for warnings. */
  readonly remarks?: readonly string[];
  /** Name of the robot. This and the names, seed and edges below are metadata of the file, kept unchanged. */
  readonly robot?: string;
  /** Hash of the calibration of the robot. */
  readonly calibration?: string;
  /** Name of the scene. */
  readonly scene?: string;
  /** Name of the planner. */
  readonly planner?: string;
  /** Seed of the planner. */
  readonly seed?: number;
  /** Method of edge validation. */
  readonly edges?: string;
  /** True if the time limit ended the search: another run may have another result. */
  readonly cutShort?: boolean;
  /** Of a program: one per motion or wait, in order, contiguous. */
  readonly segments?: readonly TrajectorySegment[];
  /** Of a program: one per step that takes no time, or that moves joints which are not planned, in order. */
  readonly events?: readonly TrajectoryEvent[];
  /** Of a program with signals at way points of tool paths: changes in the order of time, the first value included. */
  readonly signals?: readonly TrajectorySignal[];
  /**
   * Of a program read from a table or a script: index of the step of each point, in the order of `points`; see
   * `completeProgram`.
   */
  readonly pointSteps?: readonly number[];
  /**
   * Of a program read from a script: the calls that begin its steps and belong to its events, in the order of
   * execution. Events are then those of the scene's steps, whose calls these must be.
   */
  readonly stepCalls?: readonly string[];
  /** The hash stated in the file, which may differ from that of the points: compare with `trajectoryHash`. */
  readonly statedHash?: string;
}

/** Part of the trajectory of a program: one motion or wait. */
export interface TrajectorySegment {
  /** Index of its step in the program. */
  readonly step: number;
  /** Name of the step, if it has one. */
  readonly name?: string;
  /** Kind of the step. */
  readonly kind: 'move' | 'line' | 'arc' | 'path' | 'wait';
  /** Seconds. */
  readonly from: number;
  /** Seconds. */
  readonly to: number;
}

/** An event of a program: a step that takes no time, with the value of its key. */
export interface TrajectoryEvent {
  /** Index of its step in the program. */
  readonly step: number;
  /** Seconds: the end of the segment before it. */
  readonly time: number;
  /** Name of the object that is attached. */
  readonly attach?: string;
  /** Link that the object is attached to. */
  readonly link?: string;
  /** Name of the object that is detached. */
  readonly detach?: string;
  /** Value of an output, for the controller. */
  readonly set?: unknown;
  /** Pairs of names that may collide from here on. */
  readonly allow?: readonly (readonly [string, string])[];
  /** Pairs of names that are checked again from here on. */
  readonly forbid?: readonly (readonly [string, string])[];
}

/** A signal changes while the tool moves along a tool path: it passes the way point that states the value. */
export interface TrajectorySignal {
  /** Index of the step of the path in the program. */
  readonly step: number;
  /** Seconds. */
  readonly time: number;
  /** Value from then on, until the next signal. */
  readonly on: boolean;
}

/** Unit of the positions of a joint. */
export type JointUnit = 'rad' | 'm';

/** Limits of a trajectory, in the order of its joints; Infinity: unlimited. */
export interface MotionLimits {
  /** Lower position limits: rad, m. */
  readonly lower: ArrayLike<number>;
  /** Upper position limits. */
  readonly upper: ArrayLike<number>;
  /** Maximum speeds. */
  readonly velocity: ArrayLike<number>;
  /** Maximum accelerations. */
  readonly acceleration: ArrayLike<number>;
  /** Maximum jerks. */
  readonly jerk: ArrayLike<number>;
  /** Units of the positions; undefined: not known. */
  readonly units?: readonly JointUnit[];
  /**
   * True for joints that turn without end and whose full turn leaves all links where they are: jumps by full turns are
   * named as such. Undefined: none.
   */
  readonly isContinuous?: readonly boolean[];
  /** Limit on the rate along a straight line, as a fraction of the line per second, besides those of the joints. */
  readonly lineRate?: (from: ArrayLike<number>, to: ArrayLike<number>) => number;
}

/** Returns true if every point has a time: a trajectory, not a path. */
export function isTimed(trajectory: Trajectory): boolean {
  return trajectory.points.every((point) => point.time_from_start !== undefined);
}

/**
 * Returns the interpolation of each segment as a joint trajectory controller chooses it: linear for positions only,
 * cubic for velocities at both ends, quintic for velocities and accelerations at both ends; values at one end only are
 * ignored. A stated interpolation takes precedence if the points have the required values: 'linear' ignores velocities,
 * 'cubic' ignores accelerations. A path is linear.
 */
export function segmentKinds(trajectory: Trajectory): SegmentKind[] {
  const { points, interpolation } = trajectory;
  const kinds = new Array<SegmentKind>(Math.max(0, points.length - 1)).fill('linear');
  if (interpolation === 'linear' || !isTimed(trajectory)) return kinds;
  for (let k = 0; k < kinds.length; k++) {
    const [from, to] = [points[k], points[k + 1]];
    if (!isGiven(from.velocities) || !isGiven(to.velocities)) continue;
    const hasAccelerations = isGiven(from.accelerations) && isGiven(to.accelerations);
    kinds[k] = hasAccelerations && interpolation !== 'cubic' ? 'quintic' : 'cubic';
  }
  return kinds;
}

/** Returns true if a list of values is given: unused lists of ROS messages are empty. */
export const isGiven = (values: readonly number[] | undefined): values is readonly number[] =>
  values !== undefined && values.length > 0;

/** Returns true if all segments are straight lines in joint space. */
export function isStraight(trajectory: Trajectory): boolean {
  const { points, interpolation } = trajectory;
  if (points.length > 1) return segmentKinds(trajectory).every((kind) => kind === 'linear');
  return interpolation === 'linear' || !isTimed(trajectory) || !points.every((point) => isGiven(point.velocities));
}

/**
 * Returns the points without the values that do not affect the curve: a controller that ignores `interpolation`
 * executes the same curve.
 */
export function executedPoints(trajectory: Trajectory): TrajectoryPoint[] {
  const kinds = segmentKinds(trajectory);
  const single = kinds.length === 0 && !isStraight(trajectory);
  return trajectory.points.map((point, i) => {
    const around = [kinds[i - 1], kinds[i]];
    const { time_from_start, positions, velocities, accelerations } = point;
    const isCurved = single || around.some((kind) => kind === 'cubic' || kind === 'quintic');
    return {
      ...(time_from_start !== undefined && { time_from_start }),
      positions,
      ...(isCurved && velocities && { velocities }),
      ...(around.includes('quintic') && accelerations && { accelerations }),
    };
  });
}

/** Returns true if a point has the time and the positions of the one before it, as planners write them by mistake. */
export const isRepeated = (point: TrajectoryPoint, before: TrajectoryPoint): boolean =>
  point.time_from_start !== undefined &&
  point.time_from_start === before.time_from_start &&
  point.positions.every((value, j) => value === before.positions[j]);

/** Returns the duration from the first to the last point, seconds; undefined for a path. */
export function durationOf(trajectory: Trajectory): number | undefined {
  const first = trajectory.points[0]?.time_from_start;
  const last = trajectory.points.at(-1)?.time_from_start;
  return isTimed(trajectory) && first !== undefined && last !== undefined ? last - first : undefined;
}

/** Returns timed points whose times are later by some seconds. */
export const laterPoints = (points: Trajectory['points'], by: number): TrajectoryPoint[] =>
  points.map((point) => ({ ...point, time_from_start: by + point.time_from_start! }));

/**
 * Returns the trajectory with its values in the order of `names`; the same object if it has that order already.
 * @param place prefix of error messages: the file that the trajectory was read from
 * @throws InputError if the trajectory has a joint that is not in `names`, a duplicate, or a missing joint
 */
export function inJointOrder(trajectory: Trajectory, names: readonly string[], place = 'trajectory'): Trajectory {
  const { jointNames } = trajectory;
  for (const [i, name] of jointNames.entries()) {
    const at = `${place}: joint_names[${i}]`;
    if (!names.includes(name)) throw new InputError(`${at}: no planned joint "${name}"`, suggestion(name, names));
    if (jointNames.indexOf(name) !== i)
      throw new InputError(`${at}: "${name}" is listed twice`, 'Name each joint once.');
  }
  const missing = names.filter((name) => !jointNames.includes(name));
  if (missing.length > 0) {
    const note = `A trajectory has a value for every planned joint: ${names.join(', ')}.`;
    throw new InputError(
      `${place}: joint_names: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
      note,
    );
  }
  if (names.every((name, i) => jointNames[i] === name)) return trajectory;

  const order = names.map((name) => jointNames.indexOf(name));
  return { ...trajectory, jointNames: names, points: trajectory.points.map((point) => reordered(point, order)) };
}

function reordered(point: TrajectoryPoint, order: readonly number[]): TrajectoryPoint {
  const pick = (values: readonly number[]) => order.map((i) => values[i]);
  return {
    ...point,
    positions: pick(point.positions),
    ...(point.velocities && { velocities: pick(point.velocities) }),
    ...(point.accelerations && { accelerations: pick(point.accelerations) }),
  };
}

/** Returns true if an event moves joints that are not planned. */
export const isJointMove = ({ set }: TrajectoryEvent): boolean =>
  typeof set === 'object' && set !== null && Object.hasOwn(set, 'joints');

/** Returns the first call of a script that changes what is carried, or moves joints; undefined if none does. */
export const sceneCall = ({ stepCalls = [] }: Trajectory): string | undefined =>
  stepCalls.find((text) => /^on_(attach|detach|set_joints)\(/.test(text));

/** Returns true if points belong to steps of a program whose events are not stated: those of a table. */
export const hasUnknownEvents = ({ pointSteps, stepCalls, events }: Trajectory): boolean =>
  pointSteps !== undefined && (stepCalls ?? events) === undefined;

/**
 * Returns the first event that changes what is carried or may touch, or that moves joints, or why events are not known;
 * undefined if there is none.
 */
export function sceneEventFault(trajectory: Trajectory): string | undefined {
  const { events = [] } = trajectory;
  const call = sceneCall(trajectory);
  if (call !== undefined) return `the script calls ${call}, but the scene has no steps`;
  if (hasUnknownEvents(trajectory)) return 'its points belong to the steps of a program, but the scene has no steps';
  const at = events.findIndex(
    (event) => (event.attach ?? event.detach ?? event.allow ?? event.forbid) !== undefined || isJointMove(event),
  );
  return at < 0 ? undefined : `events[${at}] is ${JSON.stringify(events[at])}, but the scene has no steps`;
}

/**
 * Throws `InputError` if a trajectory changes its scene: functions for single motions would judge it in the scene at
 * its start.
 * @param place prefix of the message
 */
export function requireNoSceneEvents(trajectory: Trajectory, place = 'trajectory'): void {
  const fault = sceneEventFault(trajectory);
  if (fault !== undefined) throw new InputError(`${place}: ${fault}`, 'Give the scene with the steps of this program.');
}
