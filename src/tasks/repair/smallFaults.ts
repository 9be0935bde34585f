import { beginningOf, executedMotion, fullTurns, type StartState } from '../../core/trajectory/leadIn/leadIn.ts';
import type { TimeSpan } from '../../core/trajectory/retiming/arc.ts';
import { isRepeated, isTimed, type MotionLimits, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { fullTurnFaults, turnedPoint, unwrapped } from '../../core/trajectory/trajectoryLimits.ts';
import { type LeadInResult, startFault } from '../checking/checkResult.ts';

/** A trajectory without its small faults, and what was done, one phrase each. */
export interface CleanedMotion {
  /** The trajectory; the given one if nothing was done. */
  readonly motion: Trajectory;
  /** Such as `1 repeated point dropped`. */
  readonly notes: readonly string[];
}

/**
 * Drops repeated points of equal time and position, and unwraps jumps of continuous joints by full turns, that from the
 * start of the scene included. Its joints are in the order of the robot.
 */
export function withoutSmallFaults(
  given: Trajectory,
  start: StartState | undefined,
  limits: MotionLimits,
): CleanedMotion {
  const distinct = withoutRepeatedPoints(given);
  const dropped = given.points.length - distinct.points.length;
  const begun = turnedToStart(distinct, start);
  const motion = unwrapped(begun, limits);
  const joints = [
    ...(begun === distinct
      ? []
      : given.jointNames.filter((_, j) => begun.points[0].positions[j] !== distinct.points[0].positions[j])),
    ...(motion === begun ? [] : fullTurnFaults(begun, limits).map(({ joint }) => joint)),
  ];
  const notes = [
    ...(dropped > 0 ? [`${dropped} repeated ${dropped === 1 ? 'point' : 'points'} dropped`] : []),
    ...(joints.length > 0 ? [`full turns of ${[...new Set(joints)].join(', ')} unwrapped`] : []),
  ];
  return { motion, notes };
}

/** What the beginning of a repaired motion depends on. */
export interface RepairStart {
  readonly start: StartState | undefined;
  readonly limits: MotionLimits;
  /** That of the check of the motion. */
  readonly leadIn?: LeadInResult | undefined;
}

/**
 * Returns the motion that a repair changes; or why there is none. If the motion of the controller from the start of the
 * scene to a later first point is not valid, it is the first segment, without jumps by full turns.
 */
export function repairedFrom(
  { motion, notes }: CleanedMotion,
  { start, limits, leadIn }: RepairStart,
): CleanedMotion | { readonly reason: string } {
  if (beginningOf(motion, start) === 'elsewhere') {
    const { joint, value, limit } = startFault(motion, start!);
    return { reason: `it does not begin at the start of the scene: ${joint} is ${value}, at the start ${limit}` };
  }
  const executed = leadIn?.valid ? motion : executedMotion(motion, start);
  if (executed === motion) return { motion, notes };
  const whole = unwrapped(executed, limits);
  return { motion: whole, notes: [...notes, 'the motion from the start of the scene added'] };
}

/** Returns the time from the last point that is as given to the end; empty if all states are as given. */
export function turnedSpan(given: Trajectory, motion: Trajectory): TimeSpan[] {
  const { points } = withoutRepeatedPoints(given);
  const first = points.findIndex(({ positions }, k) =>
    positions.some((value, j) => value !== motion.points[k].positions[j]),
  );
  if (first < 0) return [];
  const timeOf = (k: number) => points[k].time_from_start ?? k;
  return [{ from: timeOf(Math.max(0, first - 1)), to: timeOf(points.length - 1) }];
}

/**
 * Returns a trajectory without points that repeat the time and position of another one. Of the two, the first one is
 * kept at the start, the last one elsewhere: the robot is at rest at both ends.
 */
function withoutRepeatedPoints(given: Trajectory): Trajectory {
  if (!isTimed(given) || given.pointSteps !== undefined) return given;
  const points: Trajectory['points'][number][] = [];
  for (const point of given.points) {
    const before = points.at(-1);
    if (before === undefined || !isRepeated(point, before)) points.push(point);
    else if (points.length > 1) points[points.length - 1] = point;
  }
  return points.length === given.points.length ? given : { ...given, points };
}

/** Returns a trajectory whose first point is the start plus full turns of continuous joints without these turns. */
function turnedToStart(trajectory: Trajectory, start: StartState | undefined): Trajectory {
  if (beginningOf(trajectory, start) !== 'elsewhere' || startFault(trajectory, start!).turns === undefined)
    return trajectory;
  const [{ positions }] = trajectory.points;
  const { q, isContinuous, turnable = isContinuous } = start!;
  const turns = positions.map((value, j) => (turnable[j] ? fullTurns(q[j] - value) : 0));
  const points = trajectory.points.map((point) =>
    turns.reduce((turned, count, j) => (count === 0 ? turned : turnedPoint(turned, j, count)), point),
  );
  return { ...trajectory, points };
}
