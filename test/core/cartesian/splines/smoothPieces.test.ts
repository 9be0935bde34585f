import { expect, test } from 'vitest';
import { type SplineRules, smoothPieces } from '../../../../src/core/cartesian/splines/smoothPieces.ts';
import { ToolTracker } from '../../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { linkNamed } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import { create } from '../../../../src/core/math/transform.ts';
import { motionFaults } from '../../../../src/core/trajectory/trajectoryLimits.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';

/** Motion of six joints along a straight joint path of 1 rad from rest to rest. */
async function straight(given: Omit<SplineRules, 'interval'>) {
  const model = createRobotModel(await loadRobot('ur5e'));
  const tracker = new ToolTracker(model, { link: linkNamed(model, 'tool0'), T_link_frame: create() });
  const all = (value: number) => new Float64Array(model.dof).fill(value);
  const knots = Array.from({ length: 11 }, (_, k) => ({ s: k / 10, q: all(k / 10), dq: all(1) }));
  const limits = { lower: all(-2), upper: all(2), velocity: all(1), acceleration: all(5), jerk: all(50) };
  const rule = { speed: 1, acceleration: 1, pathSpeed: 10, tcpSpeed: Number.POSITIVE_INFINITY };
  const rules = new Array(knots.length - 1).fill(rule);
  const motion = smoothPieces(tracker, knots, limits, rules, { interval: 8e-3, ...given });
  const jointNames = model.variables.map(({ name }) => name);
  const faults = motion && motionFaults({ jointNames, points: motion.points, interpolation: 'cubic' }, limits);
  return { motion, faults };
}

test('along a straight path, the motion takes at most 1.01 times as long as the fastest one', async () => {
  // each change of the velocity v = 1 takes v / a + a / j with a = 5 and j = 50; the mean velocity is half of v then
  const fastest = 1 + 1 / 5 + 5 / 50;
  for (const angle of [1e-9, 1e-3]) {
    const { motion, faults } = await straight({ near: { position: 1e-3, angle } });
    expect(faults).toEqual([]);
    expect(motion!.points.at(-1)!.time_from_start).toBeLessThan(1.01 * fastest);
    expect(motion!.points.at(-1)!.time_from_start).toBeGreaterThan(0.9999 * fastest);
  }
});

test('intervals are halved where a motion deviates again and again, and there is no motion with too many', async () => {
  const deviating = (times: number) =>
    straight({ near: { position: 1e-3, angle: 1e-3 }, halvings: Uint8Array.of(0, 0, 0, times, 0, 0, 0, 0, 0, 0) });
  const count = async (times: number) => (await deviating(times)).motion!.points.length - 1;
  const pieces = await count(0);
  expect(await count(2)).toBe(pieces);
  expect(Math.abs((await count(4)) - 4 * pieces)).toBeLessThan(8);
  expect((await deviating(14)).motion).toBeUndefined();
});
