import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../../src/core/collision/motions/motionProver.ts';
import { proverDefaults } from '../../../../src/core/collision/proofs/proverOptions.ts';
import { ProverPool } from '../../../../src/core/collision/proofs/proverPool.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';

/** Everything that a proof returns and records. */
function outcomeOf(prover: MotionProver, motion: StraightMotion, isRecorded: boolean): string {
  const planes: number[][] = [];
  const verdict = prover.prove(motion, isRecorded ? { record: (...plane) => planes.push(plane) } : undefined);
  return JSON.stringify([verdict, verdict === 'certified' ? [] : [prover.pair, prover.time], planes]);
}

test('a prover that was taken back proves as a new one, whatever it did before', () => {
  const random = new Random(11);
  const different: string[] = [];
  const verdicts = new Set<string>();
  for (let world = 0; world < 25; world++) {
    const robot = createRobotModel(randomRobot(random, 3 + random.below(4)));
    const padding = random.below(2) * 0.01;
    const model = new CollisionModel(robot, sceneOf(randomObstacles(random, 8, 2), { padding }));
    const { posed } = new CollisionManager(model);
    const pool = new ProverPool(posed);
    const randomLine = () => {
      const motion = new StraightMotion(robot.dof);
      motion.qFrom = Float64Array.from({ length: robot.dof }, () => random.between(-1, 1));
      motion.qTo = motion.qFrom.map((value) => value + random.between(-0.6, 0.6));
      return motion;
    };
    for (let query = 0; query < 6; query++) {
      const prover = pool.take(proverDefaults, 0.5);
      const motion = randomLine();
      const isRecorded = random.below(2) === 0;
      const expected = outcomeOf(new MotionProver(posed, proverDefaults, 0.5), motion, isRecorded);
      if (outcomeOf(prover, motion, isRecorded) !== expected) different.push(`world ${world}, query ${query}`);
      verdicts.add(expected.slice(0, 8));
      for (let i = 0; i < 4; i++) prover.prove(randomLine());
      prover.setMaxJointValues(motion.qTo.map((value) => 1e6 * Math.abs(value)));
      prover.begin(randomLine(), { record: () => {} });
      prover.proceed(1); // interrupted within an interval
      pool.reclaim();
    }
  }
  expect(different).toEqual([]);
  expect(verdicts.size).toBeGreaterThan(1);
});

test('no prover is taken twice, nor for other limits', () => {
  const random = new Random(12);
  const model = new CollisionModel(createRobotModel(randomRobot(random, 4)), sceneOf(randomObstacles(random, 3, 2)));
  const { posed } = new CollisionManager(model);
  const pool = new ProverPool(posed);
  const first = pool.take(proverDefaults, 0.5);
  expect(pool.take(proverDefaults, 0.5)).not.toBe(first);
  pool.reclaim();
  const given: MotionProver[] = [
    pool.take(proverDefaults),
    pool.take({ ...proverDefaults, resolution: 0.01 }, 0.5),
    pool.take({ ...proverDefaults, intervals: 500 }, 0.5),
    pool.take({ ...proverDefaults, usesTables: false }, 0.5),
    pool.take({ ...proverDefaults, boxesOnlyFrom: 1 }, 0.5),
  ];
  expect(given).not.toContain(first);
  expect(new Set(given).size).toBe(given.length);
  const [again, second] = [0, 1].map(() => pool.take({ ...proverDefaults }, 0.5));
  expect(again).toBe(first);
  expect(second).not.toBe(first);
});
