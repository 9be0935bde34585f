import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { delayedRectangles } from '../../../../src/core/planning/coordination/delayedRectangles.ts';
import { delayTolerance } from '../../../../src/core/planning/coordination/delayTolerance.ts';
import { earliestArrival } from '../../../../src/core/planning/coordination/earliestArrival.ts';
import { FreeRectangles, type TimeRectangle } from '../../../../src/core/planning/coordination/freeRectangles.ts';
import { makespanOf, schedulesAlong } from '../../../../src/core/planning/coordination/schedule.ts';
import { cases } from '../../../cases.ts';
import { freeSquares, isFree, randomRectangles } from './randomDiagrams.ts';

const SIZE = 16;

/** The unit squares that are not free. */
const blockedSquares = (free: readonly TimeRectangle[]): TimeRectangle[] =>
  freeSquares(free, SIZE).flatMap((column, x) =>
    column.flatMap((one, y): TimeRectangle[] => (one ? [] : [[x, x + 1, y, y + 1]])),
  );

test('a point remains if, and only if, all points up to the delay to the left and below are free', () => {
  const random = new Random(1);
  const seen = [0, 0];
  for (let k = 0; k < cases(20); k++) {
    const free = randomRectangles(random, SIZE, 0.9);
    const delay = random.between(0.1, 3);
    const remaining = delayedRectangles(free, blockedSquares(free), delay);
    for (let n = 0; n < 60; n++) {
      const [x, y] = [random.between(0, SIZE), random.between(0, SIZE)];
      const back = Array.from({ length: 400 }, (_, i) => (i * delay) / 399);
      const expected = back.every((d) => isFree(free, Math.max(0, x - d), y) && isFree(free, x, Math.max(0, y - d)));
      seen[Number(expected)]++;
      if (isFree(remaining, x, y) !== expected) {
        // The samples miss corners that are cut by less than their distance.
        const near = [-1, 1].some(
          (side) =>
            isFree(remaining, x + 0.01 * side, y) === expected || isFree(remaining, x, y + 0.01 * side) === expected,
        ); // prettier-ignore
        expect(near, `diagram ${k}: ${x}, ${y}, delay ${delay}`).toBe(true);
      }
    }
  }
  expect(Math.min(...seen)).toBeGreaterThan(cases(60));
});

test('a schedule in the remaining part tolerates the delay at every moment', () => {
  const random = new Random(2);
  let solved = 0;
  for (let k = 0; k < 150; k++) {
    const free = randomRectangles(random, SIZE, 0.9);
    const delay = random.between(0.1, 1.5);
    const remaining = new FreeRectangles(delayedRectangles(free, blockedSquares(free), delay));
    const path = earliestArrival(remaining, SIZE, SIZE);
    if (path === undefined) continue;
    solved++;
    const schedules = schedulesAlong(path);
    const most = makespanOf(schedules);
    for (const i of [0, 1]) {
      const other = { schedule: schedules[1 - i], free: new FreeRectangles(free), givenIsX: i === 1 };
      const [[, least]] = delayTolerance(schedules[i], [other], most);
      expect(least, `diagram ${k}, robot ${i}`).toBeGreaterThanOrEqual(delay - 1e-9);
    }
  }
  expect(solved).toBeGreaterThan(15);
});
