import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { Pose } from '../../../src/core/kinematics/robotModel.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { coordinateRobots } from '../../../src/tasks/coordination/coordinate.ts';
import { checkAlone } from '../../../src/tasks/coordination/coordinatedRobots.ts';
import { planTogether } from '../../../src/tasks/coordination/planTogether.ts';
import { arm, armDescription, armSpheres } from '../../core/world/oracle.ts';

/** Two arms of spheres at opposite sides of the place where both tips pass. */
const bases = [
  { xyz: [0, 0, 0], yaw: 0 },
  { xyz: [1.7, 0, 0], yaw: Math.PI },
] as const;
const scene = {
  name: 'arms',
  robot: {},
  obstacles: [],
  attached: [],
  allow: [],
  padding: 0,
  speed: 0.02,
  acceleration: 0.001,
  goals: [],
} as unknown as Scene;

const motionOf = (from: readonly number[], to: readonly number[]) => ({
  jointNames: arm.axes.map((_, i) => `joint${i}`),
  points: [from, to].map((positions, k) => ({ time_from_start: 2 * k, positions, velocities: [0, 0, 0] })),
});
const robotsOf = (ends: readonly (readonly [readonly number[], readonly number[]])[]) =>
  bases.map(({ xyz, yaw }, i) => {
    const pose: Pose = { xyz, quat_wxyz: [Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)] };
    return {
      name: ['left', 'right'][i],
      prefix: ['', 'right/'][i],
      model: createRobotModel(armDescription(), { pose }),
      trajectory: motionOf(...ends[i]),
    };
  });
/** Least distance of the spheres of both arms at joint values. */
const gap = (q: readonly (readonly number[])[]) => {
  const [one, other] = bases.map(({ xyz, yaw }, i) => armSpheres(q[i], [...xyz], yaw));
  return Math.min(...one.flatMap((a) => other.map((b) => Math.hypot(...a.map((x, k) => x - b[k])) - 2 * arm.radius)));
};

test('robots that exchange places get trajectories that are collision-free at the same time, at 10 of 10 seeds', () => {
  // The tips pass through one place in opposite directions.
  const robots = robotsOf([
    [
      [-0.35, 0, 0],
      [0.35, 0, 0],
    ],
    [
      [-0.35, 0, 0],
      [0.35, 0, 0],
    ],
  ]);
  expect(coordinateRobots(robots, scene).schedules).toBeUndefined();
  for (let seed = 1; seed <= 10; seed++) {
    const { plan, trajectories } = planTogether(robots, scene, { seed });
    expect(plan.status, `seed ${seed}`).toBe('solved');
    const curves = trajectories!.map((one) => new TrajectoryCurve(one));
    expect(curves[0].end).toBe(curves[1].end);
    let least = Number.POSITIVE_INFINITY;
    const q = [new Float64Array(3), new Float64Array(3)];
    for (let k = 0; k <= 4000; k++) {
      for (const [i, curve] of curves.entries()) curve.position(q[i], (k / 4000) * curve.end);
      least = Math.min(least, gap(q.map((values) => [...values])));
    }
    expect(least, `seed ${seed}`).toBeGreaterThan(0);
    for (const [i, { trajectory }] of robots.entries()) {
      const points = trajectories![i].points;
      expect([points[0].positions, points.at(-1)!.positions]).toEqual(trajectory.points.map((p) => [...p.positions]));
    }
    const planned = robots.map((robot, i) => ({ ...robot, trajectory: trajectories![i] }));
    for (const robot of planned) expect(checkAlone(robot, scene)).toMatchObject({ valid: true, faults: [] });
    expect(coordinateRobots(planned, scene).schedules, `seed ${seed}`).toBeDefined();
  }
});

test('ends in collision with each other are reported', () => {
  const robots = robotsOf([
    [
      [-1.5, 0, 0],
      [0, 0, 0],
    ],
    [
      [-1.5, 0, 0],
      [0.05, 0, 0],
    ],
  ]);
  const { plan, trajectories } = planTogether(robots, scene);
  expect(plan.status).toBe('goal-in-collision');
  expect(plan.reason).toMatch(/link\d and right\/link\d/);
  expect(trajectories).toBeUndefined();
});

test.each([
  [{ constraints: [{ type: 'speed', most: 1 }] }, 'constraints'],
  [{ tcpSpeed: 0.25 }, 'tcp_speed'],
])('scenes with limits of the robot of the scene alone are refused: %j', (more, what) => {
  const robots = robotsOf([
    [
      [-1, 0, 0],
      [1, 0, 0],
    ],
    [
      [-1, 0, 0],
      [1, 0, 0],
    ],
  ]);
  expect(() => planTogether(robots, { ...scene, ...more } as Scene)).toThrow(`scene: it has ${what}`);
});

test('without a plan in time, the message states the time limit that was given', () => {
  const robots = robotsOf([
    [
      [-0.35, 0, 0],
      [0.35, 0, 0],
    ],
    [
      [-0.35, 0, 0],
      [0.35, 0, 0],
    ],
  ]);
  let now = 0;
  const { plan, trajectories } = planTogether(robots, scene, { timeLimit: 10 }, { clock: () => (now += 1e5) });
  expect(trajectories).toBeUndefined();
  expect(plan.reason).toContain('within 10 s');
});
