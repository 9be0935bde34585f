import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../src/core/collision/model/posedParts.ts';
import { CubicMotion, type Motion, StraightMotion } from '../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../src/core/collision/motions/motionProver.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import type { Pose, RobotDescription } from '../../src/core/kinematics/robotModel.ts';
import { Random } from '../../src/core/math/random.ts';
import type { Obstacle } from '../../src/core/scene/scene.ts';
import { certifyTrajectory } from '../../src/tasks/checking/certifyTrajectory.ts';
import { proofDefaults } from '../../src/tasks/checking/proofLimits.ts';
import { randomObstacles, randomRobot, sceneOf } from '../helpers/robots.ts';

/** Whole powers of two: a world of the same numbers, moved without rounding. */
const FAR = 2 ** 22;
const LATE = 2 ** 36;
/** Seconds: an odd number of units in the last place there. */
const DURATION = 1 + 2 ** -16;
const GRID = 2 ** 20;
/** Fine enough to be led astray, and soon at its end. */
const quick = { resolution: 1e-6, intervals: 3000 };
/** Metres by which a motion comes too near at home, for sure. */
const TOO_NEAR = 1e-8;

function moved({ xyz, quat_wxyz }: Pose, by: number): Pose {
  const at = xyz.map((x) => Math.round(x * GRID) / GRID + by);
  return { xyz: [at[0], at[1], at[2]], quat_wxyz };
}

function posedAt(robot: RobotDescription, obstacles: readonly Obstacle[], padding: number, by: number): PosedParts {
  const pose = moved({ xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] }, by);
  const bodies = obstacles.map((body) => ({ ...body, pose: moved(body.pose, by) }));
  return new PosedParts(new CollisionModel(createRobotModel(robot, { pose }), sceneOf(bodies, { padding })));
}

/** The padding at which a motion is no longer certified, from below; undefined where none is small enough. */
function greatestPadding(posed: (padding: number) => PosedParts, motion: Motion): number | undefined {
  const isCertified = (padding: number) =>
    new MotionProver(posed(padding), proofDefaults).prove(motion) === 'certified';
  let [lower, upper] = [1e-3, 1];
  if (!isCertified(lower) || isCertified(upper)) return undefined;
  while (upper - lower > 1e-9) {
    const middle = 0.5 * (lower + upper);
    if (isCertified(middle)) lower = middle;
    else upper = middle;
  }
  return upper;
}

/**
 * A nanometre is what the prover left for rounding, wherever the robot was and whatever the clock showed: 4000 km away,
 * or at times of which a unit in the last place is microseconds, motions were certified that came too near by more than
 * that.
 */
describe('rounding far from zero is left to no motion', () => {
  const random = new Random(5);
  const worlds = Array.from({ length: 16 }, () => {
    const robot = randomRobot(random, 3 + random.below(3));
    const obstacles = randomObstacles(random, 3, 1.2);
    const { dof } = createRobotModel(robot);
    return { robot, obstacles, dof, numbers: Float64Array.from({ length: 4 * dof }, () => random.between(-1, 1)) };
  });

  test('in place', () => {
    let tried = 0;
    for (const { robot, obstacles, dof, numbers } of worlds) {
      const motion = new StraightMotion(dof);
      motion.qFrom.set(numbers.subarray(0, dof));
      motion.qTo.set(numbers.subarray(dof, 2 * dof));
      const greatest = greatestPadding((padding) => posedAt(robot, obstacles, padding, 0), motion);
      if (greatest === undefined) continue;
      tried++;
      const posed = posedAt(robot, obstacles, greatest + TOO_NEAR, FAR);
      expect(new MotionProver(posed, quick).prove(motion)).not.toBe('certified');
    }
    expect(tried).toBeGreaterThan(3);
  });

  test('in a state', () => {
    let tried = 0;
    for (const { robot, obstacles, dof, numbers } of worlds) {
      const q = numbers.subarray(0, dof);
      const { distance } = new CollisionManager(posedAt(robot, obstacles, 0, 0).model).clearance(q);
      if (!(distance > 0 && distance < Number.POSITIVE_INFINITY)) continue;
      tried++;
      const far = new CollisionManager(posedAt(robot, obstacles, distance + TOO_NEAR / 10, FAR).model);
      expect(far.isCollisionFree(q)).toBe(false);
      expect(far.firstCollision(q)).toBeDefined();
    }
    expect(tried).toBeGreaterThan(3);
  });

  test('in time', () => {
    let tried = 0;
    for (const { robot, obstacles, numbers } of worlds) {
      const motion = new CubicMotion(0, DURATION, numbers);
      const late = new CubicMotion(LATE, LATE + DURATION, numbers);
      const greatest = greatestPadding((padding) => posedAt(robot, obstacles, padding, 0), motion);
      if (greatest === undefined) continue;
      tried++;
      const posed = posedAt(robot, obstacles, greatest + TOO_NEAR, 0);
      expect(new MotionProver(posed, quick).prove(late)).not.toBe('certified');
    }
    expect(tried).toBeGreaterThan(2);
  });

  test('and certificates from there are verified', () => {
    let certified = 0;
    for (const { robot, obstacles, dof, numbers } of worlds) {
      const posed = posedAt(robot, obstacles, 0, 2 ** 20);
      const { robot: model, scene } = posed.model;
      const points = [0, 1, 2].map((k) => ({ positions: Array.from(numbers.subarray(k * dof, (k + 1) * dof)) }));
      const motion = { jointNames: model.variables.map(({ name }) => name), points };
      const certificate = certifyTrajectory(posed, motion);
      if (certificate === undefined) continue;
      certified++;
      expect(verifyCertificate(certificate, model, scene, motion).problems).toEqual([]);
    }
    expect(certified).toBeGreaterThan(2);
  });
});
