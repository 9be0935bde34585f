import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../../src/core/collision/motions/motionProver.ts';
import { PathProofs } from '../../../../src/core/collision/proofs/pathProofs.ts';
import { proverDefaults } from '../../../../src/core/collision/proofs/proverOptions.ts';
import { proveUnlessInterrupted } from '../../../../src/core/collision/proofs/proverPool.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import {
  CertifiedMotionValidator,
  EdgeProofs,
} from '../../../../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { create } from '../../../../src/core/math/transform.ts';
import { lineCubic } from '../../../helpers/lineCubic.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';

/** The next double away from zero. */
function nextUp(value: number): number {
  const bits = new BigInt64Array(1);
  const view = new Float64Array(bits.buffer);
  view[0] = value;
  bits[0]++;
  return view[0];
}

/** A random robot of several joints among obstacles, with an edge that its validator certifies. */
function certifiedEdge(random: Random, padding = 0, obstacles = 4) {
  for (;;) {
    const robot = createRobotModel(randomRobot(random, 5));
    if (robot.dof < 3) continue;
    const model = new CollisionModel(robot, sceneOf(randomObstacles(random, obstacles, 2.5), { padding }));
    if (model.pairCount === 0) continue;
    const manager = new CollisionManager(model);
    const space = new RobotJointSpace(robot);
    const validator = new CertifiedMotionValidator(manager, space, undefined, { storesProofs: true });
    const [qFrom, target, qTo] = [0, 1, 2].map(() => new Float64Array(robot.dof));
    space.sample(qFrom, random);
    space.sample(target, random);
    space.interpolate(qTo, qFrom, target, 0.1);
    if (!manager.isCollisionFree(qFrom) || !validator.isMotionValid(qFrom, qTo)) continue;
    const proofs = validator.proofs!;
    if (proofs.has(qFrom, qTo)) return { model, manager, space, validator, proofs, qFrom, qTo };
  }
}

