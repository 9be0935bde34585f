import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { baselineCheckers, baselineDistanceSolvers } from '../../../src/core/narrowphase/baselines.ts';
import { Epa } from '../../../src/core/narrowphase/depth/epa.ts';
import { GrowthGradient } from '../../../src/core/narrowphase/growth/gradientOfGrowth.ts';
import { GrowthDistance } from '../../../src/core/narrowphase/growth/growthDistance.ts';
import { GrowthGradientSolver } from '../../../src/core/narrowphase/growth/growthGradient.ts';
import { checkers, distanceSolvers } from '../../../src/core/narrowphase/index.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../helpers/robots.ts';
import { cubeVertices, smoothHull, superellipsoid, superNorm } from '../shapes/supportBodies.ts';
import { poseOf, randomTransform, slabAlong } from './helpers.ts';

const out = new Separation();
const at = (x: number, y: number, z: number) => poseOf([x, y, z], [1, 0, 0, 0]);
const everyDistance = Object.entries({ ...distanceSolvers, ...baselineDistanceSolvers });
const everyChecker = Object.entries({ ...checkers, ...baselineCheckers });

/** Radii and exponents: nearly an octahedron, round, nearly a box, and thin. */
const bodies: [number[], number][] = [
  [[1, 1, 1], 1.5],
  [[1, 0.5, 0.25], 3],
  [[1, 1, 0.02], 4],
  [[0.3, 0.3, 2], 6],
];

describe.each(bodies)('superellipsoids of radii %o and power %d', (radii, p) => {
  const shape = createShape(superellipsoid(radii, p));
  const random = new Random(61);

  test('the growth distance of two equal ones is half their norm of the vector between the centres', () => {
    const solver = new GrowthDistance({ relativeGap: 1e-9 });
    for (let i = 0; i < 200; i++) {
      const c = radii.map((radius) => random.between(-3, 3) * radius);
      solver.solve(out, shape, at(-c[0], -c[1], -c[2]), shape, new PairCache());
      const exact = superNorm(radii, p, c).value / 2;
      expect(out.growth.lower).toBeLessThanOrEqual(exact * (1 + 1e-10));
      expect(out.growth.upper).toBeGreaterThanOrEqual(exact * (1 - 1e-10));
      expect(out.growth.upper - out.growth.lower).toBeLessThan(1e-8 * exact);
      expect(out.status).toBe(exact > 1 ? 'separated' : 'colliding');
      for (const [name, { create }] of everyChecker) {
        const verdict = create().check(shape, at(-c[0], -c[1], -c[2]), shape, 0, new PairCache());
        expect(verdict, name).not.toBe(exact > 1 ? COLLIDING : SEPARATED);
        if (name in checkers) expect(verdict, name).toBe(exact > 1 ? SEPARATED : COLLIDING);
      }
    }
  });

  test('the gradient of the growth distance is half the gradient of the norm', () => {
    const solver = new GrowthGradientSolver();
    const gradient = new GrowthGradient();
    for (let i = 0; i < 20; i++) {
      const c = radii.map((radius) => random.between(0.5, 3) * radius);
      solver.solve(gradient, out, shape, at(-c[0], -c[1], -c[2]), shape);
      const exact = superNorm(radii, p, c).gradient;
      const size = Math.max(...exact.map(Math.abs));
      exact.forEach((x, k) => {
        expect(Math.abs(gradient.b[k] - x / 2)).toBeLessThan(1e-4 * size);
        expect(Math.abs(gradient.a[k] + x / 2)).toBeLessThan(1e-4 * size);
      });
    }
  });

  test('along an axis, distance and depth are those of the radii', () => {
    for (let axis = 0; axis < 3; axis++) {
      for (const factor of [3, 2.01, 1.999]) {
        const c = [0, 0, 0];
        c[axis] = factor * radii[axis];
        const gap = c[axis] - 2 * radii[axis];
        for (const [name, { create }] of everyDistance) {
          create().distance(out, shape, at(-c[0], -c[1], -c[2]), shape, Infinity, new PairCache());
          expect(out.distance.lower, name).toBeLessThanOrEqual(Math.max(0, gap) + 1e-13);
          expect(out.distance.upper, name).toBeGreaterThanOrEqual(Math.max(0, gap) - 1e-13);
          if (name in distanceSolvers) expect(out.distance.upper - out.distance.lower, name).toBeLessThan(1e-9);
        }
        if (gap >= 0) continue;
        new Epa().depth(out, shape, at(-c[0], -c[1], -c[2]), shape);
        expect(out.depth.upper).toBeLessThanOrEqual(-gap * (1 + 1e-4));
      }
    }
  });
});

