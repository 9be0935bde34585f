import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { blendedMotion } from '../../../src/core/trajectory/blendedMotion.ts';
import { minimumDuration } from '../../../src/core/trajectory/restToRest.ts';
import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { motionFaults } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { optimizeMotion } from '../../../src/tasks/planning/optimizeMotion.ts';
import { motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';
import { sceneOf } from '../../helpers/robots.ts';

const identity = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
const upright = [1, 0, 0, 0] as const;

/** A sphere on two slides, x and y: its configuration space is the plane, so that solutions are known. */
const gantry: RobotDescription = {
  name: 'gantry',
  root: 'rail',
  links: [
    { name: 'rail', collisions: [] },
    { name: 'bridge', collisions: [] },
    { name: 'ball', collisions: [{ shape: { type: 'sphere', radius: 0.1 }, pose: identity, triangles: 0, source: 0 }] },
  ],
  joints: (['x', 'y'] as const).map((name, i) => ({
    name,
    type: 'prismatic',
    parent: i === 0 ? 'rail' : 'bridge',
    child: i === 0 ? 'bridge' : 'ball',
    origin: identity,
    axis: i === 0 ? [1, 0, 0] : [0, 1, 0],
    lower: -5,
    upper: 5,
    velocity: 1,
    acceleration: 2,
  })),
  allowed: [],
  states: {},
  groups: {},
  warnings: [],
};
const post = (x: number, y: number, radius: number) => ({
  name: `post ${x} ${y}`,
  parts: [{ shape: { type: 'cylinder', radius, length: 1 } }],
  pose: { xyz: [x, y, 0] as const, quat_wxyz: upright },
});

function setting(obstacles: Parameters<typeof sceneOf>[0], jerk?: number) {
  const limits = jerk === undefined ? {} : { limits: { x: { jerk }, y: { jerk } } };
  const robot = createRobotModel(gantry, limits);
  const manager = new CollisionManager(new CollisionModel(robot, sceneOf(obstacles)));
  return { robot, manager, limits: motionLimitsOf(robot, {}) };
}
const detour = [
  [-1, 0],
  [0, 1],
  [1, 0],
];

test('without obstacles a detour becomes as fast as the limits allow, within 2 %', () => {
  const { robot, manager, limits } = setting([]);
  const path = [detour[0], [-2, 2], detour[2]];
  const motion = blendedMotion(path, ['x', 'y'], limits, () => true).trajectory;
  const { status, trajectory, after } = optimizeMotion(motion, robot, manager);
  expect(status).toBe('improved');
  expect(after!.duration).toBeLessThan(1.02 * minimumDuration(detour[0], detour[2], limits));
  expect(after!.duration).toBeGreaterThan(minimumDuration(detour[0], detour[2], limits) - 1e-9);
  expect(motionFaults(trajectory, limits)).toEqual([]);
});

describe.each([undefined, 40])('around a post, jerk limit %s', (jerk) => {
  const { robot, manager, limits } = setting([post(0, 0, 0.3), post(0.2, 0.9, 0.1)], jerk);
  const stopping = timeParameterize(
    detour.map(([x, y]) => [x, 0.6 * y]),
    ['x', 'y'],
    limits,
  );

  test('the result is faster, keeps the clearance, is valid from start to goal, and is deterministic', () => {
    const { status, trajectory, before, after } = optimizeMotion(stopping, robot, manager);
    expect(status).toBe('improved');
    expect(after!.duration).toBeLessThan(0.85 * before!.duration);
    expect(after!.clearance).toBeGreaterThanOrEqual(before!.clearance);
    const verdict = createTrajectoryChecker(robot, manager)(trajectory);
    expect(verdict).toMatchObject({ valid: true, faults: [] });
    expect(trajectory.points[0].positions).toEqual(stopping.points[0].positions);
    expect(trajectory.points.at(-1)!.positions).toEqual(stopping.points.at(-1)!.positions);
    const again = optimizeMotion(stopping, robot, new CollisionManager(manager.model));
    expect(again.trajectory).toEqual(trajectory);
  });

  test('an optimized trajectory is kept or hardly changes', () => {
    const once = optimizeMotion(stopping, robot, manager);
    const twice = optimizeMotion(once.trajectory, robot, manager);
    expect(twice.after!.duration).toBeGreaterThan(0.93 * once.after!.duration);
    expect(twice.after!.duration).toBeLessThanOrEqual(once.after!.duration);
  });
});

test('an invalid trajectory, or one that is not timed from rest to rest, is rejected and returned', () => {
  const { robot, manager, limits } = setting([post(0, 0, 0.3)]);
  const path: Trajectory = { jointNames: ['x', 'y'], points: detour.map((positions) => ({ positions })) };
  const straight = { ...path, points: path.points.map((point, i) => ({ ...point, time_from_start: 4 * i })) };
  const rolling = {
    ...straight,
    points: straight.points.map((point) => ({ ...point, velocities: [0.1, 0] })),
  };
  const through = timeParameterize([detour[0], detour[2]], ['x', 'y'], limits);
  for (const [motion, reason] of [
    [path, /without times/],
    [straight, /straight lines/],
    [rolling, /at rest/],
    [through, /not valid/],
    [{ ...through, signals: [{ step: 1, time: 0, on: true }] }, /signals of a program/],
    [{ ...through, events: [{ step: 1, time: 0, set: { valve: 1 } }] }, /events/],
  ] as const) {
    const answer = optimizeMotion(motion, robot, manager);
    expect(answer.status).toBe('refused');
    expect(answer.reason).toMatch(reason);
    expect(answer.trajectory).toBe(motion);
  }
});
