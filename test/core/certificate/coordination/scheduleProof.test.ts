import { expect, test } from 'vitest';
import type { RecordPoint } from '../../../../src/core/certificate/coordination/coordinationRecord.ts';
import {
  delayProblems,
  paceProblems,
  timeOutsideFree,
} from '../../../../src/core/certificate/coordination/scheduleProof.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { delayTolerance } from '../../../../src/core/planning/coordination/delayTolerance.ts';
import { earliestArrival } from '../../../../src/core/planning/coordination/earliestArrival.ts';
import { FreeRectangles } from '../../../../src/core/planning/coordination/freeRectangles.ts';
import { makespanOf, schedulesAlong } from '../../../../src/core/planning/coordination/schedule.ts';
import { isFree, randomRectangles } from '../../planning/coordination/randomDiagrams.ts';

const SIZE = 16;
const SLACK = 2 ** -40 * SIZE;
type Points = readonly RecordPoint[];

const valueAt = (points: Points, time: number): number => {
  const i = points.findIndex(([t]) => t > time);
  if (i < 0) return points.at(-1)![1];
  if (i === 0) return points[0][1];
  const [[t0, x0], [t1, x1]] = [points[i - 1], points[i]];
  return x0 + ((x1 - x0) * (time - t0)) / (t1 - t0);
};

/** A random schedule at a pace between 0 and 1. */
function randomSchedule(random: Random): Points {
  const points: [number, number][] = [[0, 0]];
  while (points.at(-1)![1] < SIZE) {
    const [time, own] = points.at(-1)!;
    const next = Math.min(SIZE, own + (random.next() < 0.3 ? 0 : random.between(0, 6)));
    points.push([time + (next - own) * (1 + random.next() * random.below(2)) + random.next() * 0.1 + 1e-9, next]);
  }
  return points;
}

/** A random tolerance that never decreases. */
function randomDelay(random: Random): Points {
  let [time, delay] = [0, random.next() < 0.5 ? 0 : random.between(0, 2)];
  const points: [number, number][] = [[0, delay]];
  while (random.next() < 0.7) {
    time += random.between(0.1, 5);
    delay += random.between(0, 3);
    points.push([time, delay]);
  }
  return points;
}

test('wherever a late robot may be on schedules that the checker accepts, the cells are free', () => {
  const random = new Random(3);
  const seen = { accepted: 0, refused: 0 };
  for (let k = 0; k < 1000; k++) {
    const free = randomRectangles(random, SIZE, 0.97 + 0.03 * random.next());
    const [late, other, delay] = [randomSchedule(random), randomSchedule(random), randomDelay(random)];
    const isFirst = random.next() < 0.5;
    const outside = timeOutsideFree({ late, other, delay, free, isFirst, slack: SLACK });
    if (outside !== undefined) {
      seen.refused++;
      continue;
    }
    seen.accepted++;
    const larger = free.map(([a, b, c, d]) => [a - SLACK, b + SLACK, c - SLACK, d + SLACK] as const);
    for (let sample = 0; sample < 60; sample++) {
      const time = random.between(0, 30);
      const own = valueAt(late, time - random.next() ** 0.2 * valueAt(delay, time));
      const at = valueAt(other, time);
      expect(isFirst ? isFree(larger, own, at) : isFree(larger, at, own), `diagram ${k} at ${time}`).toBe(true);
    }
  }
  expect(seen.accepted).toBeGreaterThan(40);
  expect(seen.refused).toBeGreaterThan(40);
});

test('schedules of least makespan and their tolerated delays are accepted, greater delays are not', () => {
  const random = new Random(4);
  const seen = { schedules: 0, limited: 0 };
  while (seen.schedules < 100) {
    const rectangles = randomRectangles(random, SIZE, 0.8);
    const cells = new FreeRectangles(rectangles);
    const path = earliestArrival(cells, SIZE, SIZE);
    if (path === undefined) continue;
    seen.schedules++;
    const schedules = schedulesAlong(path);
    const points = schedules.map(({ times, own }) => times.map((time, k) => [time, own[k]] as const));
    for (const isFirst of [true, false]) {
      const [i, j] = isFirst ? [0, 1] : [1, 0];
      const of = { late: points[i], other: points[j], free: rectangles, isFirst, slack: SLACK };
      const given = { schedule: schedules[j], free: cells, givenIsX: !isFirst };
      const delay = delayTolerance(schedules[i], [given], makespanOf(schedules));
      expect(paceProblems(points[i], SIZE)).toEqual([]);
      expect(delayProblems(delay)).toEqual([]);
      expect(timeOutsideFree({ ...of, delay }), `schedule ${seen.schedules}`).toBeUndefined();
      // Where the tolerance ends before the makespan, there is a state that it must not allow.
      const last = delay.findLast(([, d], k) => d < delay[Math.min(k + 1, delay.length - 1)][1]);
      if (last === undefined) continue;
      seen.limited++;
      const greater = delay.map(([time, d]) => [time, Math.max(d, last[1]) + 1e-3] as const);
      expect(timeOutsideFree({ ...of, delay: greater }), `schedule ${seen.schedules}, later`).toBeDefined();
    }
  }
  expect(seen.limited).toBeGreaterThan(20);
});

test.each<[string, Points, string]>([
  ['one point', [[0, 0]], 'it has fewer than two points'],
  [
    'a late start',
    [
      [0.1, 0],
      [3, 2],
    ],
    'it starts at [0.1, 0] instead of [0, 0]',
  ],
  [
    'a start on the way',
    [
      [0, 0.1],
      [3, 2],
    ],
    'it starts at [0, 0.1] instead of [0, 0]',
  ],
  [
    'an end before the end',
    [
      [0, 0],
      [3, 1.9],
    ],
    'it ends at 1.9, the trajectory at 2',
  ],
  [
    'a pace above 1',
    [
      [0, 0],
      [1, 1.1],
      [3, 2],
    ],
    'it is faster than the trajectory from 0 to 1',
  ],
  [
    'a way back',
    [
      [0, 0],
      [1, 1],
      [2, 0.5],
      [4, 2],
    ],
    'it runs backwards from 1 to 0.5 at 2',
  ],
  [
    'times in reverse',
    [
      [0, 0],
      [3, 1],
      [2, 1],
      [4, 2],
    ],
    'its times do not increase: 2 comes after 3',
  ],
  [
    'two points at one time',
    [
      [0, 0],
      [3, 1],
      [3, 1],
      [4, 2],
    ],
    'its times do not increase: 3 comes after 3',
  ],
  [
    'NaN',
    [
      [0, 0],
      [3, Number.NaN],
      [4, 2],
    ],
    'it runs backwards from 0 to NaN at 3',
  ],
])('a schedule with %s is refused', (_, points, problem) => {
  expect(paceProblems(points, 2)).toEqual([problem]);
});

test.each<[string, Points, string]>([
  ['no points', [], 'it has no points'],
  ['a late start', [[1, 1]], 'it starts at 1 instead of 0'],
  [
    'a negative delay',
    [
      [0, 1],
      [1, -1],
    ],
    'it is -1 at 1',
  ],
  [
    'a decreasing delay',
    [
      [0, 1],
      [1, 0.5],
    ],
    'it decreases at 1: a delay remains',
  ],
  [
    'times in reverse',
    [
      [0, 1],
      [1, 2],
      [0.5, 3],
    ],
    'its times do not increase: 0.5 comes after 1',
  ],
])('a tolerance with %s is refused', (_, points, problem) => {
  expect(delayProblems(points)).toEqual([problem]);
});
