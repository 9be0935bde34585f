import { expect, test } from 'vitest';
import { createArmModel } from '../../../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../../../src/core/dynamics/arm/inverseDynamics.ts';
import { restBounds } from '../../../../src/core/dynamics/arm/restBounds.ts';
import { randomArm, uniform } from './randomArm.ts';

test('torques at rest and their changes along random edges stay within their bounds', () => {
  let nearest = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const random = uniform(seed);
    const arm = createArmModel(randomArm(seed), { gravity: [3 * random(), -2 * random(), -9.81] });
    const { dof } = arm;
    const { torques, slopes } = restBounds(arm, new Float64Array(dof).fill(2));
    const dynamics = new InverseDynamics(arm);
    const still = new Float64Array(dof);
    const atRest = (q: Float64Array) => {
      const out = new Float64Array(dof);
      dynamics.torques(out, q, still, still);
      return out;
    };
    for (let n = 0; n < 40; n++) {
      const from = still.map(() => 4 * random() - 2);
      const size = random();
      const to = from.map((x) => Math.min(2, Math.max(-2, x + size * (2 * random() - 1))));
      const [one, other] = [atRest(from), atRest(to)];
      for (let k = 0; k < dof; k++) {
        expect(Math.abs(one[k])).toBeLessThanOrEqual(torques[k] * (1 + 1e-12));
        nearest = Math.max(nearest, Math.abs(one[k]) / torques[k]);
        const change = from.reduce((sum, x, j) => sum + slopes[k * dof + j] * Math.abs(to[j] - x), 0);
        expect(Math.abs(other[k] - one[k])).toBeLessThanOrEqual(change + 1e-12 * torques[k]);
      }
    }
  }
  expect(nearest).toBeGreaterThan(0.9); // the bounds are not vacuous
});
