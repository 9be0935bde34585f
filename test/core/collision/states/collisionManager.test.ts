import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../../../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { checkers, createDistanceSolver } from '../../../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import type { CollisionObject } from '../../../../src/core/scene/scene.ts';
import { cases } from '../../../cases.ts';
import { keysOf } from '../../../helpers/keysOf.ts';
import { randomObstacles, randomPose, randomRobot, sceneOf } from '../../../helpers/robots.ts';

const identity = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
const box = (name: string, size: number[], x: number): CollisionObject => ({
  name,
  parts: [{ shape: { type: 'box', size } }],
  pose: { xyz: [x, 0, 0], quat_wxyz: [1, 0, 0, 0] },
});

/** A slide along x that carries a cube of 0.2 m, and a second slide on it that carries another 0.5 m ahead. */
const train: RobotDescription = {
  name: 'train',
  root: 'rail',
  links: [
    { name: 'rail', collisions: [] },
    ...['engine', 'waggon'].map((name) => ({
      name,
      collisions: [{ shape: { type: 'box', size: [0.2, 0.2, 0.2] }, pose: identity, triangles: 0, source: 0 }],
    })),
  ],
  joints: [
    {
      name: 'drive',
      type: 'prismatic',
      parent: 'rail',
      child: 'engine',
      origin: identity,
      axis: [1, 0, 0],
      lower: -1,
      upper: 1,
      velocity: 1,
    },
    {
      name: 'couple',
      type: 'prismatic',
      parent: 'engine',
      child: 'waggon',
      origin: { xyz: [0.5, 0, 0], quat_wxyz: [1, 0, 0, 0] },
      axis: [1, 0, 0],
      lower: -0.5,
      upper: 0.5,
      velocity: 1,
    },
  ],
  allowed: [],
  states: {},
  groups: {},
  warnings: [],
};
const robot = createRobotModel(train);
const managerOf = (obstacles: CollisionObject[], more = {}) =>
  new CollisionManager(new CollisionModel(robot, sceneOf(obstacles, more)));

test('a cube is free of a wall beyond the exact distance, and its clearance is that distance', () => {
  const manager = managerOf([box('wall', [0.1, 1, 1], -0.5)]);
  for (const gap of [0.3, 0.01, 1e-6]) {
    const q = Float64Array.of(-0.35 + gap, 0);
    expect(manager.isCollisionFree(q)).toBe(true);
    expect(manager.clearance(q).distance).toBeCloseTo(Math.min(gap, gap + 0.5), 10);
    expect(manager.clearance(q).pair).toEqual(['engine', 'wall']);
  }
  const inside = Float64Array.of(-0.35 - 0.02, 0);
  expect(manager.isCollisionFree(inside)).toBe(false);
  expect(manager.firstCollision(inside)).toEqual(['engine', 'wall']);
  expect(manager.clearance(inside).distance).toBeCloseTo(-0.02, 10);
  expect(manager.depth(inside, ['engine', 'wall'])).toBeCloseTo(0.02, 10);
});

test('padding increases the required distance, and does not change the reported one', () => {
  const manager = managerOf([box('wall', [0.1, 1, 1], -0.5)], { padding: 0.05 });
  expect(manager.isCollisionFree(Float64Array.of(-0.35 + 0.049, 0))).toBe(false);
  expect(manager.isCollisionFree(Float64Array.of(-0.35 + 0.051, 0))).toBe(true);
  expect(manager.clearance(Float64Array.of(-0.35 + 0.051, 0)).distance).toBeCloseTo(0.051, 10);
});

test.each([-0.01, Number.NaN])('a padding of %f is refused: overlapping parts would count as separated', (padding) => {
  expect(() => new CollisionModel(createRobotModel(train), sceneOf([box('wall', [1, 1, 1], 3)], { padding }))).toThrow(
    `padding is ${padding}`,
  );
});

