import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { withoutStart } from '../../../src/core/scene/configurationOf.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory, TrajectoryPoint } from '../../../src/core/trajectory/trajectory.ts';
import { certifyTrajectory } from '../../../src/tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { checkProgram } from '../../../src/tasks/programs/checks/checkProgram.ts';
import { repairTrajectory } from '../../../src/tasks/repair/repairTrajectory.ts';
import { WatchedMotion } from '../../../src/tasks/watching/watchedMotion.ts';
import { RADIUS, slider } from '../slider.ts';

const robot = createRobotModel(slider());
const jointNames = ['x', 'y'];
const POST = 0.2;

/** A ball of radius 0.1 at (−0.8, 0), and a post of radius 0.2 at the origin. */
function sceneOf(more: Partial<Scene> = {}): Scene {
  const post = { name: 'post', parts: [{ shape: { type: 'sphere', radius: POST } }], pose: IDENTITY_POSE };
  const stated = { packages: {}, fixed: {}, limits: {}, pose: IDENTITY_POSE, parts: 'hull' };
  const rest = { goals: [], obstacles: [post], attached: [], allow: [], padding: 0, start: [-0.8, 0] };
  return { name: 'post', robot: stated, ...rest, ...more } as unknown as Scene;
}
const managerOf = (scene: Scene) => new CollisionManager(new CollisionModel(robot, scene));
const checked = (points: readonly TrajectoryPoint[], scene = sceneOf()) =>
  createTrajectoryChecker(robot, managerOf(scene))({ jointNames, points });
const at = (time: number, x: number, y: number, velocities: readonly number[] = [0, 0]): TrajectoryPoint => ({
  time_from_start: time,
  positions: [x, y],
  velocities,
});
/** The cubic from −0.8 to 0.8 in T seconds touches the post where x = ±0.3. */
const touching = (T: number) => {
  let [low, high] = [0, 0.5];
  for (let n = 0; n < 60; n++) {
    const s = 0.5 * (low + high);
    if (1.6 * s * s * (3 - 2 * s) - 0.8 < -(POST + RADIUS)) low = s;
    else high = s;
  }
  return low * T;
};

describe('a first point after time 0', () => {
  test.each([
    ['with a second point', [at(4, 0.8, 0), at(5, 0.8, 0.1)]],
    ['that is the only one', [at(4, 0.8, 0)]],
    ['with positions only, where the controller moves along a line', [{ time_from_start: 4, positions: [0.8, 0] }]],
  ])('%s is reached through the post: not valid', (_, points) => {
    const { valid, leadIn, collision } = checked(points);
    expect(valid).toBe(false);
    expect(leadIn).toMatchObject({ valid: false, pair: ['ball', 'post'] });
    expect(collision?.depth).toBeCloseTo(POST + RADIUS, 6);
    if (points[0].velocities) expect(leadIn?.time).toBeCloseTo(touching(4), 5);
  });

  test('is reached without a collision: valid, and the time before it counts', () => {
    const { valid, leadIn, duration } = checked([at(2, -0.8, 0.5), at(4, 0.4, 0.5)]);
    expect({ valid, leadIn, duration }).toEqual({ valid: true, leadIn: { valid: true }, duration: 4 });
  });

  test('is judged by the velocity that it states: the curve to it swings out, and leaves the limits', () => {
    expect(checked([at(3, -0.8, 0.5, [0.3, 0]), at(5, -0.8, 0.5)]).leadIn?.valid).toBe(true);
    const { leadIn, faults } = checked([at(3, -0.8, 0.5, [0.9, 0]), at(5, -0.8, 0.5)]);
    expect(leadIn?.valid).toBe(false);
    expect(faults.map(({ kind }) => kind)).toContain('position');
  });

  test('is reached too fast: the limits hold for that motion, too', () => {
    const { leadIn, faults } = checked([at(0.5, -0.8, 0.8), at(2, -0.8, 0.9)]);
    expect(leadIn).toEqual({ valid: false });
    expect(faults).toContainEqual(expect.objectContaining({ kind: 'velocity', joint: 'y' }));
  });

  test('with accelerations is judged for controllers with and without them', () => {
    // as a quintic, the ball swings out by 0.3 m more than as a cubic
    const first = { ...at(3, -0.75, 0.5), accelerations: [-2.5, 0] };
    const last = { ...at(6, -0.75, 0.6), accelerations: [0, 0] };
    expect(checked([first, last]).leadIn?.valid).toBe(false);
    expect(checked([{ ...first, accelerations: [0, 0] }, last]).leadIn?.valid).toBe(true);
  });
});

test('a first point at time 0 elsewhere is a fault, unless nothing is known of the start', () => {
  const points = [at(0, 0.8, 0), at(2, 0.8, 0.3)];
  const { valid, faults, leadIn } = checked(points);
  expect(valid).toBe(false);
  expect(leadIn).toBeUndefined();
  expect(faults).toEqual([{ kind: 'start', joint: 'x', unit: 'm', value: 0.8, limit: -0.8, time: 0 }]);
  expect(checked(points, withoutStart(sceneOf()) as Scene).valid).toBe(true);
  expect(checked([at(0, -0.8005, 0), at(2, -0.8, 0.3)]).valid).toBe(true);
});

