import { expect, test } from 'vitest';
import type { LegKnot } from '../../../src/core/cartesian/legKnot.ts';
import { shiftedPath, withKnotsAt } from '../../../src/core/cartesian/motionPath.ts';
import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { armDescription } from '../world/oracle.ts';

const at = (...values: number[]) => Float64Array.from(values);
const knots: LegKnot[] = [0, 0.5, 1].map((s) => ({
  s,
  q: at(s, 0, 0),
  dq: at(1, 0, 0),
  isSearched: true,
  avoidsLimits: true,
}));
const model = createRobotModel(armDescription());
const tracker = new ToolTracker(model, tcpOf(model, undefined));

test('knots keep how they were found when a path is shifted by full turns, or given knots where it has them', () => {
  const shifted = shiftedPath({ knots, leg: undefined }, at(2 * Math.PI, 0, 0)).knots;
  const cut = withKnotsAt(tracker, { knots, leg: undefined }, [0.5])!.knots;
  for (const list of [shifted, cut])
    expect(list.map(({ isSearched, avoidsLimits }) => [isSearched, avoidsLimits])).toEqual(Array(3).fill([true, true]));
  expect(shifted.map(({ q }) => q[0])).toEqual([2 * Math.PI, 0.5 + 2 * Math.PI, 1 + 2 * Math.PI]);
});
