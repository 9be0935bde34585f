import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { InverseKinematics } from '../../../src/core/kinematics/inverseKinematics.ts';
import { Random } from '../../../src/core/math/random.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { deviatingArm } from '../../robots/deviatingArm.ts';
import { poseOf, randomStates, UR } from '../../robots/loaded.ts';

/** True up to full turns. */
const same = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).every((value, i) => Math.abs(Math.sin((value - b[i]) / 2)) < 1e-3);

test.each(UR)('calibrated arms of %s are solved from the nominal closed form to 1e-9', async (name) => {
  const nominal = await loadRobot(name);
  let [missed, total, found] = [0, 0, 0];
  for (let k = 0; k < 12; k++) {
    const model = createRobotModel(deviatingArm(nominal, 100 + k));
    const ik = new InverseKinematics(
      model,
      model.links.findIndex((link) => link.name === 'tool0'),
    );
    expect(ik.closedForm).toBe(false);
    for (const q of randomStates(model, 10, k)) {
      const T = poseOf(model, 'tool0', q).slice();
      const { solutions } = ik.solve(T, new Float64Array(6), new Random(k));
      total++;
      if (!solutions.some((one) => same(one.q, q))) missed++;
      for (const { positionError, angleError } of solutions) {
        expect(positionError).toBeLessThan(1e-9);
        expect(angleError).toBeLessThan(1e-9);
      }
      found += solutions.length;
    }
  }
  expect(missed).toBeLessThanOrEqual(0.02 * total); // next to singular states
  expect(found).toBeGreaterThan(6 * total);
});
