import { expect, test } from 'vitest';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../src/core/collision/model/posedParts.ts';
import { CubicMotion } from '../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../src/core/collision/motions/motionProver.ts';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../src/core/math/random.ts';
import { randomObstacles, randomRobot, sceneOf } from '../helpers/robots.ts';

/**
 * Where a plane was shown to hold for exactly half an interval to either side, its span was written down as middle ±
 * half. For times that are not dyadic that is rounded away from the interval's end, so that a span now and then began a
 * unit in the last place after the one before had ended, and the certificate had a hole.
 */
test('spans meet to the last digit, whatever the times of the motion are', () => {
  const random = new Random(12);
  let certified = 0;
  for (let world = 0; world < 150; world++) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(6)));
    const posed = new PosedParts(new CollisionModel(robot, sceneOf(randomObstacles(random, 4, 1.5))));
    const coefficients = Float64Array.from({ length: 4 * robot.dof }, (_, i) => random.between(-1, 1) / (1 + (i % 4)));
    const motion = new CubicMotion(1 / 3, 1 / 3 + random.between(0.1, 0.5), coefficients);
    const spans = Array.from({ length: posed.model.pairCount }, (): [number, number][] => []);
    const record = (pair: number, from: number, to: number) => spans[pair].push([from, to]);
    if (new MotionProver(posed).prove(motion, { record }) !== 'certified') continue;
    certified++;
    for (const [pair, found] of spans.entries()) {
      let covered = motion.start;
      for (const [from, to] of found.sort(([a], [b]) => a - b)) if (from <= covered) covered = Math.max(covered, to);
      expect(covered, `world ${world}, pair ${pair}`).toBe(motion.end);
    }
  }
  expect(certified).toBeGreaterThan(40);
});
