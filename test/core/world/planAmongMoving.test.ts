import { assert, describe, test } from 'vitest';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { ObstacleMotion } from '../../../src/core/scene/movingScene.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import type { PlanOptions } from '../../../src/tasks/planning/planOptions.ts';
import { planAmongMoving } from '../../../src/tasks/spaceTime/planAmongMoving.ts';
import { arm, armDescription, armSpheres, hermite, minimumOver, type OracleScene } from './oracle.ts';

const description = armDescription();
const VELOCITY = 2;
const ACCELERATION = 8;
const limits = Object.fromEntries(
  description.joints.map(({ name }) => [name, { velocity: VELOCITY, acceleration: ACCELERATION }]),
);
const robot = {
  packages: {},
  fixed: {},
  limits,
  pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
  parts: 'hull',
} as const;

type Box = Obstacle & { motion: ObstacleMotion };

const box = (name: string, size: number[], times: number[], xyz: [number, number, number][]): Box => {
  const poses = xyz.map((p) => ({ xyz: p, quat_wxyz: [1, 0, 0, 0] as const }));
  return { name, parts: [{ shape: { type: 'box', size } }], pose: poses[0], motion: { times, poses } };
};

const sceneOf = (start: number[], goal: number[], { boxes, others }: OracleScene): Scene => ({
  name: 'moving',
  robot,
  start,
  goals: [{ kind: 'joints', joints: goal }],
  equivalent: false,
  obstacles: boxes,
  robots: others,
  attached: [],
  allow: [],
  padding: 0,
});

/** Independent of the checker: accelerations of a Hermite cubic are extreme at its ends. */
function limitsKept({ points }: Trajectory): void {
  for (const point of [points[0], points.at(-1)!]) for (const v of point.velocities!) assert.equal(v, 0);
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1], points[k]];
    const T = b.time_from_start! - a.time_from_start!;
    for (const [j, x] of a.positions.entries()) {
      const [mean, v, w] = [(b.positions[j] - x) / T, a.velocities![j], b.velocities![j]];
      for (const acceleration of [(6 * mean - 4 * v - 2 * w) / T, (2 * v + 4 * w - 6 * mean) / T])
        assert.isAtMost(Math.abs(acceleration), ACCELERATION * (1 + 1e-6));
      for (const velocity of [v, w, 1.5 * mean - 0.25 * (v + w)])
        assert.isAtMost(Math.abs(velocity), VELOCITY * (1 + 1e-6));
    }
  }
}

function solve(start: number[], goal: number[], given: OracleScene, options: Partial<PlanOptions> = {}) {
  const scene = sceneOf(start, goal, given);
  const result = planAmongMoving({ scene, robot: description }, { certificate: true, ...options });
  if (result.trajectory) {
    const { points } = result.trajectory;
    assert.deepEqual(points[0].positions, start);
    assert.deepEqual(points.at(-1)!.positions, goal);
    limitsKept(result.trajectory);
    const ends = given.boxes.map(({ motion }) => motion.times.at(-1)!);
    const end = Math.max(points.at(-1)!.time_from_start!, ...ends);
    assert.isAbove(minimumOver(given, result.trajectory, end, 200), -1e-9);
    const model = createRobotModel(description, robot);
    assert.isTrue(verifyCertificate(result.certificate!, model, scene, result.trajectory).proved);
  }
  return result;
}

const reach = arm.lengths.reduce((sum, length) => sum + length, 0);