describe('smooth hulls', () => {
  const p = 8;
  const shape = createShape(smoothHull(cubeVertices, p));
  const reach = (n: ArrayLike<number>) =>
    cubeVertices.reduce((sum, v) => sum + Math.max(0, v[0] * n[0] + v[1] * n[1] + v[2] * n[2]) ** p, 0) ** (1 / p);

  test('every distance is that of the plane along its normal, by the closed form of the support value', () => {
    const random = new Random(62);
    const solver = distanceSolvers['gjk'].create();
    let count = 0;
    for (let i = 0; i < 300; i++) {
      const T_b_a = randomTransform(random, 3);
      const sphere = createShape({ type: 'sphere', radius: 0.5 });
      solver.distance(out, sphere, T_b_a, shape, Infinity, new PairCache());
      if (out.status !== 'separated') continue;
      count++;
      const { normal: n, distance, witnessB } = out;
      const gap = -reach(n.map((x) => -x)) - (n[0] * T_b_a[3] + n[1] * T_b_a[7] + n[2] * T_b_a[11]) - 0.5;
      expect(Math.abs(gap - distance.lower)).toBeLessThan(1e-13);
      expect(distance.upper - distance.lower).toBeLessThan(1e-9);
      expect(Math.hypot(witnessB[0] - T_b_a[3], witnessB[1] - T_b_a[7], witnessB[2] - T_b_a[11]) - 0.5).toBeCloseTo(
        distance.upper,
        12,
      );
    }
    expect(count).toBeGreaterThan(100);
  });

  test('the growth distance from a half-space, and its gradient, are those of the support value', () => {
    const floor = createShape({ type: 'halfspace', normal: [0, 0, 1], margin: 0.25 });
    new GrowthDistance().solve(out, shape, at(0, 0, 3), floor, new PairCache());
    expect(out.growth.lower).toBeCloseTo(3 / (reach([0, 0, -1]) + 0.25), 13);
    expect(slabAlong(out.normal, { a: shape, T_b_a: at(0, 0, 3), b: floor })).toBeCloseTo(2.75 - reach([0, 0, 1]), 13);
  });

  test('the growth distance of two is differentiable, as their support values are', () => {
    const gradient = new GrowthGradient();
    const solver = new GrowthGradientSolver();
    const random = new Random(63);
    let smooth = 0;
    for (let i = 0; i < 40; i++) {
      const T_b_a = randomTransform(random, 2);
      if (solver.solve(gradient, out, shape, T_b_a, shape) && gradient.differentiable) smooth++;
    }
    expect(smooth).toBeGreaterThan(36);
  });
});

test('obstacles defined by support functions give the results of the spheres that they are', () => {
  const random = new Random(64);
  for (let round = 0; round < 5; round++) {
    const robot = createRobotModel(randomRobot(random, 5));
    const spheres = randomObstacles(random, 6, 1).map((body) => ({
      ...body,
      parts: [{ shape: { type: 'sphere', radius: random.between(0.05, 0.3) } }],
    }));
    const bySupport = spheres.map((body) => {
      const { radius } = body.parts[0].shape;
      return { ...body, parts: [{ shape: superellipsoid([radius, radius, radius], 2) }] };
    });
    const [expected, found] = [spheres, bySupport].map(
      (obstacles) => new CollisionManager(new CollisionModel(robot, sceneOf(obstacles))),
    );
    for (let i = 0; i < 100; i++) {
      const q = Float64Array.from(robot.variables, () => random.between(-1, 1));
      expect(found.isCollisionFree(q)).toBe(expected.isCollisionFree(q));
      expect(found.collidingPairs(q)).toEqual(expected.collidingPairs(q));
      expect(Math.abs(found.clearance(q).distance - expected.clearance(q).distance)).toBeLessThan(1e-7);
    }
  }
});
