import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../../../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { cases } from '../../../cases.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';

/** Random worlds with some random motions each, of a hundredth of a radian to some turns. */
function* worlds(seed: number, count: number) {
  const random = new Random(seed);
  for (let made = 0; made < count; ) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(6)));
    const model = new CollisionModel(robot, sceneOf(randomObstacles(random, 6, 1.2)));
    if (robot.dof === 0 || model.pairCount === 0) continue;
    made++;
    const space = new RobotJointSpace(robot);
    const motions = Array.from({ length: 6 }, () => {
      const motion = new StraightMotion(robot.dof);
      space.sample(motion.qFrom, random);
      const target = new Float64Array(robot.dof);
      space.sample(target, random);
      const share = [0.01, 0.1, 0.5, 1][random.below(4)];
      motion.qTo = target.map((x, i) => motion.qFrom[i] + share * (x - motion.qFrom[i]));
      return motion;
    });
    yield { random, model, space, motions, label: `seed ${seed}, world ${made}` };
  }
}

test('a motion of a million radians is checked at a bounded number of states before its proof', () => {
  for (const { model, space, motions } of worlds(75, cases(4))) {
    if (space.halfTurns) continue;
    const manager = new CollisionManager(model);
    let states = 0;
    manager.isCollisionFree = () => {
      states++;
      return true;
    };
    manager.batch.areFree = (_, count) => {
      states += count;
      return true;
    };
    const [{ qFrom }] = motions;
    const qTo = qFrom.map((x) => x + 1e6);
    const validator = new CertifiedMotionValidator(manager, space);
    validator.isMotionValid(qFrom, qTo);
    expect(states).toBeGreaterThan(1000);
    expect(states).toBeLessThanOrEqual(1024);
    const before = states;
    validator.isMotionLikelyValid(qFrom, qTo);
    expect(states - before).toBe(before);
  }
});
