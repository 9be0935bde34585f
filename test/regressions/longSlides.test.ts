import { expect, test } from 'vitest';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../src/core/collision/model/posedParts.ts';
import { Random } from '../../src/core/math/random.ts';
import { certifyTrajectory } from '../../src/tasks/checking/certifyTrajectory.ts';
import { joint, link, robotOf } from '../core/certificate/worlds.ts';
import { randomObstacles, sceneOf } from '../helpers/robots.ts';

/**
 * The checker took the metres of a slide for radians, and 18 times its travel for where it gets to: what it took off
 * the gaps of a gantry for rounding was more than the nanometre that the prover leaves, and certificates of motions
 * across the hall were refused.
 */
test('certificates of long slides are verified', () => {
  const robot = robotOf(
    [
      link('frame'),
      link('bridge'),
      link('car', [{ type: 'box', size: [0.2, 0.2, 0.1] }]),
      link('mast', [{ type: 'box', size: [0.08, 0.08, 0.6] }]),
      link('hand', [{ type: 'capsule', radius: 0.04, length: 0.2 }]),
    ],
    [
      joint('prismatic', ['frame', 'bridge'], [1, 0, 0]),
      joint('prismatic', ['bridge', 'car'], [0, 1, 0]),
      joint('prismatic', ['car', 'mast'], [0, 0, 1]),
      joint('continuous', ['mast', 'hand'], [0, 0.6, 0.8]),
    ],
  );
  const random = new Random(3);
  let certified = 0;
  for (let world = 0; world < 60; world++) {
    const scene = { ...sceneOf(randomObstacles(random, 3, 3)), padding: random.between(0, 0.02) };
    const ends = [-8, 8].map((x) => [x + random.next(), random.between(-4, 4), random.between(-3, 3), random.next()]);
    const motion = {
      jointNames: robot.variables.map(({ name }) => name),
      points: ends.map((positions) => ({ positions })),
    };
    const certificate = certifyTrajectory(new PosedParts(new CollisionModel(robot, scene)), motion);
    if (certificate === undefined) continue;
    certified++;
    expect(verifyCertificate(certificate, robot, scene, motion).problems, `world ${world}`).toEqual([]);
  }
  expect(certified).toBeGreaterThan(20);
});
