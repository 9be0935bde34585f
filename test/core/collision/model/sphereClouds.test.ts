import { expect, test } from 'vitest';
import { verifyCertificate } from '../../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../../src/core/collision/motions/motionProver.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { CollisionObject } from '../../../../src/core/scene/scene.ts';
import { sphereClusters } from '../../../../src/formats/clouds/sphereClusters.ts';
import { certifyTrajectory } from '../../../../src/tasks/checking/certifyTrajectory.ts';
import { cases } from '../../../cases.ts';
import { randomPose, randomRobot, sceneOf } from '../../../helpers/robots.ts';

const RADIUS = 0.02;

/** A bent sheet of points with noise, as one body of groups, and as a body of one ball a point. */
function sheets(random: Random, count: number): [CollisionObject, CollisionObject] {
  const points = Array.from({ length: count }, (): [number, number, number] => {
    const [x, y] = [random.between(-0.8, 0.8), random.between(-0.8, 0.8)];
    return [x, y, 0.5 * x * x + random.between(-0.02, 0.02)];
  });
  const pose = randomPose(random, 0.6);
  const balls = points.map((xyz) => ({
    shape: { type: 'sphere', radius: RADIUS },
    at: { xyz, quat_wxyz: [1, 0, 0, 0] as const },
  }));
  return [
    { name: 'scan', parts: sphereClusters(points.flat(), RADIUS), pose },
    { name: 'scan', parts: balls, pose },
  ];
}

test('a cloud is the union of its spheres: validity, clearance and colliding pairs equal those of one part per sphere', () => {
  const random = new Random(11);
  const counts = { free: 0, hit: 0 };
  for (let world = 0; world < cases(12); world++) {
    const robot = createRobotModel(randomRobot(random, 4));
    if (robot.dof === 0) continue;
    const padding = world % 3 === 0 ? 0.01 : 0;
    const [grouped, single] = sheets(random, 600).map(
      (body) => new CollisionManager(new CollisionModel(robot, sceneOf([body], { padding }))),
    );
    expect(grouped.model.obstacleParts.length).toBeLessThan(single.model.obstacleParts.length / 2);
    const q = new Float64Array(robot.dof);
    for (let i = 0; i < 40; i++) {
      for (let k = 0; k < q.length; k++) q[k] = random.between(-2, 2);
      const free = single.isCollisionFree(q);
      counts[free ? 'free' : 'hit']++;
      expect(grouped.isCollisionFree(q)).toBe(free);
      expect(grouped.firstCollision(q)).toEqual(single.firstCollision(q));
      expect(grouped.collidingPairs(q)).toEqual(single.collidingPairs(q));
      const [own, other] = [grouped.clearance(q).distance, single.clearance(q).distance];
      if (other === Number.POSITIVE_INFINITY) expect(own).toBe(other);
      else expect(own).toBeCloseTo(other, 7);
    }
  }
  expect(Math.min(counts.free, counts.hit)).toBeGreaterThan(cases(40));
});

test('certified motions are free in every sampled state, and others collide where the prover reports', () => {
  const random = new Random(23);
  const counts = { certified: 0, collision: 0, unresolved: 0 };
  for (let world = 0; world < cases(12); world++) {
    const robot = createRobotModel(randomRobot(random, 4));
    if (robot.dof === 0) continue;
    const [grouped, single] = sheets(random, 500);
    const prover = new MotionProver(new CollisionManager(new CollisionModel(robot, sceneOf([grouped]))).posed);
    const judge = new CollisionManager(new CollisionModel(robot, sceneOf([single])));
    const motion = new StraightMotion(robot.dof);
    const q = new Float64Array(robot.dof);
    for (let i = 0; i < 15; i++) {
      for (let k = 0; k < q.length; k++) {
        motion.qFrom[k] = random.between(-2, 2);
        motion.qTo[k] = motion.qFrom[k] + random.between(-0.3, 0.3);
      }
      const verdict = prover.prove(motion);
      counts[verdict]++;
      if (verdict === 'collision') motion.positionAt(q, prover.time);
      if (verdict === 'collision') expect(judge.isCollisionFree(q)).toBe(false);
      for (let s = 0; verdict === 'certified' && s <= 50; s++) {
        motion.positionAt(q, s / 50);
        expect(judge.isCollisionFree(q)).toBe(true);
      }
    }
  }
  expect(counts.certified).toBeGreaterThan(cases(20));
  expect(counts.collision).toBeGreaterThan(cases(20));
});

