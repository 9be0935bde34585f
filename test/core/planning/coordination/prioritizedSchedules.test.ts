import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { earliestArrival } from '../../../../src/core/planning/coordination/earliestArrival.ts';
import { FreeRectangles, type TimeRectangle } from '../../../../src/core/planning/coordination/freeRectangles.ts';
import {
  type PairRectangles,
  prioritizedSchedules,
} from '../../../../src/core/planning/coordination/prioritizedSchedules.ts';
import {
  makespanOf,
  ownTimeAt,
  type Schedule,
  schedulesAlong,
} from '../../../../src/core/planning/coordination/schedule.ts';
import { scheduleAgainst } from '../../../../src/core/planning/coordination/scheduleAgainst.ts';
import { freeSquares, isFree, randomRectangles } from './randomDiagrams.ts';

const SIZE = 16;
const fullPace = { times: [0, SIZE], own: [0, SIZE] };

test('against a robot at full pace, the end is reached as early as on the lattice', () => {
  const random = new Random(1);
  const seen = { solved: 0, impossible: 0, waits: 0 };
  for (let k = 0; k < 300; k++) {
    const rectangles = randomRectangles(random, SIZE, random.between(0.7, 0.95));
    const squares = freeSquares(rectangles, SIZE);
    const free = new FreeRectangles(rectangles);
    const schedule = scheduleAgainst([{ schedule: fullPace, free, givenIsX: true }], SIZE);
    // Time is x until SIZE, then x stays: by whole seconds, which rows can be reached?
    const isOpen = (x: number, y: number) => y >= 0 && y < SIZE && squares[Math.min(x, SIZE - 1)][y];
    let reached = [true, ...new Array<boolean>(SIZE).fill(false)];
    let arrival = Number.POSITIVE_INFINITY;
    for (let x = 0; x < 2 * SIZE && reached.some((one) => one); x++) {
      reached = reached.map((one, y) => {
        const stays = one && (isOpen(x, y) || isOpen(x, y - 1));
        return stays || (y > 0 && reached[y - 1] && isOpen(x, y - 1));
      });
      if (reached[SIZE] && arrival === Number.POSITIVE_INFINITY) arrival = x + 1;
      if (!reached[SIZE]) arrival = Number.POSITIVE_INFINITY;
    }
    if (schedule === undefined) {
      seen.impossible++;
      expect(arrival, `diagram ${k}`).toBe(Number.POSITIVE_INFINITY);
      continue;
    }
    seen.solved++;
    if (arrival > SIZE) seen.waits++;
    expect(schedule.times.at(-1), `diagram ${k}`).toBeCloseTo(arrival, 9);
  }
  expect(seen.solved).toBeGreaterThan(30);
  expect(seen.impossible).toBeGreaterThan(30);
});

test('schedules of three and four robots stay in free cells of every pair, at a pace from 0 to 1', () => {
  const random = new Random(2);
  const seen = { solved: 0, impossible: 0, waits: 0 };
  for (let k = 0; k < 30; k++) {
    const count = 3 + (k % 2);
    const durations = new Array<number>(count).fill(SIZE);
    const pairs = durations.flatMap((_, a) =>
      durations.slice(a + 1).map((_, i) => ({ a, b: a + 1 + i, rectangles: randomRectangles(random, SIZE, 0.93) })),
    );
    const schedules = prioritizedSchedules(
      pairs.map(({ a, b, rectangles }) => ({ a, b, free: new FreeRectangles(rectangles) })),
      durations,
    );
    if (schedules === undefined) {
      seen.impossible++;
      continue;
    }
    seen.solved++;
    const makespan = makespanOf(schedules);
    if (makespan > SIZE + 0.1) seen.waits++;
    for (const [i, { times, own }] of schedules.entries()) {
      expect([times[0], own[0], own.at(-1)], `case ${k}, robot ${i}`).toEqual([0, 0, SIZE]);
      for (let n = 1; n < times.length; n++) {
        const [dt, step] = [times[n] - times[n - 1], own[n] - own[n - 1]];
        expect(dt > 0 && step >= 0 && step <= dt, `case ${k}, robot ${i}: ${step} in ${dt} s`).toBe(true);
      }
    }
    for (const { a, b, rectangles } of pairs) {
      for (let n = 0; n < 400; n++) {
        const time = random.between(0, makespan + 1);
        const [x, y] = [ownTimeAt(schedules[a], time), ownTimeAt(schedules[b], time)];
        expect(isFree(rectangles, x, y), `case ${k}, ${a} and ${b} at ${time} s: ${x}, ${y}`).toBe(true);
      }
    }
  }
  expect(seen.solved).toBeGreaterThan(10);
  expect(seen.waits).toBeGreaterThan(5);
});

