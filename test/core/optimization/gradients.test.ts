import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { BodyGradient } from '../../../src/core/optimization/bodyGradient.ts';
import { DistanceGradientSolver } from '../../../src/core/optimization/distanceGradient.ts';
import { JointGradient, PairGradients } from '../../../src/core/optimization/pairGradients.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import { clearanceGradient } from '../../../src/tasks/validation/clearanceGradient.ts';
import { cases } from '../../cases.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../helpers/robots.ts';
import { poseOf } from '../narrowphase/helpers.ts';

/**
 * Returns central differences at two steps; undefined if they disagree: near a kink, or too coarse for the curvature.
 */
function differences(value: (q: Float64Array) => number, q: Float64Array, tolerance: number): number[] | undefined {
  const at = (step: number) =>
    Array.from(q, (_, k) => {
      const [low, high] = [q.slice(), q.slice()];
      low[k] -= step;
      high[k] += step;
      return (value(high) - value(low)) / (2 * step);
    });
  const [coarse, fine] = [at(2e-5), at(1e-5)];
  if (coarse.some((x, k) => Math.abs(x - fine[k]) > tolerance)) return undefined;
  return fine.map((x, k) => (4 * x - coarse[k]) / 3);
}

const worlds = Array.from({ length: cases(12, 1 / 4) }, (_, seed) => {
  const random = new Random(100 + seed);
  const robot = createRobotModel(randomRobot(random, 6));
  const model = new CollisionModel(robot, sceneOf(randomObstacles(random, 4, 1)));
  const states = Array.from({ length: 12 }, () =>
    Float64Array.from({ length: robot.dof }, () => random.between(-1, 1)),
  );
  return { model, states };
});

describe('gradients by q equal central differences where `differentiable` is true', () => {
  test('signed distance of separated and overlapping pairs', () => {
    const [apart, deep] = compareAll((gradients, out, pair) => gradients.signedDistance(out, pair));
    expect(apart).toBeGreaterThan(cases(2000, 1 / 4));
    expect(deep).toBeGreaterThan(cases(30, 1 / 4));
  });

  test('growth distance of pairs', () => {
    const [apart, deep] = compareAll((gradients, out, pair) => gradients.growth(out, pair), 1, 1e-5);
    expect(apart).toBeGreaterThan(300);
    expect(deep).toBeGreaterThan(3);
  });

  test('pill proximity of pairs', () => {
    const [apart] = compareAll((gradients, out, pair) => gradients.pillProximity(out, pair));
    expect(apart).toBeGreaterThan(50);
  });

  test('clearance of states', () => {
    let compared = 0;
    for (const { model, states } of worlds) {
      const manager = new CollisionManager(model);
      for (const q of states) {
        const { distance, pair, gradient, differentiable } = clearanceGradient(manager, q);
        expect(distance).toBeCloseTo(manager.clearance(q).distance, 9);
        expect(pair).toEqual(manager.clearance(q).pair);
        const known = differences((at) => manager.clearance(at).distance, q, 1e-6);
        if (!differentiable || known === undefined) continue;
        compared++;
        for (const [k, x] of known.entries()) expect(Math.abs(gradient[k] - x)).toBeLessThan(2e-6);
      }
    }
    expect(compared).toBeGreaterThan(30);
  });
});

/** Compares all pairs and states; counts the compared values above and below `contact`. */
function compareAll(
  ask: (gradients: PairGradients, out: JointGradient, pair: number) => unknown,
  contact = 0,
  tolerance = 1e-6,
): [number, number] {
  const counts: [number, number] = [0, 0];
  for (const { model, states } of worlds) {
    const manager = new CollisionManager(model);
    const gradients = new PairGradients(manager.posed);
    const out = new JointGradient(model.robot.dof);
    for (const q of states.slice(0, 6)) {
      for (let pair = 0; pair < model.pairCount; pair++) {
        manager.posed.pose(q);
        ask(gradients, out, pair);
        if (!out.differentiable) continue;
        const [value, found] = [out.value, out.gradient.slice()];
        const valueAt = (at: Float64Array) => {
          manager.posed.pose(at);
          ask(gradients, out, pair);
          return out.value;
        };
        const known = differences(valueAt, q, tolerance);
        if (known === undefined) continue;
        counts[value < contact ? 1 : 0]++;
        const scale = Math.max(1, ...known.map(Math.abs));
        for (const [k, x] of known.entries()) expect(Math.abs(found[k] - x) / scale).toBeLessThan(2 * tolerance);
      }
    }
  }
  return counts;
}