test('adjacent links may touch, allowed pairs may touch, and an attached object may touch its link', () => {
  expect(managerOf([]).model.pairCount).toBe(0);
  expect(managerOf([box('wall', [0.1, 1, 1], 0)]).firstCollision(Float64Array.of(0, 0))).toEqual(['engine', 'wall']);
  expect(
    managerOf([box('wall', [0.1, 1, 1], 0)], { allow: [['wall', 'engine']] }).isCollisionFree(Float64Array.of(0, 0)),
  ).toBe(true);
  const rod = { ...box('rod', [0.5, 0.02, 0.02], 0), link: 'waggon', touches: [] };
  const carrying = managerOf([], { attached: [rod] });
  expect(carrying.isCollisionFree(Float64Array.of(0, 0))).toBe(true);
  expect(carrying.firstCollision(Float64Array.of(0, -0.2))).toEqual(['engine', 'rod']);
  expect(managerOf([], { attached: [{ ...rod, touches: ['engine'] }] }).isCollisionFree(Float64Array.of(0, -0.2))).toBe(
    true,
  );
});

test('an allowed pair is exactly these two objects, whatever characters their names contain', () => {
  const robot = {
    ...train,
    links: train.links.map((link) => ({ ...link, name: link.name === 'engine' ? 'a' : link.name })),
  };
  const joints = train.joints.map((joint) => ({
    ...joint,
    parent: joint.parent === 'engine' ? 'a' : joint.parent,
    child: joint.child === 'engine' ? 'a' : joint.child,
  }));
  const walls = [box('b\nc', [0.1, 1, 1], 3), box('c', [0.1, 1, 1], 0.15)];
  const attached = [{ ...box('a\nb', [0.05, 0.05, 0.05], 0.2), link: 'a', touches: [] }];
  const allow = [['a', 'b\nc']] as const;
  const scene = sceneOf(walls, { attached, allow });
  const model = new CollisionModel(createRobotModel({ ...robot, joints }), scene);
  expect(new CollisionManager(model).collidingPairs(new Float64Array(2))).toContainEqual(['a\nb', 'c']);
});

test('a moved obstacle has its new pose for that manager only', () => {
  const model = new CollisionModel(robot, sceneOf([box('wall', [0.1, 1, 1], -0.5)]));
  const [one, other] = [new CollisionManager(model), new CollisionManager(model)];
  one.moveObstacle('wall', { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] });
  expect(one.isCollisionFree(Float64Array.of(0, 0))).toBe(false);
  expect(other.isCollisionFree(Float64Array.of(0, 0))).toBe(true);
  expect(() => one.moveObstacle('wal', identity)).toThrowError(/no obstacle "wal"/);
});

test('unknown or duplicate names are refused, with the nearest known name', () => {
  expect(() => managerOf([], { allow: [['engin', 'waggon']] })).toThrowError(
    expect.objectContaining({ note: expect.stringContaining('"engine"') }),
  );
  expect(() => managerOf([box('engine', [1, 1, 1], 5)])).toThrowError(/"engine" is taken/);
});

test('NaN is never collision-free', () => {
  const manager = managerOf([box('wall', [0.1, 1, 1], -0.5)]);
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY])
    expect(manager.isCollisionFree(Float64Array.of(bad, 0))).toBe(false);
});

/** Random robots among obstacles, with states and their verdicts by all pairs; most states are near the one before. */
const worlds = (() => {
  const random = new Random(17);
  return Array.from({ length: cases(25) }, (_, world) => {
    const chain = createRobotModel(randomRobot(random, 5));
    const scene = chain.dof > 0 && sceneOf(randomObstacles(random, 8, 1), { padding: world % 3 === 0 ? 0.01 : 0 });
    if (!scene) return [];
    const model = new CollisionModel(chain, scene);
    const manager = new CollisionManager(model);
    const space = new RobotJointSpace(chain);
    const q = new Float64Array(chain.dof);
    const states = Array.from({ length: 60 }, (_, i) => {
      if (i % 4 === 0) space.sample(q, random);
      // small steps, for which caches stay useful
      else for (let j = 0; j < q.length; j++) q[j] += random.between(-0.02, 0.02);
      return { i, q: q.slice(), verdict: allPairsApart(manager, q) };
    });
    return [{ world, model, states }];
  }).flat();
})();

