import { expect, test } from 'vitest';
import { HoldingTorques } from '../../../src/tasks/forces/holding.ts';
import { joint, link, robotOf } from '../../core/certificate/worlds.ts';

test('no part of an edge is held without a check if a joint that slides has no limits', () => {
  const inertial = { mass: 2, center: [0.5, 0, 0] as const, inertia: [0.1, 0, 0, 0.1, 0, 0.1] };
  const more = { velocity: 1, acceleration: 1, effort: 100 };
  const robot = robotOf(
    [link('base'), { ...link('upper'), inertial }, { ...link('lower'), inertial }, { ...link('slider'), inertial }],
    [
      joint('continuous', ['base', 'upper'], [0, 1, 0], more),
      joint('continuous', ['upper', 'lower'], [0, 1, 0], more),
      joint('prismatic', ['lower', 'slider'], [1, 0, 0], more),
    ],
  );
  expect(robot.variables[2].limits.upper).toBe(Number.POSITIVE_INFINITY);
  const holding = new HoldingTorques(robot, { attached: [], torque: { scale: 1 } });
  expect(holding.areKept).toBe(false);
  // Upright, the first joint needs no torque; turned down by π/2, about 30 N m for each metre that the slider is out.
  const far = Float64Array.of(-Math.PI / 2, 0, 10);
  expect(holding.overload(far)).toBeUndefined();
  expect(holding.overload(Float64Array.of(0, 0, 10))?.joint).toBe('to_upper');
  for (const travel of [
    [Math.PI / 2, 0, 0],
    [0, Math.PI / 2, 0],
    [1, 1, 1],
  ]) {
    expect(holding.room(far, travel) >= 1).toBe(false);
  }
});
