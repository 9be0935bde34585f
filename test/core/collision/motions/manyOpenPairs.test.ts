import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CubicMotion, type Motion, StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../../src/core/collision/motions/motionProver.ts';
import { proverDefaults } from '../../../../src/core/collision/proofs/proverOptions.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { IDENTITY_POSE } from '../../../../src/core/scene/scene.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';
import { slider } from '../../../tasks/slider.ts';

/** A random motion from a state: straight, or a cubic that swings out and returns part of the way. */
function randomMotion(random: Random, space: RobotJointSpace, start: Float64Array): Motion {
  const { dof } = space;
  const target = new Float64Array(dof);
  space.sample(target, random);
  const length = random.between(0.02, 2) / Math.max(1, space.distance(start, target));
  if (random.next() < 0.5) {
    const motion = new StraightMotion(dof);
    motion.qFrom = start.slice();
    space.interpolate(motion.qTo, start, target, length);
    return motion;
  }
  const coefficients = Float64Array.from({ length: 4 * dof }, (_, k) => {
    const j = k >> 2;
    return k % 4 === 0 ? start[j] : length * (target[j] - start[j]) * random.between(-0.5, 0.5);
  });
  return new CubicMotion(3, 4, coefficients);
}

/** Random robots among obstacles, at states that are free. */
function* worlds(seed: number, count: number, obstacles: number, padding: number) {
  const random = new Random(seed);
  for (let made = 0, tries = 0; made < count && tries < 100 * count; tries++) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(6)));
    if (robot.dof === 0) continue;
    const model = new CollisionModel(robot, sceneOf(randomObstacles(random, obstacles, 2), { padding }));
    const manager = new CollisionManager(model);
    const space = new RobotJointSpace(robot);
    const start = new Float64Array(robot.dof);
    space.sample(start, random);
    if (model.pairCount === 0 || !manager.isCollisionFree(start)) continue;
    made++;
    yield { random, model, manager, space, start, label: `seed ${seed}, world ${made}` };
  }
}

/** Verdict of a cold prover, with the pair and the time of one that is negative. */
function proof(model: CollisionModel, motion: Motion, boxesOnlyFrom: number, pieceLength?: number): unknown[] {
  const prover = new MotionProver(new CollisionManager(model).posed, { ...proverDefaults, boxesOnlyFrom }, pieceLength);
  const verdict = prover.prove(motion);
  return verdict === 'certified' ? [verdict] : [verdict, prover.pair, prover.time];
}

describe('MotionProver, if only boxes of many open pairs are checked', () => {
  test.each([
    [11, 12, 0],
    [12, 60, 0],
    [13, 60, 0.02],
  ])(
    'returns the verdicts, pairs and times as without (seed %i, %i obstacles, padding %f)',
    (seed, obstacles, padding) => {
      const counts = { certified: 0, collision: 0, unresolved: 0 };
      for (const { random, model, space, start, label } of worlds(seed, 14, obstacles, padding)) {
        for (let i = 0; i < 8; i++) {
          const motion = randomMotion(random, space, start);
          const pieceLength = i % 2 === 0 ? undefined : 0.5;
          const expected = proof(model, motion, Number.POSITIVE_INFINITY, pieceLength);
          counts[expected[0] as keyof typeof counts]++;
          for (const from of [1, 5, 30]) expect(proof(model, motion, from, pieceLength), label).toEqual(expected);
        }
      }
      expect(counts.certified).toBeGreaterThan(4);
      expect(counts.collision).toBeGreaterThan(4);
    },
  );

  test('never certifies a motion with a sampled state in collision', () => {
    let certified = 0;
    for (const { random, model, manager, space, start, label } of worlds(14, 12, 30, 0)) {
      const q = new Float64Array(space.dof);
      for (let i = 0; i < 6; i++) {
        const motion = randomMotion(random, space, start);
        if (proof(model, motion, 1)[0] !== 'certified') continue;
        certified++;
        for (let k = 0; k <= 200; k++) {
          motion.positionAt(q, motion.start + (k / 200) * (motion.end - motion.start));
          expect(manager.isCollisionFree(q), `${label}, motion ${i}, sample ${k}`).toBe(true);
        }
      }
    }
    expect(certified).toBeGreaterThan(10);
  });

  test('decides the same in slices, and records the same planes', () => {
    let recorded = 0;
    for (const { random, model, manager, space, start, label } of worlds(15, 6, 60, 0)) {
      const motion = randomMotion(random, space, start);
      const prover = new MotionProver(manager.posed, { ...proverDefaults, boxesOnlyFrom: 1 });
      let verdict = prover.begin(motion);
      while (verdict === undefined) verdict = prover.proceed(7);
      expect([verdict], label).toEqual(proof(model, motion, 1).slice(0, 1));
      const planes = [1, Number.POSITIVE_INFINITY].map((boxesOnlyFrom) => {
        const spans: number[][] = [];
        const recorder = { record: (...span: number[]) => spans.push(span) };
        new MotionProver(new CollisionManager(model).posed, { ...proverDefaults, boxesOnlyFrom }).prove(
          motion,
          recorder,
        );
        return spans;
      });
      expect(planes[0], label).toEqual(planes[1]);
      recorded += planes[0].length;
    }
    expect(recorded).toBeGreaterThan(2000);
  });

  test('certifies a plate that slides 0.1 mm above 1600 boxes', () => {
    const description = slider();
    const links = description.links.map((link) =>
      link.name === 'ball'
        ? { ...link, collisions: [{ ...link.collisions[0], shape: { type: 'box', size: [2.5, 2.5, 0.02] } }] }
        : link,
    );
    const boxes = Array.from({ length: 1600 }, (_, i) => ({
      name: `box${i}`,
      parts: [{ shape: { type: 'box', size: [0.04, 0.04, 0.1] } }],
      pose: { ...IDENTITY_POSE, xyz: [0.06 * ((i % 40) - 20), 0.06 * (Math.floor(i / 40) - 20), -0.0601] as const },
    }));
    const model = new CollisionModel(createRobotModel({ ...description, links }), sceneOf(boxes));
    const motion = new StraightMotion(2);
    motion.qFrom.set([-0.25, 0]);
    motion.qTo.set([0.25, 0.1]);
    const prover = new MotionProver(new CollisionManager(model).posed);
    expect(prover.prove(motion)).toBe('certified');
    expect(prover.intervals).toBeLessThan(30);
  });
});
