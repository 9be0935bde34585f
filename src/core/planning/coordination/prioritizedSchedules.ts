import { earliestArrival } from './earliestArrival.ts';
import type { FreeRectangles } from './freeRectangles.ts';
import { makespanOf, type Schedule, schedulesAlong } from './schedule.ts';
import { type ScheduledRobot, scheduleAgainst } from './scheduleAgainst.ts';

/** Free rectangles of the diagram of two robots, by their indices: x is the time of a, y that of b. */
export interface PairRectangles {
  readonly a: number;
  readonly b: number;
  readonly free: FreeRectangles;
}

/** Maximum number of orders of priority that are tried. */
const MAX_ORDERS = 720;

/**
 * Computes schedules of three robots or more: in the order of priority, each robot is scheduled as early as possible
 * against those before it [ErdmannLozanoPerez87]; the first two may also follow the optimal schedule of the two alone.
 * All orders are tried, up to MAX_ORDERS, and the least makespan is returned, of equals the first. Undefined if no
 * order succeeds, which does not prove that there is no schedule.
 */
export function prioritizedSchedules(
  pairs: readonly PairRectangles[],
  durations: readonly number[],
): Schedule[] | undefined {
  let best: Schedule[] | undefined;
  let tried = 0;
  for (const order of permutations(durations.map((_, i) => i))) {
    if (tried++ === MAX_ORDERS) break;
    for (const first of [[], firstTwo(order, pairs, durations)]) {
      const schedules = first && inOrder(order, first, pairs, durations);
      if (schedules && (best === undefined || makespanOf(schedules) < makespanOf(best))) best = schedules;
    }
  }
  return best;
}

/** The optimal schedules of the first two robots alone, by index of the robot; undefined if there are none. */
function firstTwo([i, j]: readonly number[], pairs: readonly PairRectangles[], durations: readonly number[]) {
  if (i > j) return undefined; // the same as in the other order
  const { free } = pairs.find(({ a, b }) => a === i && b === j)!;
  const path = earliestArrival(free, durations[i], durations[j]);
  if (path === undefined) return undefined;
  const schedules: Schedule[] = [];
  [schedules[i], schedules[j]] = schedulesAlong(path);
  return schedules;
}

/** Schedules the robots in an order of priority, after those in `first`; undefined if one cannot be scheduled. */
function inOrder(
  order: readonly number[],
  first: readonly Schedule[],
  pairs: readonly PairRectangles[],
  durations: readonly number[],
): Schedule[] | undefined {
  const schedules = [...first];
  const done = order.filter((robot) => schedules[robot] !== undefined);
  for (const robot of order) {
    if (schedules[robot] !== undefined) continue;
    const given = done.map((other): ScheduledRobot => {
      const pair = pairs.find(({ a, b }) => (a === robot && b === other) || (a === other && b === robot))!;
      return { schedule: schedules[other], free: pair.free, givenIsX: pair.a === other };
    });
    const schedule = scheduleAgainst(given, durations[robot]);
    if (schedule === undefined) return undefined;
    schedules[robot] = schedule;
    done.push(robot);
  }
  return schedules;
}

/** All orders of the items, in lexicographic order. */
function* permutations(items: readonly number[]): Generator<number[]> {
  if (items.length === 0) yield [];
  for (const [i, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(i, 1))) yield [item, ...rest];
  }
}
