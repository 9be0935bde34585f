import { expect, test } from 'vitest';
import { Lagrangian } from '../../core/dynamics/arm/oracle.ts';
import { randomArm, uniform } from '../../core/dynamics/arm/randomArm.ts';
import { attackTorques } from './torqueAttack.ts';
import { createTorqueOracle, ownBodies } from './torqueOracle.ts';

test('the oracle of the attack computes the torques of Lagrange', () => {
  for (let seed = 1; seed <= 6; seed++) {
    const arm = randomArm(seed);
    const joints = arm.joints.map((joint) => ({ ...joint, drive: {} }));
    const robot = { ...arm, joints };
    const random = uniform(seed);
    const [q, v, a] = [0, 1, 2].map(() => arm.variables.map(() => 2 * random() - 1));
    const torques = createTorqueOracle(robot, ownBodies(robot), [0, 0, -9.81])(q, v, a);
    for (const [k, torque] of new Lagrangian(robot).torques(q, v, a).entries())
      expect(Math.abs(torques[k] - torque)).toBeLessThan(1e-4 * (1 + Math.abs(torque)));
  }
});

test('a motion whose joints rest at both ends is proved although friction would exceed a limit the other way', () => {
  for (const seed of [20107, 20363])
    expect(attackTorques(seed, 100)).toMatchObject({ isProved: true, isVerified: true });
});

test('no proved motion exceeds a torque at a sample, and no false certificate is accepted', () => {
  let [proved, changes] = [0, 0];
  for (let seed = 1; seed <= 12; seed++) {
    const { factor, isProved, isVerified, ...all } = attackTorques(seed, 100);
    if (isProved && factor < 0.995) expect.fail(`seed ${seed}: proved with limits of ${factor} of the torque`);
    if (!isProved && factor >= 1.05) expect.fail(`seed ${seed}: not proved with limits of ${factor} of the torque`);
    expect(all.accepted, `seed ${seed}`).toBe(0);
    if (isVerified) proved++;
    changes += all.changes;
  }
  expect(proved).toBeGreaterThan(2);
  expect(changes).toBeGreaterThan(8);
});