test.each(keysOf(checkers))(
  'checker %s: verdicts equal those of checking all pairs without caches, whatever the previous queries',
  (checker) => {
    let free = 0;
    let hit = 0;
    for (const { world, model, states } of worlds) {
      const warm = new CollisionManager(model, { checker });
      for (const { i, q, verdict } of states) {
        if (verdict === undefined) continue;
        expect(warm.isCollisionFree(q), `world ${world}, state ${i}`).toBe(verdict);
        expect(warm.firstCollision(q)).toEqual(new CollisionManager(model, { checker }).firstCollision(q));
        if (verdict) free++;
        else hit++;
      }
    }
    expect(Math.min(free, hit)).toBeGreaterThan(cases(100));
  },
);

/** By distances of all pairs; undefined where one is within a nanometre of the padding. */
function allPairsApart({ posed, model }: CollisionManager, q: Float64Array): boolean | undefined {
  const solver = createDistanceSolver();
  const out = new Separation();
  const T_b_a = new Float64Array(12);
  const { padding } = model.scene;
  posed.pose(q);
  let apart = true;
  for (let pair = 0; pair < model.pairCount; pair++) {
    posed.relativePose(T_b_a, pair);
    solver.distance(
      out,
      posed.shapes[model.pairA[pair]],
      T_b_a,
      posed.shapes[model.pairB[pair]],
      Number.POSITIVE_INFINITY,
      new PairCache(),
    );
    if (out.distance.lower > padding + 1e-9) continue;
    if (out.distance.upper > padding - 1e-9 && out.distance.upper > 0) return undefined;
    apart = false;
  }
  return apart;
}

test('boxes contain their parts: no vertex of a posed part lies outside', () => {
  const random = new Random(23);
  for (let world = 0; world < cases(30); world++) {
    const chain = createRobotModel(randomRobot(random, 4), { pose: randomPose(random, 2) });
    if (chain.dof === 0) continue;
    const { posed, model } = new CollisionManager(new CollisionModel(chain, sceneOf(randomObstacles(random, 2, 1))));
    const q = new Float64Array(chain.dof);
    new RobotJointSpace(chain).sample(q, random);
    posed.pose(q);
    for (let part = 0; part < posed.shapes.length; part++) {
      const shape = posed.shapes[part];
      const T = posed.T_world_part[part];
      for (let axis = 0; axis < 3; axis++) {
        for (const sign of [1, -1]) {
          const d = Float64Array.of(sign * T[4 * axis], sign * T[4 * axis + 1], sign * T[4 * axis + 2]);
          const p = new Float64Array(3);
          shape.support(p, shape, d, -1);
          const farthest = d[0] * p[0] + d[1] * p[1] + d[2] * p[2] + shape.margin + sign * T[4 * axis + 3];
          const side = posed.boxes[6 * part + axis + (sign > 0 ? 3 : 0)];
          expect(sign * side, model.partOf(part).name).toBeGreaterThanOrEqual(farthest);
        }
      }
    }
  }
});

test('among hundreds of obstacles states and motions get the verdicts of checking each of them', () => {
  const random = new Random(31);
  const chain = createRobotModel(randomRobot(random, 6));
  const obstacles = randomObstacles(random, 200, 2.5).map((body) => ({
    ...body,
    parts: [{ shape: { type: 'sphere', radius: 0.1 } }],
  }));
  const model = new CollisionModel(chain, sceneOf(obstacles));
  const manager = new CollisionManager(model);
  expect(manager.posed.tree).toBeDefined();
  const space = new RobotJointSpace(chain);
  const certified = new CertifiedMotionValidator(manager, space);
  const [q, next] = [new Float64Array(chain.dof), new Float64Array(chain.dof)];
  const seen = { free: 0, hit: 0, certified: 0 };
  for (let i = 0; i < cases(120); i++) {
    space.sample(q, random);
    for (let j = 0; j < q.length; j++) next[j] = q[j] + random.between(-0.1, 0.1);
    const verdict = allPairsApart(manager, q);
    if (verdict === undefined) continue;
    expect(manager.isCollisionFree(q)).toBe(verdict);
    seen[verdict ? 'free' : 'hit']++;
    if (!verdict || !certified.isMotionValid(q, next)) continue;
    seen.certified++;
    for (let k = 0; k <= 20; k++) {
      const between = q.map((x, j) => x + (k / 20) * (next[j] - x));
      expect(allPairsApart(manager, between)).not.toBe(false);
    }
  }
  expect(Math.min(seen.free, seen.hit, seen.certified)).toBeGreaterThan(cases(10));
});