/** Slides a ball of 0.1 m along x. */
const slider = createRobotModel({
  name: 'slider',
  root: 'rail',
  links: [
    { name: 'rail', collisions: [] },
    {
      name: 'ball',
      collisions: [
        {
          shape: { type: 'sphere', radius: 0.1 },
          pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
          triangles: 0,
          source: 0,
        },
      ],
    },
  ],
  joints: [
    {
      name: 'slide',
      type: 'prismatic',
      parent: 'rail',
      child: 'ball',
      origin: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
      axis: [1, 0, 0],
      lower: -2,
      upper: 2,
      velocity: 1,
    },
  ],
  allowed: [],
  states: {},
  groups: {},
  warnings: [],
});
const cloud = (points: number[][], radius: number): CollisionObject => ({
  name: 'scan',
  parts: sphereClusters(points.flat(), radius),
  pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
});
const path = (from: number, to: number) => ({
  jointNames: ['slide'],
  points: [{ positions: [from] }, { positions: [to] }],
});

test('a motion between the points of a cloud is certified sphere by sphere, but not by planes', () => {
  const posts = [
    [0, 0.2, 0],
    [0, -0.2, 0],
  ];
  const apart = cloud(posts, 0.05);
  const gate: CollisionObject = {
    ...apart,
    parts: [{ shape: { type: 'convex', points: posts, margin: 0.05 }, balls: true }],
  };
  const model = new CollisionModel(slider, sceneOf([gate]));
  const manager = new CollisionManager(model);
  expect(manager.isCollisionFree(Float64Array.of(0))).toBe(true);
  expect(manager.clearance(Float64Array.of(0)).distance).toBeCloseTo(0.05, 9);
  const motion = new StraightMotion(1);
  motion.qFrom[0] = -1;
  motion.qTo[0] = 1;
  expect(new MotionProver(manager.posed).prove(motion)).toBe('certified');
  expect(certifyTrajectory(manager.posed, path(-1, 1))).toBeUndefined();
  // Of few points each has a group, and planes of its own.
  expect(apart.parts).toHaveLength(2);
  const scene = sceneOf([apart]);
  const certificate = certifyTrajectory(new CollisionManager(new CollisionModel(slider, scene)).posed, path(-1, 1))!;
  expect(verifyCertificate(certificate, slider, scene, path(-1, 1))).toMatchObject({ proved: true });
});

test('beside a scan of many groups a motion has a certificate that verify accepts, with far groups in one span each', () => {
  const random = new Random(5);
  const wall = Array.from({ length: 5000 }, () => [
    random.between(-1, 1),
    random.between(0.3, 0.31),
    random.between(-1, 1),
  ]);
  const scene = sceneOf([cloud(wall, 0.01)]);
  const manager = new CollisionManager(new CollisionModel(slider, scene));
  const motion = {
    jointNames: ['slide'],
    points: [-1, -0.5, 0, 0.25, 0.5, 1].map((x) => ({ positions: [x] })),
  };
  const certificate = certifyTrajectory(manager.posed, motion)!;
  expect(certificate.pairs.length).toBeGreaterThan(200);
  const spans = certificate.pairs.reduce((sum, pair) => sum + pair.spans.length, 0);
  expect(spans).toBeLessThan(4 * certificate.pairs.length);
  expect(verifyCertificate(certificate, slider, scene, motion)).toMatchObject({ proved: true, problems: [] });
});