test('equal queries give identical results, independent of earlier queries', () => {
  const { model, states } = worlds[0];
  const [fresh, used] = [new CollisionManager(model), new CollisionManager(model)];
  for (const q of states) clearanceGradient(used, q);
  const q = states[0];
  expect(clearanceGradient(used, q)).toEqual(clearanceGradient(fresh, q));
});

test('coplanar faces, parallel capsules and equal depths are flagged, with finite gradients', () => {
  const solver = new DistanceGradientSolver();
  const out = new BodyGradient();
  const cube = createShape({ type: 'box', size: [1, 1, 1] });
  const capsule = createShape({ type: 'capsule', radius: 0.1, length: 1 });
  const ball = createShape({ type: 'sphere', radius: 0.2 });
  const floor = createShape({ type: 'halfspace', normal: [0, 0, 1] });
  const at = (x: number, y: number, z: number) => poseOf([x, y, z], [1, 0, 0, 0]);
  for (const [a, T, b, smooth, signed] of [
    [cube, at(1.5, 0.1, 0.2), cube, false, 0.5],
    [cube, at(0, 0, 0), cube, false, -1],
    [capsule, at(0.5, 0, 0.1), capsule, false, 0.3],
    [capsule, at(0.5, 0, 1.5), capsule, true, Math.sqrt(0.5) - 0.2],
    [ball, at(1, 0.1, 0.05), cube, true, 0.3],
    [ball, at(0.45, 0.1, 0.05), cube, true, -0.25],
    [cube, at(0, 0, 2), floor, false, 1.5],
    [ball, at(0, 0, 2), floor, true, 1.8],
    [ball, at(0, 0, -1), floor, true, -1.2],
  ] as const) {
    expect(solver.solve(out, a, T, b)).toBeCloseTo(signed, 9);
    expect(out.differentiable).toBe(smooth);
    for (const x of [...out.a, ...out.b]) expect(Number.isFinite(x)).toBe(true);
  }
});

test('mimic joints contribute to the joint that they follow, and a scene without pairs has no gradient', () => {
  const identity = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
  const slide = (name: string, parent: string, child: string, mimic = {}) =>
    ({
      name,
      type: 'prismatic',
      parent,
      child,
      origin: identity,
      axis: [1, 0, 0],
      lower: -1,
      upper: 1,
      velocity: 1,
      ...mimic,
    }) as const;
  const description: RobotDescription = {
    name: 'telescope',
    root: 'rail',
    links: [
      { name: 'rail', collisions: [] },
      { name: 'inner', collisions: [] },
      {
        name: 'outer',
        collisions: [{ shape: { type: 'sphere', radius: 0.1 }, pose: identity, triangles: 0, source: 0 }],
      },
    ],
    joints: [
      slide('out', 'rail', 'inner'),
      slide('more', 'inner', 'outer', { mimic: { joint: 'out', multiplier: 2, offset: 0 } }),
    ],
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  };
  const robot = createRobotModel(description);
  const ball = {
    name: 'ball',
    parts: [{ shape: { type: 'sphere', radius: 0.1 } }],
    pose: { xyz: [2, 0, 0], quat_wxyz: [1, 0, 0, 0] },
  } as const;
  const manager = new CollisionManager(new CollisionModel(robot, sceneOf([ball])));
  const found = clearanceGradient(manager, Float64Array.of(0.1));
  expect(found.distance).toBeCloseTo(2 - 0.3 - 0.2, 10);
  expect(found.gradient[0]).toBeCloseTo(-3, 10);
  expect(found).toMatchObject({ pair: ['outer', 'ball'], differentiable: true });
  const empty = new CollisionManager(new CollisionModel(robot, sceneOf([])));
  expect(clearanceGradient(empty, Float64Array.of(0))).toEqual({
    distance: Number.POSITIVE_INFINITY,
    pair: undefined,
    gradient: [0],
    differentiable: false,
  });
});
