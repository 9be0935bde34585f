import type { FreeRectangles } from './freeRectangles.ts';
import { atMostOwnPace, laterBy, lineTimes, ownTimeAt, type Schedule, withTwoPoints } from './schedule.ts';

/** A robot whose schedule is given. */
export interface ScheduledRobot {
  readonly schedule: Schedule;
  /** Free rectangles of its diagram with the robot that is scheduled. */
  readonly free: FreeRectangles;
  /** True if x is the time along the trajectory of the given robot. */
  readonly givenIsX: boolean;
}

type Interval = readonly [from: number, to: number];

/** Time interval in which the given robots cross no line of a diagram. */
interface Slab {
  readonly start: number;
  readonly end: number;
  /** Where the robot may be during the whole interval, as times along its trajectory. */
  readonly free: readonly Interval[];
}

/** In shorter slabs the robot waits: rounding could exceed its pace. Seconds. */
const MIN_SLAB = 1e-9;

/**
 * Computes the schedule of a robot that reaches the end of its trajectory as early as possible while the others follow
 * given schedules; it stays free there forever. Undefined if there is none. Exact on the diagrams: the set of states
 * that it can reach is a union of intervals at each time.
 */
export function scheduleAgainst(given: readonly ScheduledRobot[], duration: number): Schedule | undefined {
  const slabs = slabsOf(given, duration);
  // By slab: the states that can be reached at its start.
  const reached: Interval[][] = [];
  let now: Interval[] = [[0, 0]];
  const lastBlocked = slabs.findLastIndex(({ free }) => !free.some((one) => contains(one, duration)));
  for (const [i, slab] of slabs.entries()) {
    reached.push(now);
    now = advance(now, slab);
    if (i > lastBlocked && now.some((one) => contains(one, duration))) return traceBack(slabs, reached, i, duration);
    if (now.length === 0) return undefined;
  }
  return undefined;
}

const contains = ([from, to]: Interval, value: number): boolean => from <= value && value <= to;

/** The slabs until all given robots are at rest, and one more in which the robot may run its whole trajectory. */
function slabsOf(given: readonly ScheduledRobot[], duration: number): Slab[] {
  const times = given.flatMap(({ schedule, free, givenIsX }) => lineTimes(schedule, givenIsX ? free.xs : free.ys));
  const sorted = [...new Set([0, ...times])].sort((a, b) => a - b);
  sorted.push(laterBy(sorted[sorted.length - 1], Math.max(duration, 2 * MIN_SLAB)));
  return sorted.slice(1).map((end, i) => {
    const start = sorted[i];
    const lists = given.map(({ schedule, free, givenIsX }) =>
      free.intervalsAt(ownTimeAt(schedule, 0.5 * (start + end)), givenIsX),
    );
    return { start, end, free: lists.reduce(common, [[0, duration]] as readonly Interval[]) };
  });
}

/** The intervals that two lists have in common; both in ascending order. */
function common(one: readonly Interval[], other: readonly Interval[]): Interval[] {
  return one.flatMap(([a0, a1]) =>
    other.flatMap(([b0, b1]): Interval[] => {
      const [from, to] = [Math.max(a0, b0), Math.min(a1, b1)];
      return from <= to ? [[from, to]] : [];
    }),
  );
}

/** The states that can be reached at the end of a slab. */
function advance(now: readonly Interval[], { start, end, free }: Slab): Interval[] {
  const step = end - start < MIN_SLAB ? 0 : end - start;
  const next: [number, number][] = [];
  for (const [from, to] of free) {
    for (const [low, high] of common(now, [[from, to]])) {
      const reach = Math.min(high + step, to);
      const last = next.at(-1);
      if (last && low <= last[1]) last[1] = Math.max(last[1], reach);
      else next.push([low, reach]);
    }
  }
  return next;
}

/** Returns the schedule that ends in slab `last`, and in each slab began as far ahead as it could be. */
function traceBack(
  slabs: readonly Slab[],
  reached: readonly (readonly Interval[])[],
  last: number,
  duration: number,
): Schedule {
  const times: number[] = [];
  const own: number[] = [];
  let at = duration;
  for (let i = last; i >= 0; i--) {
    const { start, end, free } = slabs[i];
    const region = free.filter((one) => contains(one, at));
    const before = common(reached[i], region).filter(([from]) => from <= at);
    const step = end - start < MIN_SLAB ? 0 : end - start;
    const from = Math.max(
      ...before.map(([, to]) => Math.min(to, at)).filter((value) => at - value <= step * (1 + ROUNDING)),
    );
    if (i === last) {
      times.push(at > from ? laterBy(start, at - from) : start);
      own.push(at);
      if (at === from) {
        at = from;
        continue;
      }
    }
    if (own.length > 1 && own.at(-1) === from && own.at(-2) === from) times[times.length - 1] = start;
    else {
      times.push(start);
      own.push(from);
    }
    at = from;
  }
  return withTwoPoints(atMostOwnPace({ times: times.reverse(), own: own.reverse() }));
}

/** Relative: a sum of a state and a step is rounded. */
const ROUNDING = 1e-12;
