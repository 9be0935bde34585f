import { expect, test } from 'vitest';
import { createArmModel } from '../../../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../../../src/core/dynamics/arm/inverseDynamics.ts';
import { TorqueProver } from '../../../../src/core/dynamics/arm/torqueProver.ts';
import { TrajectoryCurve } from '../../../../src/core/trajectory/trajectoryCurve.ts';
import { randomArm, uniform } from './randomArm.ts';
import { randomMotion, rates } from './randomMotion.ts';

const none = (dof: number) => new Float64Array(dof).fill(Number.POSITIVE_INFINITY);

test.each([
  ['intervals', 1],
  ['intervals of whole pieces', Number.POSITIVE_INFINITY],
])('torques between the samples of random motions stay within their %s', (_, accuracy) => {
  for (let seed = 1; seed <= 60; seed++) {
    const robot = randomArm(seed);
    const random = uniform(seed);
    const motion = randomMotion(robot, random);
    const arm = createArmModel(robot);
    const dynamics = new InverseDynamics(arm);
    const curve = new TrajectoryCurve(motion);
    const { intervals } = new TorqueProver(arm).examine(curve, { limits: none(arm.dof), accuracy });
    let end = curve.start;
    const out = new Float64Array(arm.dof);
    for (const { from, to, lower, upper } of intervals) {
      expect(from).toBe(end);
      end = to;
      for (const share of [0, 0.003, 0.25, 0.5, 0.71, 0.999, 1]) {
        const t = from + share * (to - from);
        const { q, v, a } = rates(motion, Math.min(to, t), (from + to) / 2);
        dynamics.torques(out, q, v, a);
        for (let k = 0; k < arm.dof; k++) {
          const slack = 1e-9 * (1 + Math.abs(out[k]));
          if (out[k] < lower[k] - slack || out[k] > upper[k] + slack)
            expect.fail(`seed ${seed}, joint ${k}, t = ${t}: ${out[k]} is not within ${lower[k]} … ${upper[k]}`);
        }
      }
    }
    expect(end).toBe(curve.end);
  }
});

test('a peak that the prover reports is attained, and no torque exceeds its bound', () => {
  for (let seed = 100; seed < 112; seed++) {
    const robot = randomArm(seed);
    const motion = randomMotion(robot, uniform(seed));
    const arm = createArmModel(robot);
    const limits = new Float64Array(arm.dof).fill(1000);
    const accuracy = 1e-4;
    const { peaks } = new TorqueProver(arm).examine(new TrajectoryCurve(motion), { limits, accuracy });
    const dynamics = new InverseDynamics(arm);
    const out = new Float64Array(arm.dof);
    const most = new Float64Array(arm.dof);
    const end = motion.points.at(-1)!.time_from_start!;
    for (let i = 0; i <= 400; i++) {
      const t = (i / 400) * end;
      const { q, v, a } = rates(motion, t, t);
      dynamics.torques(out, q, v, a);
      for (let k = 0; k < arm.dof; k++) most[k] = Math.max(most[k], Math.abs(out[k]));
    }
    for (const [k, { value, bound }] of peaks.entries()) {
      expect(most[k]).toBeLessThanOrEqual(bound * (1 + 1e-9));
      // Next to a rest, the bound includes the friction of the other direction.
      expect(Math.abs(value)).toBeGreaterThanOrEqual(bound - 1.0001 * accuracy * 1000 - 2 * arm.friction[k]);
    }
  }
});

test('the excess of an interval is of second order in its length', () => {
  const robot = randomArm(3);
  const arm = createArmModel(robot);
  const motion = randomMotion(robot, uniform(3));
  const curve = new TrajectoryCurve(motion);
  const widths = [0.02, 0.01].map((length) => {
    const { intervals } = new TorqueProver(arm).examine(
      curve,
      { limits: none(arm.dof), accuracy: 1 },
      0.3,
      0.3 + length,
    );
    const dynamics = new InverseDynamics(arm);
    const out = new Float64Array(arm.dof);
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i <= 100; i++) {
      const { q, v, a } = rates(motion, 0.3 + (i / 100) * length, 0.3 + length / 2);
      dynamics.torques(out, q, v, a);
      most = Math.max(most, out[0]);
    }
    return Math.max(...intervals.map(({ upper }) => upper[0])) - most;
  });
  expect(widths[1]).toBeLessThan(widths[0] / 3);
});
