import { expect, test } from 'vitest';
import { turnableVariables, withFullTurns } from '../../../src/core/kinematics/fullTurns.ts';
import { chainOf } from './arms.ts';

const turn = 2 * Math.PI;
const follows = (joint: string, multiplier: number) => ({ mimic: { joint, multiplier, offset: 0 } });

test('full turns within limits are offered, the nearest first', () => {
  const arm = chainOf([
    { lower: -turn, upper: turn },
    { lower: -1, upper: 1 },
  ]);
  const found = withFullTurns(arm, Float64Array.of(1 + turn, 0.5), Float64Array.of(-2, 0));
  expect(found.map((q) => [...q])).toEqual([
    [expect.closeTo(1, 12), 0.5],
    [expect.closeTo(1 - turn, 12), 0.5],
  ]);
});

test('none is offered where a joint has no value within limits', () => {
  const arm = chainOf([{ lower: -1, upper: 1 }]);
  expect(withFullTurns(arm, Float64Array.of(2), Float64Array.of(0))).toEqual([]);
  expect(withFullTurns(arm, Float64Array.of(1 + 5e-10), Float64Array.of(0))).toEqual([Float64Array.of(1)]);
});

test('at a limit of a whole turn, all three values are there', () => {
  const arm = chainOf([{ lower: -turn, upper: turn }]);
  const found = withFullTurns(arm, Float64Array.of(0), Float64Array.of(0.1), { perJoint: 9 });
  expect(found.map(([value]) => value)).toEqual([0, turn, -turn]);
});

test('continuous joints turn either way, slides and fractions of a follower never', () => {
  const arm = chainOf([
    { type: 'continuous' },
    { type: 'prismatic', lower: -9, upper: 9 },
    { lower: -9, upper: 9 },
    { type: 'continuous', ...follows('joint3', 0.5) },
    { lower: -9, upper: 9 },
    { type: 'continuous', ...follows('joint5', -2) },
  ]);
  expect(turnableVariables(arm)).toEqual([true, false, false, true]);
  const found = withFullTurns(arm, Float64Array.of(0, 7, 7, 1), Float64Array.of(3, 0, 0, 0));
  expect(new Set(found.map(([, slide]) => slide))).toEqual(new Set([7]));
  expect(new Set(found.map(([, , lead]) => lead))).toEqual(new Set([7]));
  expect(found[0][0]).toBe(0);
  expect(found).toHaveLength(4);
});

test('of arms with very many combinations, the nearest are offered all the same', () => {
  const arm = chainOf(Array.from({ length: 60 }, () => ({ lower: -turn, upper: turn })));
  const q = Float64Array.from({ length: 60 }, (_, i) => 0.05 * (i + 1));
  const found = withFullTurns(arm, q, new Float64Array(60), { most: 12 });
  expect(found).toHaveLength(12);
  expect(found[0]).toEqual(q);
  // the last joints are nearest to half a turn
  for (const [k, one] of found.slice(1, 4).entries()) {
    const turned = [...one.keys()].filter((i) => one[i] !== q[i]);
    expect(turned).toEqual([59 - k]);
    expect(one[59 - k]).toBeCloseTo(q[59 - k] - turn, 12);
  }
  const still = withFullTurns(arm, new Float64Array(60).fill(Math.PI), new Float64Array(60), { most: 3 });
  expect(still.map((one) => one.every((value) => Math.abs(Math.abs(value) - Math.PI) < 1e-12))).toEqual([
    true,
    true,
    true,
  ]);
});
