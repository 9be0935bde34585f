import { expect, test } from 'vitest';
import { createArmModel } from '../../../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../../../src/core/dynamics/arm/inverseDynamics.ts';
import { IDENTITY_POSE } from '../../../../src/core/scene/scene.ts';
import { Lagrangian } from './oracle.ts';
import { randomArm, uniform } from './randomArm.ts';

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);

test('torques, mass matrix and energy of random arms are those of Lagrange', () => {
  for (const seed of SEEDS) {
    const robot = randomArm(seed);
    const random = uniform(1000 + seed);
    const gravity = [3 * random(), -2 * random(), -9.81] as const;
    const load = { mass: 1.3, center: [0.1, -0.05, 0.2], inertia: [0.02, 0.03, 0.025, 0.001, 0, -0.002] } as const;
    const loads = [{ link: robot.links[robot.links.length - 1].name, pose: IDENTITY_POSE, properties: load }];
    const arm = createArmModel(robot, { gravity, loads });
    const dynamics = new InverseDynamics(arm);
    const oracle = new Lagrangian(robot, gravity, loads);
    const row = (size: number) => Array.from({ length: robot.dof }, () => size * (2 * random() - 1));
    const [q, v, a] = [row(2), row(3), row(6)];
    const out = new Float64Array(robot.dof);
    dynamics.torques(out, q, v, a);
    const drive = v.map(
      (rate, k) => arm.armature[k] * a[k] + arm.damping[k] * rate + arm.friction[k] * Math.sign(rate),
    );
    const want = oracle.torques(q, v, a).map((torque, k) => torque + drive[k]);
    for (const k of out.keys()) expect(out[k], `seed ${seed}, joint ${k}`).toBeCloseTo(want[k], 3);
    const M = dynamics.massMatrix(q);
    for (const [i, own] of oracle.massMatrix(q).entries())
      for (const [k, x] of own.entries()) expect(M[i][k]).toBeCloseTo(x + (i === k ? arm.armature[i] : 0), 5);
    const energy = v.reduce((sum, x, i) => sum + v.reduce((s, y, k) => s + (x * M[i][k] * y) / 2, 0), 0);
    expect(dynamics.momentum(q, v).energy).toBeCloseTo(energy, 8);
  }
});

test('linear momentum is the mass times the velocity of the center of mass', () => {
  const robot = randomArm(7);
  const dynamics = new InverseDynamics(createArmModel(robot));
  const q = Array.from({ length: robot.dof }, (_, k) => 0.3 * k - 0.2);
  const v = q.map((_, k) => 1 - 0.4 * k);
  const h = 1e-6;
  // The potential in a unit field along each axis is minus the moment of mass along it.
  const moment = (axis: readonly [number, number, number], s: number) =>
    -new Lagrangian(robot, axis).potential(q.map((x, k) => x + s * v[k]));
  const { linear } = dynamics.momentum(q, v);
  for (const [i, axis] of (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).entries())
    expect(linear[i]).toBeCloseTo((moment(axis, h) - moment(axis, -h)) / (2 * h), 5);
});