test('no step is shorter than its way along the trajectory, not even by rounding', () => {
  const random = new Random(5);
  let steps = 0;
  for (let k = 0; k < 30; k++) {
    const scale = random.between(0.1, 1);
    const rectangles = () =>
      randomRectangles(random, SIZE, 0.9).map((row) => row.map((t) => t * scale) as unknown as TimeRectangle);
    const pairs = [
      [0, 1],
      [0, 2],
      [1, 2],
    ].map(([a, b]) => ({ a, b, free: new FreeRectangles(rectangles()) }));
    const schedules = prioritizedSchedules(pairs, new Array<number>(3).fill(SIZE * scale)) ?? [];
    for (const { times, own } of schedules) {
      for (let n = 1; n < times.length; n++) expect(own[n] - own[n - 1]).toBeLessThanOrEqual(times[n] - times[n - 1]);
      steps += times.length;
    }
  }
  expect(steps).toBeGreaterThan(100);
});

/** Random diagrams of all pairs of some robots. */
function randomPairs(random: Random, count: number, share: number): PairRectangles[] {
  const robots = Array.from({ length: count }, (_, i) => i);
  return robots.flatMap((a) =>
    robots.slice(a + 1).map((b) => ({ a, b, free: new FreeRectangles(randomRectangles(random, SIZE, share)) })),
  );
}

/** Schedules in one order of priority, after those that are given. */
function inOrder(order: readonly number[], given: readonly Schedule[], pairs: readonly PairRectangles[]) {
  const schedules = [...given];
  for (const [k, robot] of order.entries()) {
    if (schedules[robot]) continue;
    const before = order.slice(0, k).map((other) => {
      const { a, free } = pairs.find((pair) => [pair.a, pair.b].includes(robot) && [pair.a, pair.b].includes(other))!;
      return { schedule: schedules[other], free, givenIsX: a === other };
    });
    const schedule = scheduleAgainst(before, SIZE);
    if (!schedule) return undefined;
    schedules[robot] = schedule;
  }
  return schedules;
}

/** All orders, in lexicographic order. */
const ordersOf = (items: readonly number[]): number[][] =>
  items.length === 0 ? [[]] : items.flatMap((i) => ordersOf(items.filter((j) => j !== i)).map((rest) => [i, ...rest]));

test('the schedules are those of the first of all orders with the least makespan, also without trying all', () => {
  const random = new Random(11);
  let solved = 0;
  for (let k = 0; k < 16; k++) {
    const count = 3 + (k % 2);
    const pairs = randomPairs(random, count, 0.95);
    let best: readonly Schedule[] | undefined;
    for (const order of ordersOf(Array.from({ length: count }, (_, i) => i))) {
      const [i, j] = order;
      const path = i < j && earliestArrival(pairs.find(({ a, b }) => a === i && b === j)!.free, SIZE, SIZE);
      const ofPair: Schedule[] = [];
      if (path) [ofPair[i], ofPair[j]] = schedulesAlong(path);
      for (const given of path ? [[], ofPair] : [[]]) {
        const schedules = inOrder(order, given, pairs);
        if (schedules && (!best || makespanOf(schedules) < makespanOf(best))) best = schedules;
      }
    }
    if (best) solved++;
    expect(prioritizedSchedules(pairs, new Array<number>(count).fill(SIZE)), `case ${k}`).toEqual(best);
  }
  expect(solved).toBeGreaterThan(5);
});

test('of eight robots, the first one may be the last in the order', () => {
  // Robot 0 has time to wait for robots 2 to 7, which delay the end if they wait for it.
  const lines = [0, 2, 4, SIZE];
  const cells = lines
    .slice(1)
    .flatMap((x1, i) =>
      lines.slice(1).map((y1, j): TimeRectangle => [lines[i], x1 === SIZE ? SIZE / 2 : x1, lines[j], y1]),
    );
  const late = cells.filter(([x0, , y0]) => !(x0 === 2 && y0 === 2));
  const robots = Array.from({ length: 8 }, (_, i) => i);
  const durations = robots.map((i) => (i === 0 ? SIZE / 2 : SIZE));
  const pairs = robots.flatMap((a) =>
    robots.slice(a + 1).map((b) => {
      const open: TimeRectangle[] = [[0, durations[a], 0, SIZE]];
      return { a, b, free: new FreeRectangles(a === 0 && b > 1 ? late : open) };
    }),
  );
  expect(makespanOf(prioritizedSchedules(pairs, durations)!)).toBeCloseTo(SIZE, 9);
});