test('a path from elsewhere begins with the line from the start: waypoints −1 to 0', () => {
  const path = [[0.8, 0], [0.8, 0.5]].map((positions) => ({ positions })); // biome-ignore format: one path
  const { valid, leadIn, collision } = checked(path);
  expect(valid).toBe(false);
  expect(leadIn?.time).toBeCloseTo(-1 + (0.8 - POST - RADIUS) / 1.6, 5);
  expect(collision?.until).toBeCloseTo(-1 + (0.8 + POST + RADIUS) / 1.6, 5);
  expect(checked([{ positions: [-0.8, 0.5] }, { positions: [0.8, 0.5] }])).toMatchObject({
    valid: true,
    leadIn: { valid: true },
  });
});

describe('a certificate', () => {
  const certificateIn = (scene: Scene, trajectory: Trajectory) => certifyTrajectory(managerOf(scene).posed, trajectory);
  const free = withoutStart(sceneOf()) as Scene;

  test('that does not cover the motion to the first point is not proved', () => {
    for (const points of [[at(4, 0.8, 0), at(5, 0.8, 0.1)], [at(4, 0.8, 0)], [at(0, 0.8, 0), at(1, 0.8, 0.1)]]) {
      const trajectory = { jointNames, points };
      const certificate = certificateIn(free, trajectory)!;
      expect(verifyCertificate(certificate, robot, free, trajectory).proved).toBe(true);
      expect(verifyCertificate(certificate, robot, sceneOf(), trajectory).proved).toBe(false);
      expect(certificateIn(sceneOf(), trajectory)).toBeUndefined();
    }
  });

  test('that covers it is proved', () => {
    const trajectory = { jointNames, points: [at(2, -0.8, 0.5), at(4, 0.4, 0.5)] };
    const certificate = certificateIn(sceneOf(), trajectory)!;
    expect(certificate.pairs[0].spans[0][0]).toBe(0);
    expect(verifyCertificate(certificate, robot, sceneOf(), trajectory).proved).toBe(true);
  });

  test('does not exist if the motion to the first point depends on the controller', () => {
    const first = { ...at(2, -0.8, 0.5), accelerations: [0.1, 0] };
    const trajectory = { jointNames, points: [first, { ...at(6, 0.4, 0.5), accelerations: [0, 0] }] };
    expect(checked(trajectory.points).valid).toBe(true);
    expect(certificateIn(sceneOf(), trajectory)).toBeUndefined();
  });
});

test('a watched motion is certified until the contact before its first point, and not at all from elsewhere', () => {
  const start = { q: Float64Array.of(-0.8, 0), isContinuous: [false, false] };
  const watch = (points: readonly TrajectoryPoint[], from?: typeof start) =>
    new WatchedMotion(robot, { jointNames, points }, 'trajectory', from).certify(sceneOf());
  const late = watch([at(4, 0.8, 0), at(5, 0.8, 0.1)], start);
  expect(late.until).toBeCloseTo(touching(4), 5);
  expect(watch([at(2, -0.8, 0.5), at(4, 0.4, 0.5)], start).until).toBeNull();
  expect(watch([at(0, 0.8, 0), at(1, 0.8, 0.1)], start).faults).toEqual([
    'the motion does not begin at the start of the scene',
  ]);
  expect(watch([at(0, 0.8, 0), at(1, 0.8, 0.1)]).until).toBeNull();
});

test('a program that begins later rests at the start until then', () => {
  const steps = [
    {
      kind: 'move',
      index: 0,
      goals: [{ kind: 'joints', joints: [-0.8, 0.5] }],
      constraints: [],
      blend: 0,
      speed: 1,
      acceleration: 1,
    },
  ];
  const program = sceneOf({ steps } as unknown as Partial<Scene>);
  const check = (x: number, from: number) =>
    checkProgram(
      robot,
      program,
      {
        jointNames,
        points: [at(from, x, 0), at(from + 3, -0.8, 0.5)],
        segments: [{ step: 0, kind: 'move', from, to: from + 3 }],
      },
      { checker: 'gjk' },
    );
  const { valid, leadIn } = check(-0.8, 1);
  expect({ valid, leadIn }).toEqual({ valid: true, leadIn: { valid: true } });
  expect(check(-0.8, 0).leadIn).toBeUndefined();
  expect(check(0.8, 1)).toMatchObject({ valid: false, leadIn: { valid: false } });
});

describe('repair', () => {
  test('makes a motion to the first point that collides part of the trajectory', () => {
    for (const points of [[at(4, 0.8, 0), at(5, 0.8, 0.1)], [at(4, 0.8, 0)]]) {
      const { status, trajectory } = repairTrajectory({ jointNames, points }, robot, sceneOf());
      expect(status).toBe('repaired');
      expect(trajectory!.points[0]).toMatchObject({ time_from_start: 0, positions: [-0.8, 0] });
      expect(checked(trajectory!.points).valid).toBe(true);
    }
  });

  test('drops points that repeat a time and a position, and nothing else', () => {
    const points = [at(0, -0.8, 0), at(1, -0.8, 0.1), at(1, -0.8, 0.1), at(2, -0.8, 0.2), at(2, -0.8, 0.2)];
    const { status, trajectory, changed } = repairTrajectory({ jointNames, points }, robot, sceneOf());
    expect({ status, changed }).toEqual({ status: 'repaired', changed: [] });
    expect(trajectory!.points).toEqual([points[0], points[2], points[4]]);
  });
});

test('times whose difference is denormal are too close, and nothing else is reported', () => {
  const { valid, faults } = checked([at(0, -0.8, 0), at(5e-324, -0.8, 0.1), at(2, -0.8, 0.2)]);
  expect({ valid, faults }).toEqual({
    valid: false,
    faults: [{ kind: 'time', value: 5e-324, limit: 0, time: 5e-324 }],
  });
});