describe('EdgeProofs', () => {
  test('an edge whose end differs by one unit in the last place, full turns or a sign of zero is not stored', () => {
    const random = new Random(1);
    for (let i = 0; i < 20; i++) {
      const { proofs, qFrom, qTo } = certifiedEdge(random);
      for (const end of [qFrom, qTo]) {
        for (let j = 0; j < end.length; j++) {
          const value = end[j];
          for (const other of [nextUp(value), -value, value + 2 * Math.PI, value - 2 * Math.PI, Number.NaN]) {
            end[j] = other;
            expect(proofs.has(qFrom, qTo), `${value} became ${other}`).toBe(Object.is(other, value));
          }
          end[j] = value;
        }
      }
      expect(proofs.has(qFrom, qTo)).toBe(true);
    }
  });

  test('the reversed edge, parts of an edge and an edge to itself are not stored', () => {
    const random = new Random(2);
    for (let i = 0; i < 20; i++) {
      const { space, proofs, qFrom, qTo } = certifiedEdge(random);
      const middle = new Float64Array(space.dof);
      space.interpolate(middle, qFrom, qTo, 0.5);
      expect(proofs.has(qTo, qFrom)).toBe(false);
      expect(proofs.has(qFrom, middle)).toBe(false);
      expect(proofs.has(middle, qTo)).toBe(false);
      expect(proofs.has(qFrom, qFrom)).toBe(false);
      expect(proofs.has(qFrom.subarray(1), qTo.subarray(1))).toBe(false);
      expect(proofs.has(qFrom.subarray(1), Float64Array.of(...qTo, 0))).toBe(false);
    }
  });

  test('zeros of both signs are different states', () => {
    const { manager, space } = certifiedEdge(new Random(3));
    const proofs = new EdgeProofs(manager.posed, 0);
    const zero = new Float64Array(space.dof);
    proofs.add(zero, zero);
    expect(proofs.has(zero, zero)).toBe(true);
    expect(
      proofs.has(
        zero,
        zero.map(() => -0),
      ),
    ).toBe(false);
  });

  test('proofs hold for the same parts, obstacles and padding only', () => {
    const { model, manager, proofs, qFrom, qTo } = certifiedEdge(new Random(4), 0.01);
    const { posed } = manager;
    expect(proofs.holdsFor(posed, 0.01)).toBe(true);
    expect(proofs.holdsFor(posed, 0)).toBe(false);
    expect(proofs.holdsFor(posed, nextUp(0.01))).toBe(false);
    expect(proofs.holdsFor(posed, Number.NaN)).toBe(false);
    expect(proofs.holdsFor(new CollisionManager(model).posed, 0.01)).toBe(false);
    const covers = new PathProofs(proofs, [qFrom, qTo]).coverage(posed, 0.01);
    expect(covers(lineCubic(qFrom, qTo, 0, 1))).toBe(true);
    posed.moveObstacle(0, create());
    expect(proofs.holdsFor(posed, 0.01)).toBe(false);
    expect(covers(lineCubic(qFrom, qTo, 0, 1))).toBe(false);
    const other = qTo.map((value) => value + 1);
    proofs.add(qFrom, other);
    expect(proofs.has(qFrom, other)).toBe(false);
  });

  test('the number of stored edges is bounded, and stored states are copies', () => {
    const { manager, space } = certifiedEdge(new Random(5));
    const proofs = new EdgeProofs(manager.posed, 0);
    const q = new Float64Array(space.dof);
    const edge = (i: number) => [q.slice().fill(i), q.slice().fill(i + 1)] as const;
    for (let i = 0; i < 10_000; i++) {
      const [qFrom, qTo] = edge(i);
      proofs.add(qFrom, qTo);
      qFrom.fill(0.5);
    }
    expect(proofs.size).toBeLessThanOrEqual(4096);
    for (let i = 9000; i < 10_000; i++) expect(proofs.has(...edge(i))).toBe(true);
    for (let i = 0; i < 1000; i++) expect(proofs.has(...edge(i))).toBe(false);
    expect(proofs.has(q.slice().fill(0.5), edge(9999)[1])).toBe(false);
  });

  test('a validator stores what it certifies, in that direction, and nothing else', () => {
    const random = new Random(6);
    let stored = 0;
    let refuted = 0;
    for (let i = 0; i < 40; i++) {
      const { model, space, validator, proofs, qFrom } = certifiedEdge(random, 0, 12);
      const target = new Float64Array(space.dof);
      for (let k = 0; k < 10; k++) {
        space.sample(target, random);
        const before = proofs.size;
        const isValid = validator.isMotionValid(qFrom, target);
        if (!isValid) {
          refuted++;
          expect(proofs.size).toBe(before);
          expect(proofs.has(qFrom, target)).toBe(false);
          continue;
        }
        if (!proofs.has(qFrom, target)) continue; // a continuous joint takes the shorter rotation
        stored++;
        const motion = new StraightMotion(space.dof);
        motion.qFrom = qFrom;
        motion.qTo = target;
        expect(new MotionProver(new CollisionManager(model).posed, proverDefaults, 0.5).prove(motion)).toBe(
          'certified',
        );
      }
    }
    expect(stored).toBeGreaterThan(10);
    expect(refuted).toBeGreaterThan(50);
  });

  test('a state that a callback changes during the check is not stored as it was, or as it became', () => {
    const random = new Random(7);
    let changed = 0;
    for (let i = 0; i < 30; i++) {
      const { model, space, qFrom, qTo } = certifiedEdge(random, 0, 12);
      const start = qFrom.slice();
      const end = qTo.slice();
      const manager = new CollisionManager(model, {
        wrapChecker: (checker) => ({
          ...checker,
          check: (...given: Parameters<typeof checker.check>) => {
            qTo[0] += 0.125; // through whatever is there
            changed++;
            return checker.check(...given);
          },
        }),
      });
      const validator = new CertifiedMotionValidator(manager, space, undefined, { storesProofs: true });
      validator.isMotionValid(qFrom, qTo);
      const motion = new StraightMotion(space.dof);
      for (const to of [end, qTo]) {
        if (!validator.proofs!.has(start, to)) continue;
        motion.qFrom = start;
        motion.qTo = to;
        expect(new MotionProver(new CollisionManager(model).posed, proverDefaults, 0.5).prove(motion)).toBe(
          'certified',
        );
      }
    }
    expect(changed).toBeGreaterThan(0);
  });
});

test('a proof during which the interrupt began another proof is undecided', () => {
  const random = new Random(8);
  const robot = createRobotModel(randomRobot(random, 6));
  const model = new CollisionModel(robot, sceneOf(randomObstacles(random, 3000, 60)));
  const { posed } = new CollisionManager(model);
  const prover = new MotionProver(posed);
  const [motion, short] = [0, 1].map(() => new StraightMotion(robot.dof));
  motion.qTo.fill(0.3);
  short.qTo.fill(0);
  const recorder = { record: () => {} };
  let calls = 0;
  const nested = () => {
    if (calls++ > 0) prover.prove(short);
    return false;
  };
  const alone = proveUnlessInterrupted(prover, motion, () => calls++ > 1e6, recorder);
  expect(calls).toBeGreaterThan(1);
  expect(alone).toBeDefined();
  calls = 0;
  expect(proveUnlessInterrupted(prover, motion, nested, recorder)).toBeUndefined();
});
