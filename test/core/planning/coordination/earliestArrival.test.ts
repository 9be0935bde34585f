import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { earliestArrival } from '../../../../src/core/planning/coordination/earliestArrival.ts';
import { FreeRectangles } from '../../../../src/core/planning/coordination/freeRectangles.ts';
import { makespanOf, schedulesAlong } from '../../../../src/core/planning/coordination/schedule.ts';
import { cases } from '../../../cases.ts';
import { freeSquares, hasKnifeEdge, latticeMakespan, randomRectangles } from './randomDiagrams.ts';

const SIZE = 32;

test('the path has the least duration, and each step of it lies within one free rectangle', () => {
  const random = new Random(1);
  const seen = { solved: 0, impossible: 0, detours: 0 };
  for (let k = 0; k < cases(400); k++) {
    const rectangles = randomRectangles(random, SIZE, random.between(0.6, 0.97));
    const squares = freeSquares(rectangles, SIZE);
    const isExact = !hasKnifeEdge(squares);
    const least = latticeMakespan(squares);
    const path = earliestArrival(new FreeRectangles(rectangles), SIZE, SIZE);
    if (path === undefined) {
      if (isExact) expect(least, `diagram ${k}`).toBe(Number.POSITIVE_INFINITY);
      seen.impossible++;
      continue;
    }
    seen.solved++;
    expect(path[0]).toEqual([0, 0]);
    expect(path.at(-1)).toEqual([SIZE, SIZE]);
    for (let i = 1; i < path.length; i++) {
      const [[x0, y0], [x1, y1]] = [path[i - 1], path[i]];
      expect(x1 >= x0 && y1 >= y0, `diagram ${k}, step ${i}`).toBe(true);
      const within = rectangles.some(([a0, a1, b0, b1]) => a0 <= x0 && x1 <= a1 && b0 <= y0 && y1 <= b1);
      expect(within, `diagram ${k}, step ${i}: ${x0}, ${y0} to ${x1}, ${y1}`).toBe(true);
    }
    const makespan = makespanOf(schedulesAlong(path));
    expect(makespan, `diagram ${k}`).toBeGreaterThanOrEqual(least - 1e-9);
    if (!isExact) continue;
    if (makespan > SIZE) seen.detours++;
    expect(makespan, `diagram ${k}`).toBeCloseTo(least, 9);
  }
  expect(seen.solved).toBeGreaterThan(cases(40));
  expect(seen.detours).toBeGreaterThan(cases(4));
  expect(seen.impossible).toBeGreaterThan(cases(20));
});

test('two rectangles that touch in a corner are passed diagonally, and no others', () => {
  const path = (list: [number, number, number, number][]) => earliestArrival(new FreeRectangles(list), 2, 2);
  expect(
    path([
      [0, 1, 0, 1],
      [1, 2, 1, 2],
    ]),
  ).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]); // prettier-ignore
  expect(
    path([
      [0, 1, 1, 2],
      [1, 2, 0, 1],
    ]),
  ).toBeUndefined(); // prettier-ignore
});

test('motions without duration need no time', () => {
  expect(earliestArrival(new FreeRectangles([[0, 0, 0, 0]]), 0, 0)).toEqual([[0, 0]]);
  expect(
    earliestArrival(
      new FreeRectangles([
        [0, 0, 0, 1],
        [0, 0, 1, 2],
      ]),
      0,
      2,
    )?.at(-1),
  ).toEqual([0, 2]); // prettier-ignore
  const [still, moving] = schedulesAlong([
    [0, 0],
    [0, 2],
  ]); // prettier-ignore
  expect([still.own, moving.own]).toEqual([
    [0, 0],
    [0, 2],
  ]); // prettier-ignore
});
