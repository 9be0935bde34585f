import { firstIndex } from '../../math/firstIndex.ts';
import type { DiagramPoint } from './earliestArrival.ts';

/**
 * Schedule of one robot: piecewise linear from (0, 0) to the end of its trajectory, at a pace between 0 and 1; at rest
 * at the end afterwards.
 */
export interface Schedule {
  /** Times of the schedule, seconds, increasing, from 0. */
  readonly times: readonly number[];
  /** Time along the robot's own trajectory at each of them, seconds. */
  readonly own: readonly number[];
}

/**
 * Returns the schedules of both robots along a monotone path: each step takes as long as the longer of its two sides.
 */
export function schedulesAlong(path: readonly DiagramPoint[]): [Schedule, Schedule] {
  const times = [0];
  for (let i = 1; i < path.length; i++) {
    const [x, y] = path[i];
    const [x0, y0] = path[i - 1];
    times.push(laterBy(times[i - 1], Math.max(x - x0, y - y0)));
  }
  return [withTwoPoints({ times, own: path.map(([x]) => x) }), withTwoPoints({ times, own: path.map(([, y]) => y) })];
}

/** Returns a schedule of at least two points: that of a robot which does not move gets another one. */
export function withTwoPoints({ times, own }: Schedule): Schedule {
  if (times.length > 1) return { times, own };
  return { times: [times[0], times[0] + MIN_DURATION], own: [own[0], own[0]] };
}

/** Returns the time along the trajectory at a time of the schedule. */
export function ownTimeAt({ times, own }: Schedule, time: number): number {
  const last = times.length - 1;
  if (time >= times[last]) return own[last];
  const k = intervalAt(times, time);
  return own[k] + ((own[k + 1] - own[k]) * (time - times[k])) / (times[k + 1] - times[k]);
}

/** Returns the earliest time at which a robot has come as far as `own`, seconds; Infinity if it never does. */
export function timeOf({ times, own: reached }: Schedule, own: number): number {
  const k = reached.findIndex((value) => value >= own);
  if (k < 0) return Number.POSITIVE_INFINITY;
  if (k === 0) return times[0];
  const share = (own - reached[k - 1]) / (reached[k] - reached[k - 1]);
  return times[k - 1] + share * (times[k] - times[k - 1]);
}

/** Returns the times at which the steps of a schedule end, and those at which the robot reaches one of the lines. */
export const lineTimes = (schedule: Schedule, lines: readonly number[]): number[] => [
  ...schedule.times,
  ...lines.map((line) => timeOf(schedule, line)).filter((time) => time < Number.POSITIVE_INFINITY),
];

/** Returns the end of the last schedule, seconds. */
export const makespanOf = (schedules: readonly Schedule[]): number =>
  Math.max(...schedules.map(({ times }) => times[times.length - 1]));

/** Returns a time at least `duration` later, whose computed difference is not smaller: a pace never exceeds 1. */
export function laterBy(time: number, duration: number): number {
  let later = time + duration;
  for (let ulp = Number.EPSILON * Math.max(later, Number.MIN_VALUE); later - time < duration; ulp *= 2) later += ulp;
  return later;
}

/** Returns a schedule whose pace as computed from its points never exceeds 1: steps become longer by ulps. */
export function atMostOwnPace({ times, own }: Schedule): Schedule {
  const later = [times[0]];
  for (let k = 1; k < times.length; k++) later.push(Math.max(times[k], laterBy(later[k - 1], own[k] - own[k - 1])));
  return { times: later, own };
}

/** Index of the last time that is at most `time`, at most the one before the last. */
const intervalAt = (times: readonly number[], time: number): number =>
  Math.max(0, firstIndex(times.length - 1, (i) => !(times[i] <= time)) - 1);

/** Duration of a schedule in which no robot moves, seconds: times increase. */
const MIN_DURATION = 1e-3;
