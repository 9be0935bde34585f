import type { Configuration } from '../../math/configuration.ts';
import { PI } from '../../math/trigonometry.ts';
import { isGiven, isTimed, type JointUnit, type Trajectory, type TrajectoryPoint } from '../trajectory.ts';

/** Absolute, rad or m, in each joint: a first point that is nearer to the start is taken to be the start. */
export const START_TOLERANCE = 1e-3;

/**
 * How a motion begins: at its first point, where the robot is; with a lead-in, the motion of the controller from the
 * start, at rest at time 0, to a later first point; or elsewhere, with a first point at time 0 that is not the start.
 */
export type Beginning = 'at-first-point' | 'lead-in' | 'elsewhere';

/** Where the robot is at rest at time 0, and what its joints are. */
export interface StartState {
  /** Joint values. */
  readonly q: Configuration;
  /** True for each joint that turns without end: controllers may move it to an angle the shorter way round. */
  readonly isContinuous: readonly boolean[];
  /** True for each continuous joint whose full turn leaves all its followers in the same state; default: all. */
  readonly turnable?: readonly boolean[];
  /** Units of its joint values; undefined: not known. */
  readonly units?: readonly JointUnit[];
}

/**
 * Returns how a motion begins whose joints are in the order of the start. A path has no times, so a first point away
 * from the start has a lead-in: the straight line to it. Times before 0 are faults of their own.
 * @param start undefined: the robot is at the first point
 */
export function beginningOf(trajectory: Trajectory, start: StartState | undefined): Beginning {
  const [{ time_from_start: time, positions }] = trajectory.points;
  if (start === undefined || (time !== undefined && time < 0)) return 'at-first-point';
  if (isTimed(trajectory) && time! > 0) return 'lead-in';
  if (positions.every((value, j) => Math.abs(value - start.q[j]) <= START_TOLERANCE)) return 'at-first-point';
  return isTimed(trajectory) ? 'elsewhere' : 'lead-in';
}

/** Returns true if a controller does not move the robot before the first point: the robot is there, at rest. */
export function restsBefore({ jointNames, points: [first] }: Trajectory, start: StartState | undefined): boolean {
  const { positions, velocities = [], accelerations = [], time_from_start: time } = first;
  const isAt = beginningOf({ jointNames, points: [{ positions }] }, start) === 'at-first-point';
  return isAt && (start === undefined || !time || [...velocities, ...accelerations].every((value) => value === 0));
}

/**
 * Returns the motions that controllers execute for a trajectory with a lead-in, each with the start as its first point.
 * The first one is that of a controller that knows velocity and acceleration of the robot, 0, and takes angles as they
 * are: linear, cubic or quintic as the values of the given first point require. A quintic is a cubic for a controller
 * without accelerations. A controller may also move continuous joints the shorter way round.
 */
export function withLeadIn(trajectory: Trajectory, start: StartState): Trajectory[] {
  const { interpolation, points } = trajectory;
  const [first] = points;
  const direct = Array.from(start.q);
  const shorter = direct.map((value, j) => (start.isContinuous[j] ? nearestTurn(value, first.positions[j]) : value));
  const starts = shorter.every((value, j) => value === direct[j]) ? [direct] : [direct, shorter];
  const rest = direct.map(() => 0);
  const { velocities, accelerations } = first;
  const isRest = [starts[0].map((value, j) => first.positions[j] - value), velocities ?? [], accelerations ?? []]
    .flat()
    .every((value) => value === 0);
  const isAmbiguous = interpolation === undefined && isGiven(velocities) && isGiven(accelerations) && !isRest;
  return starts.flatMap((positions) => {
    const point = { positions, ...(isTimed(trajectory) && { time_from_start: 0, velocities: rest }) };
    const led = (from: TrajectoryPoint): Trajectory => ({ ...trajectory, points: [from, ...points] });
    const known = led({ ...point, ...(isTimed(trajectory) && { accelerations: rest }) });
    return isAmbiguous ? [known, led(point)] : [known];
  });
}

/** Returns an angle plus or minus full turns: that nearest to another one. The angle itself within half a turn. */
export function nearestTurn(angle: number, other: number): number {
  const turns = fullTurns(other - angle);
  return turns === 0 ? angle : angle + turns * 2 * PI;
}

/** Returns the number of full turns that is nearest to a difference of two angles. */
export const fullTurns = (difference: number): number => Math.round(difference / (2 * PI));

/** Returns the motion, lead-in included, of a controller as the first of `withLeadIn`. */
export const executedMotion = (trajectory: Trajectory, start: StartState | undefined): Trajectory =>
  beginningOf(trajectory, start) === 'lead-in' ? withLeadIn(trajectory, start!)[0] : trajectory;

/** The motion that a certificate of a trajectory has to cover, or why no certificate covers it. */
export type CoveredMotion = { readonly motion: Trajectory } | { readonly problem: string };

/** Returns the motion, lead-in included, that a certificate of a trajectory has to cover. */
export function coveredMotion(trajectory: Trajectory, start: StartState | undefined): CoveredMotion {
  const beginning = beginningOf(trajectory, start);
  if (beginning === 'at-first-point') return { motion: trajectory };
  if (beginning === 'elsewhere') return { problem: 'the motion does not begin at the start of the scene' };
  if (!isTimed(trajectory))
    return {
      problem: 'the path does not begin at the start of the scene, and the line to its first point is not covered',
    };
  const [motion, ...others] = withLeadIn(trajectory, start!);
  if (others.length === 0) return { motion };
  return { problem: 'the motion from the start of the scene to the first point depends on the controller' };
}
