import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CubicMotion } from '../../../../src/core/collision/motions/motion.ts';
import { EdgeCover } from '../../../../src/core/collision/proofs/pathProofs.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../../src/core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { cases } from '../../../cases.ts';
import { lineCubic } from '../../../helpers/lineCubic.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';

/** Random robots, with the ends of an edge. */
function* edges(seed: number, count: number, magnitude = 3) {
  const random = new Random(seed);
  while (count > 0) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(7)));
    if (robot.dof < 2) continue;
    const model = new CollisionModel(robot, sceneOf(randomObstacles(random, 2, 2)));
    const some = () => Float64Array.from({ length: robot.dof }, () => random.between(-magnitude, magnitude));
    const qFrom = some();
    const qTo = some();
    if (random.next() < 0.3) qTo[0] = qFrom[0];
    yield { random, model, qFrom, qTo };
    count--;
  }
}

/**
 * Distance (m) that the origins and unit points of all links move between a state of the cubic and the nearest state of
 * the edge, found by a search of its own: at most, over many instants.
 */
function displacement(robot: RobotModel, qFrom: Float64Array, qTo: Float64Array, cubic: CubicMotion): number {
  const [on, near] = [new RobotState(robot), new RobotState(robot)];
  const q = new Float64Array(robot.dof);
  let most = 0;
  for (let i = 0; i <= 40; i++) {
    cubic.positionAt(q, cubic.start + (i / 40) * (cubic.end - cubic.start));
    let dot = 0;
    let norm = 0;
    for (let j = 0; j < q.length; j++) {
      dot += (q[j] - qFrom[j]) * (qTo[j] - qFrom[j]);
      norm += (qTo[j] - qFrom[j]) ** 2;
    }
    const s = Math.max(0, Math.min(1, dot / norm));
    forwardKinematics(on, q);
    forwardKinematics(
      near,
      q.map((_, j) => qFrom[j] + s * (qTo[j] - qFrom[j])),
    );
    for (const [link, T] of on.T_world_link.entries())
      for (let k = 0; k < 3; k++) most = Math.max(most, Math.abs(T[4 * k + 3] - near.T_world_link[link][4 * k + 3]));
  }
  return most;
}

describe('EdgeCover', () => {
  test('contains the cubics of a motion along the edge, and of its parts', () => {
    for (const { random, model, qFrom, qTo } of edges(1, 200)) {
      const cover = new EdgeCover(model);
      const [from, to] = [random.between(0, 0.5), random.between(0.5, 1)];
      expect(cover.contains(qFrom, qTo, lineCubic(qFrom, qTo, 0, 1))).toBe(true);
      expect(cover.contains(qFrom, qTo, lineCubic(qFrom, qTo, from, to, random.next(), 1))).toBe(true);
      expect(cover.contains(qFrom, qTo, lineCubic(qFrom, qTo, to, from, 1, 1))).toBe(true);
    }
  });

  test('refutes a cubic that leaves the edge by a nanoradian, wherever it does', () => {
    let moved = 0;
    for (const { random, model, qFrom, qTo } of edges(2, cases(4000))) {
      const cover = new EdgeCover(model);
      const cubic = lineCubic(qFrom, qTo, random.between(0, 0.4), random.between(0.6, 1), 1, 1);
      const error = 10 ** random.between(-13, 0);
      const coefficient = random.below(cubic.coefficients.length);
      cubic.coefficients[coefficient] += random.next() < 0.5 ? error : -error;
      const away = displacement(model.robot, qFrom, qTo, cubic);
      if (away > 5e-10) moved++;
      if (cover.contains(qFrom, qTo, cubic)) expect(away).toBeLessThanOrEqual(5e-10 + 1e-13);
    }
    expect(moved).toBeGreaterThan(cases(1000));
  });

  test('refutes a cubic that passes an end of the edge, or swings beyond it and back', () => {
    for (const { random, model, qFrom, qTo } of edges(3, 500)) {
      const cover = new EdgeCover(model);
      const beyond = 10 ** random.between(-7, 0);
      expect(cover.contains(qFrom, qTo, lineCubic(qFrom, qTo, 0, 1 + beyond))).toBe(false);
      expect(cover.contains(qFrom, qTo, lineCubic(qFrom, qTo, -beyond, 1))).toBe(false);
      expect(cover.contains(qFrom, qTo, lineCubic(qFrom, qTo, 0, 1, -0.1, 1))).toBe(false);
      expect(cover.contains(qFrom, qTo, lineCubic(qFrom, qTo, 0, 1, 1, -0.1))).toBe(false);
      expect(cover.contains(qFrom, qTo, lineCubic(qFrom, qTo, 0, 1, 0, 8))).toBe(false);
    }
  });

  test('refutes numbers that are not finite, an edge without motion, and joint values that cost a nanometre', () => {
    for (const { model, qFrom, qTo } of edges(4, 50)) {
      const cover = new EdgeCover(model);
      expect(cover.contains(qFrom, qFrom, lineCubic(qFrom, qFrom, 0, 1))).toBe(false);
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
        const odd = qTo.slice().fill(value, 0, 1);
        expect(cover.contains(qFrom, odd, lineCubic(qFrom, qTo, 0, 1))).toBe(false);
        expect(cover.contains(qFrom, qTo, lineCubic(qFrom, odd, 0, 1))).toBe(false);
        expect(cover.contains(qFrom, odd, lineCubic(qFrom, odd, 0, 1))).toBe(false);
      }
      const { coefficients, start, end } = lineCubic(qFrom, qTo, 0, 1);
      const terms = Float64Array.from(qFrom, () => 1e9);
      if (model.robot.joints.some(({ type }) => type !== 'fixed'))
        expect(cover.contains(qFrom, qTo, new CubicMotion(start, end, coefficients, terms))).toBe(false);
    }
  });
});
