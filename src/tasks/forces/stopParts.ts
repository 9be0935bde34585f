import { isResting } from '../../core/dynamics/arm/jointTaylor.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import type { StopWorld } from './stopContacts.ts';
import type { StopScene } from './stopSearch.ts';

/** An interval in which the loads of the robot do not change; it may begin before and end after the motion. */
export interface StopInterval {
  /** Seconds. */
  readonly from: number;
  /** Seconds. */
  readonly to: number;
  /** The scene during the interval, with the steps of the program. */
  readonly scene: StopScene;
  /** In which something else may move; default: nothing does. */
  readonly world?: StopWorld;
}

/** A part of a motion between two rests, in one scene. */
export interface StopPart {
  /** Two points or more; the robot is at rest at the first and at the last one. */
  readonly motion: Trajectory;
  readonly scene: StopScene;
  readonly world?: StopWorld | undefined;
}

/** Returns the interval of a motion that is in one scene as a whole. */
export const always = (scene: StopScene, world?: StopWorld): StopInterval => {
  return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, scene, ...(world && { world }) };
};

/**
 * Divides a motion into the parts in which the robot moves, in the order of time: they begin and end where it stands
 * still, or at the ends of intervals, where it is at rest. While it stands still, it has stopped. Undefined if it is
 * not exactly at rest at an end of an interval within the motion, or if the intervals leave a gap.
 * @param motion with times
 * @param intervals in the order of time
 */
export function stopParts(motion: Trajectory, intervals: readonly StopInterval[]): StopPart[] | undefined {
  const { points } = motion;
  let covered = points[0].time_from_start!;
  for (const { from, to } of intervals) if (from <= covered) covered = Math.max(covered, to);
  if (!(covered >= points[points.length - 1].time_from_start!)) return undefined;
  const parts = intervals.map((one) => partsWithin(motion, one));
  return parts.every((some) => some !== undefined) ? parts.flat() : undefined;
}

/** Returns the parts of a motion within an interval: see `stopParts`. */
export function partsWithin(motion: Trajectory, { from, to, scene, world }: StopInterval): StopPart[] | undefined {
  const { points } = motion;
  const parts: StopPart[] = [];
  if (points.length < 2) return parts;
  const curve = new TrajectoryCurve(motion);
  const { times, pieces } = curve;
  for (let k = 0; k < pieces; k++) {
    if (!(times[k] < to && times[k + 1] > from) || isStill(curve, k)) continue;
    let last = k;
    while (last + 1 < pieces && times[last + 1] < to && !isStill(curve, last + 1)) last++;
    if (times[k] < from || times[last + 1] > to) return undefined; // an event within a piece that moves
    const isRest = (k === 0 || restsAt(curve, k, 0)) && (last + 1 === pieces || restsAt(curve, last, 1));
    if (!isRest) return undefined;
    parts.push({ motion: { ...motion, points: points.slice(k, last + 2) }, scene, world });
    k = last;
  }
  return parts;
}

/** Returns true if no joint moves in a piece. */
function isStill(curve: TrajectoryCurve, piece: number): boolean {
  for (let j = 0; j < curve.dof; j++) if (!isResting(curve, piece, j)) return false;
  return true;
}

/** Returns true if all velocities at an end of a piece, 0: the first, 1: the last, are exactly 0. */
function restsAt({ rests, dof }: TrajectoryCurve, piece: number, end: 0 | 1): boolean {
  for (let j = 0; j < dof; j++) if (rests[2 * (piece * dof + j) + end] === 0) return false;
  return true;
}
