import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../../src/core/collision/model/posedParts.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { Pose, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { CollisionObject } from '../../../src/core/scene/scene.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { certifyTrajectory } from '../../../src/tasks/checking/certifyTrajectory.ts';
import { cases } from '../../cases.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../helpers/robots.ts';
import { basePlacement, exactGap, fixed, linkPlacements, partOf, stateAt, toNumber } from './exactSeparation.ts';

const WORLDS = Number(process.env['WORLDS'] ?? cases(16, 1 / 4));

/** Scales all lengths of a shape. */
function scaledShape(shape: ShapeSpec, by: number): ShapeSpec {
  return JSON.parse(JSON.stringify(shape), (_, value) => (typeof value === 'number' ? value * by : value));
}

function scaledRobot(robot: RobotDescription, by: number): RobotDescription {
  const moved = ({ xyz: [x, y, z], quat_wxyz }: Pose): Pose => ({ xyz: [x * by, y * by, z * by], quat_wxyz });
  return {
    ...robot,
    links: robot.links.map((link) => ({
      ...link,
      collisions: link.collisions.map((one) => ({
        ...one,
        shape: scaledShape(one.shape, by),
        pose: moved(one.pose),
      })),
    })),
    joints: robot.joints.map((joint) => ({ ...joint, origin: moved(joint.origin) })),
  };
}

/** Robots of 1 m, 1 km and 100 km, up to 5000 km from the origin; turns of up to 1e5 rad. */
function* worlds(seed: number) {
  const random = new Random(seed);
  for (let i = 0; i < WORLDS; i++) {
    const scale = [1, 1, 1e3, 1e5][random.below(4)];
    const far = [0, 1e3, 1e6, 5e6][random.below(4)];
    const away = () => far * random.between(-1, 1);
    const xyz = [away(), away(), away()] as const;
    const base: Pose = { xyz, quat_wxyz: [1, random.next(), random.next(), 0] };
    const robot = createRobotModel(scaledRobot(randomRobot(random, 2 + random.below(4)), scale), { pose: base });
    const obstacles = randomObstacles(random, 3, 1.2).map(({ name, parts, pose }): CollisionObject => {
      const [x, y, z] = pose.xyz;
      const at: Pose = { xyz: [xyz[0] + scale * x, xyz[1] + scale * y, xyz[2] + scale * z], quat_wxyz: pose.quat_wxyz };
      return { name, parts: parts.map(({ shape }) => ({ shape: scaledShape(shape, scale) })), pose: at };
    });
    const turned = random.next() < 0.2 ? 1e5 : 0;
    const timed = random.next() < 0.5;
    const points = [0, 1, 2].map((k) => ({
      positions: robot.variables.map(({ type }) => (type === 'continuous' ? turned : 0) + random.between(-0.4, 0.4)),
      ...(timed ? { time_from_start: k * 1.7, velocities: robot.variables.map(() => random.between(-0.2, 0.2)) } : {}),
    }));
    const trajectory = { jointNames: robot.variables.map(({ name }) => name), points };
    yield { random, robot, base, obstacles, trajectory, label: `world ${i}: scale ${scale}, ${far} m away` };
  }
}

/** Least clearance at sampled times, metres: an upper bound on the padding that a motion can be certified with. */
function sampledClearance(manager: CollisionManager, curve: TrajectoryCurve): number {
  const q = new Float64Array(curve.dof);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= 60; i++) {
    curve.position(q, curve.start + ((curve.end - curve.start) * i) / 60);
    least = Math.min(least, manager.clearance(q).distance);
  }
  return least;
}

test('in exact arithmetic, each plane of a certificate separates its pair by the padding, up to 1e7 m', {
  timeout: 120_000 * Math.max(1, WORLDS / 60),
}, () => {
  let [certified, checked, far] = [0, 0, 0];
  let tightest = Number.POSITIVE_INFINITY;
  for (const { random, robot, base, obstacles, trajectory, label } of worlds(41)) {
    const plain = new CollisionModel(robot, sceneOf(obstacles));
    const clearance = sampledClearance(new CollisionManager(plain), new TrajectoryCurve(trajectory));
    if (!(clearance > 0 && clearance < Number.POSITIVE_INFINITY)) continue;
    const placements = new Map<number, ReturnType<typeof linkPlacements>>(); // by time: pairs share most of them
    const linksAt = (t: number) => {
      const known = placements.get(t) ?? linkPlacements(robot, basePlacement(base), stateAt(trajectory, t));
      placements.set(t, known);
      return known;
    };
    for (const relative of [0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-6]) {
      const size = Math.max(1, ...base.xyz.map(Math.abs));
      const padding = Math.max(0, clearance - relative * size * random.between(0.5, 5));
      const posed = new PosedParts(new CollisionModel(robot, sceneOf(obstacles, { padding })));
      const certificate = certifyTrajectory(posed, trajectory);
      if (certificate === undefined) continue;
      certified++;
      if (size > 1e5) far++;
      for (const pair of certificate.pairs) {
        for (const [from, to, ...n] of pair.spans.slice(0, 20)) {
          for (const t of [from, to, from + random.next() * (to - from)]) {
            const links = linksAt(t);
            const a = partOf(robot, obstacles, links, pair.a, pair.partA);
            const b = partOf(robot, obstacles, links, pair.b, pair.partB);
            const excess = exactGap(a, b, n) - fixed(padding);
            checked++;
            tightest = Math.min(tightest, toNumber(excess) / size);
            if (excess < 0n)
              throw new Error(`${label}, ${pair.a} and ${pair.b} at ${t}: ${toNumber(excess)} m, padding ${padding}`);
          }
        }
      }
    }
  }
  if (WORLDS > 60) console.log({ certified, checked, far, tightest });
  expect(tightest).toBeLessThan(1e-8); // of the distance from the origin: the paddings are close to the clearance
  expect(certified).toBeGreaterThan(cases(10, 1 / 4));
  expect(far).toBeGreaterThan(1);
  expect(checked).toBeGreaterThan(500);
});