describe('a plan among moving obstacles', () => {
  test('waits until a gate opens, and no longer than it must', () => {
    // A wall across the plane of the arm, between start and goal, that is lowered out of its reach until 2 s.
    const gate = box(
      'gate',
      [1.6, 0.02, 2.4],
      [1, 2],
      [
        [0.9, 0, 0],
        [0.9, 0, -3],
      ],
    );
    for (let seed = 1; seed <= 8; seed++) {
      const { status, stats } = solve([-0.6, 0, 0], [0.6, 0, 0], { boxes: [gate], others: [] }, { seed });
      assert.equal(status, 'solved', `seed ${seed}`);
      assert.isAbove(stats.duration!, 1.2);
      assert.isBelow(stats.duration!, 3.2, `seed ${seed}`);
    }
  });

  test('leaves a start that something sweeps through, and returns', () => {
    const truck = box(
      'truck',
      [0.3, 0.3, 0.3],
      [0.8, 2.4],
      [
        [reach, -2, 0],
        [reach, 2, 0],
      ],
    );
    for (let seed = 1; seed <= 8; seed++) {
      const { status, stats } = solve([0, 0, 0], [0, 0, 0.01], { boxes: [truck], others: [] }, { seed });
      assert.equal(status, 'solved', `seed ${seed}`);
      assert.isAbove(stats.duration!, 1.5, 'the goal is blocked until then');
    }
  });

  test('passes another robot on its trajectory', () => {
    const trajectory: Trajectory = {
      jointNames: ['joint0', 'joint1', 'joint2'],
      interpolation: 'cubic',
      points: [
        { time_from_start: 0, positions: [2.4, 0, 0], velocities: [0, 0, 0] },
        { time_from_start: 2, positions: [3.9, 0, 0], velocities: [0, 0, 0] },
      ],
    };
    const base: [number, number, number] = [1.5, 0, 0];
    const pose = { xyz: base, quat_wxyz: [1, 0, 0, 0] as const };
    const other = { name: 'b', description, robot: { ...robot, pose }, trajectory, startTime: 0.1, base, yaw: 0 };
    for (let seed = 1; seed <= 5; seed++) {
      const { status } = solve([-0.7, 0, 0], [0.7, 0, 0], { boxes: [], others: [other] }, { seed });
      assert.equal(status, 'solved', `seed ${seed}`);
    }
  });

  test('keeps path constraints, the limit of the TCP speed and jerk limits', () => {
    const truck = box(
      'truck',
      [0.3, 0.3, 0.3],
      [0.8, 2.4],
      [
        [reach, -2, 0],
        [reach, 2, 0],
      ],
    );
    const given = { boxes: [truck], others: [] };
    const jerky = Object.fromEntries(Object.entries(limits).map(([name, own]) => [name, { ...own, jerk: 60 }]));
    const scene: Scene = {
      ...sceneOf([0, 0.1, 0], [0, 0.1, 0.05], given),
      robot: { ...robot, limits: jerky },
      tcp: { link: 'link2', pose: { xyz: [arm.lengths[2], 0, 0], quat_wxyz: [1, 0, 0, 0] } },
      tcpSpeed: 0.5,
      constraints: [{ type: 'joint', joint: 'joint1', range: [-0.2, 1.2] }],
    };
    const { trajectory, reason } = planAmongMoving({ scene, robot: description }, { seed: 2 });
    assert.isDefined(trajectory, reason);
    const end = trajectory!.points.at(-1)!.time_from_start!;
    const tip = (t: number) => armSpheres(hermite(trajectory!, t))[2];
    for (let k = 0; k < 2000; k++) {
      const t = (k / 2000) * end;
      const [, bend] = hermite(trajectory!, t);
      assert.isTrue(bend >= -0.2 - 1e-9 && bend <= 1.2 + 1e-9, `joint1 is ${bend} at ${t}`);
      const [a, b] = [tip(t), tip(t + end / 2000)];
      assert.isAtMost(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / (end / 2000), 0.5 * (1 + 1e-6));
    }
    assert.isAbove(minimumOver(given, trajectory!, Math.max(end, 2.4), 200), -1e-9);
  });

  test('is the same for the same seed', () => {
    const truck = box(
      'truck',
      [0.3, 0.3, 0.3],
      [0.3, 1.4],
      [
        [0.8, -1, 0],
        [0.8, 1, 0],
      ],
    );
    const plan = () => solve([-0.7, 0, 0], [0.7, 0.2, 0], { boxes: [truck], others: [] }, { seed: 5 }).trajectory;
    assert.deepEqual(plan(), plan());
  });

  test('is refused with the object that comes to rest at the goal, or hits the start', () => {
    const parks = box(
      'parks',
      [0.2, 0.2, 0.2],
      [1, 2],
      [
        [reach, 2, 0],
        [reach, 0, 0],
      ],
    );
    const atGoal = solve([-1, 0, 0], [0, 0, 0], { boxes: [parks], others: [] });
    assert.equal(atGoal.status, 'goal-in-collision');
    assert.match(atGoal.reason, /^at 2 s, when everything else is at rest, the goal is in collision: link2 and parks/);
    const leaves = { ...parks, motion: { ...parks.motion, poses: parks.motion.poses.toReversed() } };
    const atStart = solve([0, 0, 0], [-1, 0, 0], { boxes: [leaves], others: [] });
    assert.equal(atStart.status, 'start-in-collision');
  });

  test('fails with the object that cannot be avoided, and until when it blocks', () => {
    const ring = box(
      'ring',
      [3, 3, 0.4],
      [0.5, 1.5],
      [
        [0, 0, 3],
        [0, 0, -3],
      ],
    );
    const { status, reason } = solve([0, 0, 0], [1, 0, 0], { boxes: [ring], others: [] }, { iterations: 150 });
    assert.equal(status, 'no-path');
    assert.match(reason, /no motion found in 150 iterations; motions and waits are blocked by "ring" until 1\.\d+ s/);
    assert.match(reason, /the goal stays valid from 1\.\d+ s on/);
  });

  test.each([
    [{ timing: false }, /paths without times/],
    [{ planner: 'prm' }, /another planner/],
    [{ edges: 'sampled' }, /sampled edges/],
  ] as [Partial<PlanOptions>, RegExp][])('refuses %j', (options, expected) => {
    const far = box(
      'far',
      [0.1, 0.1, 0.1],
      [0, 1],
      [
        [5, 0, 0],
        [5, 1, 0],
      ],
    );
    assert.throws(() => solve([0, 0, 0], [1, 0, 0], { boxes: [far], others: [] }, options), expected);
  });
});
