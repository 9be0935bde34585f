import type { FreeRectangles } from './freeRectangles.ts';
import { lineTimes, ownTimeAt, type Schedule, timeOf } from './schedule.ts';
import type { ScheduledRobot } from './scheduleAgainst.ts';

/** Point of a delay tolerance: [time of the schedule, tolerated delay], seconds. */
export type DelayPoint = readonly [time: number, delay: number];

/**
 * Interval of time in which a robot may be late by as much as it was ahead of the time `since`: −Infinity: by any time.
 */
interface Reach {
  readonly start: number;
  readonly end: number;
  readonly since: number;
}

/** Duration over which the stated tolerance rises to a greater one, seconds. */
const RISE = 1e-3;

/**
 * Computes how long a robot may be late from each moment on while all others are on schedule: with a delay d(t) that is
 * never greater than the tolerance at t, at each time t the robot is where its schedule has it at t − d(t), and all
 * states on the way from there to its place on schedule are free. The tolerance never decreases, because a delay
 * remains: a robot does not run faster than its own pace. Piecewise linear; after the last point it stays constant. At
 * most `most`.
 */
export function delayTolerance(late: Schedule, others: readonly ScheduledRobot[], most: number): DelayPoint[] {
  const reaches = others.map((other) => reachesBack(late, other));
  const times = [...new Set([0, ...reaches.flat().flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const intervals: Reach[] = [];
  const positions = others.map(() => 0);
  for (let i = 1; i < times.length; i++) {
    const [start, end] = [times[i - 1], times[i]];
    let since = Number.NEGATIVE_INFINITY;
    for (const [k, list] of reaches.entries()) {
      while (positions[k] < list.length - 1 && list[positions[k]].end <= start) positions[k]++;
      if (list.length > 0) since = Math.max(since, list[positions[k]].since);
    }
    if (intervals.at(-1)?.since === since) intervals.push({ ...intervals.pop()!, end });
    else intervals.push({ start, end, since });
  }
  return tolerancePoints(intervals, most);
}

/**
 * Returns the greatest piecewise linear function that never decreases and is at most time − since in each interval,
 * apart from its jumps, which are replaced by steep rises after them.
 */
function tolerancePoints(intervals: readonly Reach[], most: number): DelayPoint[] {
  // From the last interval to the first: the least tolerance in all later ones.
  const later = new Float64Array(intervals.length + 1).fill(most);
  for (let k = intervals.length - 1; k >= 0; k--) {
    const { start, since } = intervals[k];
    later[k] = Math.max(0, Math.min(later[k + 1], start - since));
  }
  const points: DelayPoint[] = [];
  const add = (time: number, delay: number) => {
    const [lastTime, lastDelay] = points.at(-1) ?? [Number.NEGATIVE_INFINITY, 0];
    const [, beforeDelay] = points.at(-2) ?? [0, Number.NaN];
    if (time <= lastTime) return;
    if (delay === lastDelay && delay === beforeDelay) points.pop(); // a constant part has two points
    points.push([time, delay]);
  };
  for (const [k, { start, end, since }] of intervals.entries()) {
    const at = (time: number) => Math.max(0, Math.min(time - since, later[k + 1]));
    if (k === 0) add(start, at(start));
    const last = points[points.length - 1][1];
    if (at(start) > last)
      add(Math.min(start + RISE, 0.5 * (start + end)), at(Math.min(start + RISE, 0.5 * (start + end))));
    const kink = since + later[k + 1];
    if (kink > points[points.length - 1][0] && kink < end) add(kink, at(kink));
    add(end, at(end));
  }
  return points;
}

/**
 * Returns, for each interval of the schedule in which both robots stay in one row and one column of the diagram, how
 * far back the late robot may be.
 */
function reachesBack(late: Schedule, { schedule, free, givenIsX }: ScheduledRobot): Reach[] {
  const reaches: Reach[] = [];
  const times = cellTimes(late, schedule, free, givenIsX);
  let cell = -1;
  for (let i = 1; i < times.length; i++) {
    const [start, end] = [times[i - 1], times[i]];
    const middle = 0.5 * (start + end);
    const own = ownTimeAt(late, middle);
    const other = ownTimeAt(schedule, middle);
    cell = givenIsX ? free.find(other, own, cell) : free.find(own, other, cell);
    if (cell < 0) {
      reaches.push({ start, end, since: own <= 0 ? Number.NEGATIVE_INFINITY : end }); // not found by rounding only
      continue;
    }
    const back = givenIsX ? free.reachDown(cell, other) : free.reachLeft(cell, other);
    reaches.push({ start, end, since: back <= 0 ? Number.NEGATIVE_INFINITY : timeOf(late, back) });
  }
  return reaches;
}

/** The times at which a step of a schedule ends or the path crosses a line of the diagram, in ascending order. */
function cellTimes(late: Schedule, given: Schedule, free: FreeRectangles, givenIsX: boolean): number[] {
  const times = [...lineTimes(late, givenIsX ? free.ys : free.xs), ...lineTimes(given, givenIsX ? free.xs : free.ys)];
  return [...new Set(times)].sort((a, b) => a - b);
}
