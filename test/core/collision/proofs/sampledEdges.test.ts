import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../../src/core/collision/motions/motionProver.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import {
  CertifiedMotionValidator,
  SampledEdgeValidator,
} from '../../../../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';

const STEP = 0.1;

/** Random robots near obstacles, so that many edges pass close to them. */
function* worlds(seed: number, count: number) {
  const random = new Random(seed);
  while (count > 0) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(5)));
    if (robot.dof < 2) continue;
    const padding = random.next() < 0.5 ? 0 : 0.01;
    const model = new CollisionModel(robot, sceneOf(randomObstacles(random, 10, 1.5), { padding }));
    const manager = new CollisionManager(model);
    const space = new RobotJointSpace(robot);
    const [qFrom, qTo] = [0, 1].map(() => new Float64Array(robot.dof));
    for (let i = 0; i < 30 && count > 0; i++) {
      space.sample(qFrom, random);
      if (model.pairCount === 0 || !manager.isCollisionFree(qFrom)) continue;
      for (let k = 0; k < 10; k++) {
        space.sample(qTo, random);
        space.interpolate(qTo, qFrom, qTo, random.between(0.05, 0.6));
        yield { model, manager, space, qFrom, qTo };
        count--;
      }
    }
  }
}

/** Checks the states of an edge at most STEP apart, and those of the approximate check. */
function areSamplesFree(manager: CollisionManager, space: RobotJointSpace, qFrom: Float64Array, qTo: Float64Array) {
  const q = new Float64Array(space.dof);
  for (const step of [STEP, 0.2]) {
    const pieces = Math.ceil(space.distance(qFrom, qTo) / step);
    for (let i = 0; i <= pieces; i++) {
      space.interpolate(q, qFrom, qTo, i / pieces);
      if (i > 0 && !manager.isCollisionFree(q)) return false;
    }
  }
  return true;
}

test('an edge is valid if and only if its states at most a step apart are free, and stored only if a fresh prover certifies it', () => {
  const counts = { valid: 0, stored: 0, sampled: 0, refused: 0 };
  for (const { model, manager, space, qFrom, qTo } of worlds(1, 1500)) {
    const validator = new SampledEdgeValidator(manager, space, STEP);
    const isCertified = new CertifiedMotionValidator(manager, space).isMotionValid(qFrom, qTo);
    const isValid = validator.isMotionValid(qFrom, qTo);
    if (isCertified) expect(isValid).toBe(true);
    expect(isValid).toBe(areSamplesFree(manager, space, qFrom, qTo));
    if (!isValid) {
      counts.refused++;
      expect(validator.proofs!.size).toBe(0);
      continue;
    }
    counts.valid++;
    if (validator.proofs!.size === 0) {
      counts.sampled++;
      continue;
    }
    if (!validator.proofs!.has(qFrom, qTo)) continue; // a continuous joint takes the shorter rotation
    counts.stored++;
    const motion = new StraightMotion(space.dof);
    motion.qFrom = qFrom;
    motion.qTo = qTo;
    expect(new MotionProver(new CollisionManager(model).posed).prove(motion)).toBe('certified');
  }
  expect(counts.stored).toBeGreaterThan(200);
  expect(counts.sampled).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(100);
});
