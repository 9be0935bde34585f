import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { type DelayPoint, delayTolerance } from '../../../../src/core/planning/coordination/delayTolerance.ts';
import { earliestArrival } from '../../../../src/core/planning/coordination/earliestArrival.ts';
import { FreeRectangles } from '../../../../src/core/planning/coordination/freeRectangles.ts';
import {
  makespanOf,
  ownTimeAt,
  type Schedule,
  schedulesAlong,
} from '../../../../src/core/planning/coordination/schedule.ts';
import { cases } from '../../../cases.ts';
import { isFree, randomRectangles } from './randomDiagrams.ts';

const SIZE = 16;

/** The tolerance at a time: linear between its points, constant after the last one. */
function toleranceAt(points: readonly DelayPoint[], time: number): number {
  const i = points.findIndex(([t]) => t > time);
  if (i < 0) return points.at(-1)![1];
  const [[t0, d0], [t1, d1]] = [points[i - 1], points[i]];
  return d0 + ((d1 - d0) * (time - t0)) / (t1 - t0);
}

/** Where a robot is whose schedule is shifted by a delay: before its start it rests there. */
const lateAt = (schedule: Schedule, time: number) => ownTimeAt(schedule, Math.max(0, time));

function* scheduled(seed: number, count: number) {
  const random = new Random(seed);
  for (let made = 0; made < count; ) {
    const rectangles = randomRectangles(random, SIZE, 0.8);
    const free = new FreeRectangles(rectangles);
    const path = earliestArrival(free, SIZE, SIZE);
    if (path === undefined) continue;
    made++;
    const schedules = schedulesAlong(path);
    const most = makespanOf(schedules);
    for (const lateIsX of [true, false]) {
      const [late, other] = lateIsX ? schedules : [schedules[1], schedules[0]];
      const points = delayTolerance(late, [{ schedule: other, free, givenIsX: !lateIsX }], most);
      const isFreeAt = (time: number, delay: number) => {
        const [own, others] = [lateAt(late, time - delay), ownTimeAt(other, time)];
        return lateIsX ? isFree(rectangles, own, others) : isFree(rectangles, others, own);
      };
      yield { random, points, most, isFreeAt, label: `diagram ${made}, ${lateIsX ? 'x' : 'y'} late` };
    }
  }
}

test('a robot that is late by at most the tolerance stays in free cells, at each moment and from it on', () => {
  for (const { random, points, most, isFreeAt, label } of scheduled(1, cases(60))) {
    for (const [i, [time, delay]] of points.entries()) {
      expect(delay, label).toBeGreaterThanOrEqual(i > 0 ? points[i - 1][1] : 0);
      if (i > 0) expect(time, label).toBeGreaterThan(points[i - 1][0]);
    }
    for (let k = 0; k < cases(300); k++) {
      const from = random.between(0, most);
      const delay = toleranceAt(points, from) * (random.next() < 0.3 ? 1 : random.next());
      const time = random.next() < 0.5 ? from : random.between(from, most + delay);
      expect(isFreeAt(time, delay - 1e-9), `${label}: ${delay} s late from ${from} s on, at ${time} s`).toBe(true);
    }
  }
});

test('the tolerance is as great as the diagram allows, apart from steep rises', () => {
  const [seen, missed] = [{ limited: 0 }, { points: 0 }];
  for (const { random, points, most, isFreeAt, label } of scheduled(2, cases(25))) {
    for (let k = 0; k < 20; k++) {
      const from = random.between(0, most);
      const tolerated = toleranceAt(points, from);
      if (tolerated >= most - 1e-9) continue;
      seen.limited++;
      // A little more than tolerated meets something at some later moment, unless a rise is near.
      const delay = tolerated + 0.05;
      const meets = Array.from({ length: 800 }, (_, i) => from + (i * (most + delay - from)) / 799).some((time) =>
        Array.from({ length: 6 }, (_, i) => (delay * (i + 1)) / 6).some((part) => !isFreeAt(time, part)),
      );
      if (!meets) missed.points++;
    }
    expect(points.length, label).toBeGreaterThan(0);
  }
  expect(seen.limited).toBeGreaterThan(cases(40));
  expect(missed.points / seen.limited).toBeLessThan(0.1);
});
