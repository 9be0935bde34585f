import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../../../src/core/collision/model/posedParts.ts';
import { StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { MotionProver, type MotionVerdict } from '../../../../src/core/collision/motions/motionProver.ts';
import { completed, proveInSlices, type Slices } from '../../../../src/core/collision/motions/slicedProof.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../../../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
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

/** Runs all works to their ends, a slice of a random one at a time. */
function interleaved<T>(random: Random, works: readonly Slices<T>[]): T[] {
  const results = new Map<number, T>();
  while (results.size < works.length) {
    const k = random.below(works.length);
    if (results.has(k)) continue;
    const { done, value } = works[k].next();
    if (done) results.set(k, value);
  }
  return works.map((_, k) => results.get(k)!);
}

describe('motions proved in slices, several at a time by one prover', () => {
  test('have the verdict, the pair and the time that a prover of their own finds in one go', () => {
    const seen = { certified: 0, collision: 0, unresolved: 0 };
    let pauses = 0;
    for (const { random, model, motions, label } of worlds(71, 40)) {
      const prover = new MotionProver(new PosedParts(model));
      const works = motions.map(function* (motion): Slices<readonly [MotionVerdict, number, number]> {
        const hold = () => pauses++;
        const verdict = yield* proveInSlices(prover, motion, { checks: 1 + random.below(8), hold });
        return verdict === 'certified' ? [verdict, 0, 0] : [verdict, prover.pair, prover.time];
      });
      for (const [k, found] of interleaved(random, works).entries()) {
        const own = new MotionProver(new PosedParts(model));
        const verdict = own.prove(motions[k]);
        seen[verdict]++;
        expect(found, `${label}, motion ${k}`).toEqual(
          verdict === 'certified' ? [verdict, 0, 0] : [verdict, own.pair, own.time],
        );
      }
    }
    expect(pauses).toBeGreaterThan(1000);
    expect(Math.min(seen.certified, seen.collision)).toBeGreaterThan(20);
  });

  test('a slice does about as many pair checks as it is given, however long the motion', () => {
    for (const { model, motions } of worlds(72, 6)) {
      const prover = new MotionProver(new PosedParts(model));
      const [motion] = motions;
      motion.qTo = motion.qFrom.map((x) => x + 1e6);
      const work = proveInSlices(prover, motion, { checks: 20 });
      for (let before = prover.intervals; !work.next().done; before = prover.intervals)
        expect(prover.intervals - before).toBeLessThanOrEqual(3); // posing counts as eight checks
    }
  });

  test('an abandoned proof frees the prover and reports its memory as released', () => {
    for (const { model, motions, label } of worlds(73, 10)) {
      const prover = new MotionProver(new PosedParts(model));
      const held: number[] = [];
      const work = proveInSlices(prover, motions[0], { checks: 1, hold: (bytes) => held.push(bytes) });
      if (work.next().done) continue;
      work.return('unresolved');
      expect(held.at(-1)).toBe(0);
      expect(prover.prove(motions[1]), label).toBe(new MotionProver(new PosedParts(model)).prove(motions[1]));
    }
  });

  test('the verdicts of interleaved motions are those of each motion alone', () => {
    const seen = [0, 0];
    for (const { random, model, space, motions, label } of worlds(74, 40)) {
      const create = () => new CertifiedMotionValidator(new CollisionManager(model), space);
      const shared = create();
      const works = motions.map(({ qFrom, qTo }) =>
        shared.validateInSlices(qFrom, qTo, { checks: 1 + random.below(10) }),
      );
      for (const [k, isValid] of interleaved(random, works).entries()) {
        expect(isValid, `${label}, motion ${k}`).toBe(create().isMotionValid(motions[k].qFrom, motions[k].qTo));
        seen[Number(isValid)]++;
      }
    }
    expect(Math.min(...seen)).toBeGreaterThan(20);
  });
});

test('a motion of a million radians is checked at a bounded number of states before its proof', () => {
  for (const { model, space, motions } of worlds(75, 4)) {
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
    completed(validator.validateInSlices(qFrom, qTo, { checks: 1000 }));
    expect(states).toBeGreaterThan(1000);
    expect(states).toBeLessThanOrEqual(1024);
    const before = states;
    validator.isMotionLikelyValid(qFrom, qTo);
    expect(states - before).toBe(before);
  }
});
