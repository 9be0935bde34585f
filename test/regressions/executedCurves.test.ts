import { expect, test } from 'vitest';
import { playJointTrajectory } from '../../scripts/controllers/jointTrajectoryController.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { Random } from '../../src/core/math/random.ts';
import type { Trajectory, TrajectoryPoint } from '../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../src/core/trajectory/trajectoryLimits.ts';
import { certifyTrajectory } from '../../src/tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker } from '../../src/tasks/checking/checkTrajectory.ts';
import { cases, few } from '../cases.ts';
import { at, body, joint, link, robotOf } from '../core/certificate/worlds.ts';
import { limitsOf } from '../core/trajectory/motions.ts';
import { randomObstacles, randomRobot, sceneOf } from '../helpers/robots.ts';

/**
 * Files with accelerations were taken for cubics, and one point without velocities made straight lines of a whole
 * motion: `check` found motions valid that a controller does not execute. The oracle plays the message as the
 * controller does and samples it densely.
 */
const SAMPLES = 500;

/** Every value that a point may have or lack, of swings that matter: rest at both ends, one to four segments. */
function randomMotion(random: Random, start: Float64Array, names: readonly string[]): Trajectory {
  const vector = (reach: number) => Array.from(start, () => random.between(-reach, reach));
  const rest = Array.from(start, () => 0);
  const count = 2 + random.below(4);
  const quintic = random.next() < 0.6;
  let time = 0;
  const points = Array.from({ length: count }, (_, i): TrajectoryPoint => {
    const isEnd = i === 0 || i === count - 1;
    const step = vector(1.2);
    const point = { time_from_start: time, positions: Array.from(start, (x, j) => (i === 0 ? x : x + step[j])) };
    time += random.between(0.3, 1.5);
    const velocities = isEnd ? rest : vector(2);
    if (!isEnd && !quintic && random.next() < 0.3) return point;
    if (!quintic && random.next() < 0.5) return { ...point, velocities };
    return { ...point, velocities, accelerations: vector(10) };
  });
  return { jointNames: names, points };
}

function* worlds(seed: number, count: number) {
  const random = new Random(seed);
  for (let made = 0; made < count; ) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(5)));
    if (robot.dof === 0) continue;
    const scene = sceneOf(randomObstacles(random, 5, 1.2));
    const model = new CollisionModel(robot, scene);
    const start = Float64Array.from({ length: robot.dof }, () => random.between(-1, 1));
    const manager = new CollisionManager(model);
    if (model.pairCount === 0 || !manager.isCollisionFree(start)) continue;
    made++;
    yield { random, robot, scene, model, manager, start, label: `seed ${seed}, world ${made}` };
  }
}

const messageOf = ({ jointNames, points }: Trajectory) => ({
  joints: jointNames,
  points: points.map((point) => ({ ...point, time: point.time_from_start! })),
});

/** Least distance of any pair while the controller plays the motion. */
function playedClearance(model: CollisionModel, trajectory: Trajectory): number {
  const manager = new CollisionManager(model);
  const end = trajectory.points.at(-1)!.time_from_start!;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= SAMPLES; i++) {
    const q = playJointTrajectory(messageOf(trajectory), (end * i) / SAMPLES);
    least = Math.min(least, manager.clearance(Float64Array.from(q), Math.min(least, 0.05)).distance);
  }
  return least;
}

const jointNamesOf = (robot: RobotModel) => robot.variables.map((variable) => variable.name);

test('no motion is proved free that hits something as a joint trajectory controller plays it, and each certificate is verified', () => {
  const seen = { free: 0, collision: 0, unresolved: 0, cubicIsFree: 0 };
  for (const { random, robot, scene, model, manager, start, label } of worlds(21, cases(40, 1 / 4))) {
    const check = createTrajectoryChecker(robot, manager);
    for (let k = 0; k < 4; k++) {
      const motion = randomMotion(random, start, jointNamesOf(robot));
      const { collision, unresolved } = check(motion);
      if (collision) {
        seen.collision++;
        const middle = 0.5 * (collision.from + collision.until);
        const q = Float64Array.from(playJointTrajectory(messageOf(motion), middle));
        expect(new CollisionManager(model).clearance(q).distance, label).toBeLessThanOrEqual(1e-9);
        const asCubic = check({ ...motion, interpolation: 'cubic' });
        if (!asCubic.collision && !asCubic.unresolved) seen.cubicIsFree++;
        continue;
      }
      if (unresolved) {
        seen.unresolved++;
        continue;
      }
      seen.free++;
      expect(playedClearance(model, motion), `${label}, motion ${k}`).toBeGreaterThan(0);
      const certificate = certifyTrajectory(manager.posed, motion)!;
      const verified = verifyCertificate(certificate, robot, scene, motion);
      expect(verified.problems, `${label}, motion ${k}`).toEqual([]);
    }
  }
  expect(seen.free).toBeGreaterThan(cases(20, 1 / 4));
  expect(seen.collision).toBeGreaterThan(cases(20, 1 / 4));
  expect(seen.cubicIsFree).toBeGreaterThan(cases(3, 1 / 4)); // the attack bites: the old reading calls these free
}, 120_000);

test('a certificate of the cubic does not verify the quintic of the same points that hits, whatever its hash', () => {
  // A slide in a corridor: at rest in the middle as a cubic, as a quintic it swings by 0.17 m.
  const robot = robotOf(
    [link('rail'), link('slider', [{ type: 'box', size: [0.2, 0.2, 0.2] }])],
    [joint('prismatic', ['rail', 'slider'], [1, 0, 0])],
  );
  const wall = body('wall', at(0.25, 0, 0), { type: 'box', size: [0.1, 1, 1] });
  const scene = { obstacles: [wall], attached: [], allow: [], padding: 0 };
  const rest = { positions: [0], velocities: [0], accelerations: [8] };
  const points = [
    { time_from_start: 0, ...rest },
    { time_from_start: 1, ...rest },
  ];
  const quintic = { jointNames: ['to_slider'], points };
  const cubic: Trajectory = { ...quintic, interpolation: 'cubic' };
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const certificate = certifyTrajectory(manager.posed, cubic)!;
  expect(certificate.interpolation).toBe('cubic');
  expect(verifyCertificate(certificate, robot, scene, cubic).proved).toBe(true);
  expect(verifyCertificate(certificate, robot, scene, quintic).problems[0]).toMatch(/its interpolation is cubic/);
  const { interpolation: _, ...unstated } = certificate;
  expect(verifyCertificate(unstated, robot, scene, quintic).problems[0]).toMatch(/the plane of the span/);
  expect(certifyTrajectory(manager.posed, quintic)).toBeUndefined();
  expect(createTrajectoryChecker(robot, manager)(quintic).collision?.pair).toEqual(['slider', 'wall']);
});

test('limits of a quintic are its extremes: none is missed by dense sampling, and each is reached', () => {
  const random = new Random(5);
  const bounded = limitsOf(1, 1e-9, 1e-9, 1e-9);
  for (let k = 0; k < cases(50); k++) {
    const T = 10 ** random.between(-3, 2);
    const end = (time_from_start: number) => ({
      time_from_start,
      positions: [random.between(-2, 2)],
      velocities: [random.between(-3, 3) / T],
      accelerations: [random.between(-9, 9) / T / T],
    });
    const motion = { jointNames: ['a'], points: [end(0), end(T)] };
    const { faults } = examineMotion(motion, { ...bounded, lower: [0], upper: [0] });
    const played = Array.from({ length: 5001 }, (_, i) => playJointTrajectory(messageOf(motion), (T * i) / 5000)[0]);
    const step = T / 5000;
    const differences = (values: number[]) => values.slice(1).map((x, i) => (x - values[i]) / step);
    const speeds = differences(played);
    const of = (kind: string) =>
      faults.filter((fault) => fault.kind === kind).map((fault) => 'value' in fault && fault.value);
    const most = (values: readonly number[]) => values.reduce((one, other) => Math.max(one, Math.abs(other)), 0);
    const [low, high] = [Math.min(...played), Math.max(...played)];
    for (const value of of('position') as number[])
      expect(Math.min(Math.abs(value - low), Math.abs(value - high)), `motion ${k}`).toBeLessThan(1e-5);
    const reached = [...(of('position') as number[]), 0];
    expect(Math.min(...reached)).toBeLessThanOrEqual(Math.min(0, low) + 1e-12);
    expect(Math.max(...reached)).toBeGreaterThanOrEqual(Math.max(0, high) - 1e-12);
    const [velocity] = of('velocity') as number[];
    const [acceleration] = of('acceleration') as number[];
    expect(Math.abs(velocity)).toBeGreaterThan(most(speeds) * (1 - 1e-6));
    expect(Math.abs(velocity)).toBeLessThan(most(speeds) * (1 + 1e-3) + 1e-3 / T);
    const hardest = most(differences(speeds));
    expect(Math.abs(acceleration)).toBeGreaterThan(hardest * (1 - 1e-3) - 1e-3 / T / T);
    expect(Math.abs(acceleration)).toBeLessThan(hardest * (1 + 1e-2) + 1e-1 / T / T);
  }
}, 60_000);

test('the curve is what the controller plays, for every mixture of values', () => {
  const random = new Random(8);
  for (let k = 0; k < cases(500); k++) {
    const motion = randomMotion(random, new Float64Array(3), ['a', 'b', 'c']);
    const curve = new TrajectoryCurve(motion);
    const q = new Float64Array(3);
    for (let i = 0; i <= 40; i++) {
      curve.position(q, (curve.end * i) / 40);
      for (const [j, x] of playJointTrajectory(messageOf(motion), (curve.end * i) / 40).entries())
        expect(Math.abs(x - q[j])).toBeLessThan(1e-12);
    }
  }
});

test('segments of no time, of a nanosecond, of accelerations beyond all measure, and values that are none, are never valid', () => {
  const robot = robotOf(
    [link('rail'), link('slider', [{ type: 'box', size: [0.2, 0.2, 0.2] }])],
    [joint('prismatic', ['rail', 'slider'], [1, 0, 0])],
    { limits: { to_slider: { velocity: 3, acceleration: 10 } } },
  );
  const wall = body('wall', at(0, 0.2, 0), { type: 'box', size: [4, 0.1, 1] });
  const scene = { obstacles: [wall], attached: [], allow: [], padding: 0 };
  const check = createTrajectoryChecker(robot, new CollisionManager(new CollisionModel(robot, scene)));
  const point = (time_from_start: number, x: number, v: number, a: number): TrajectoryPoint => ({
    time_from_start,
    positions: [x],
    velocities: [v],
    accelerations: [a],
  });
  const validOf = (...points: TrajectoryPoint[]) => check({ jointNames: ['to_slider'], points }).valid;
  expect(validOf(point(0, 0, 0, 0), point(2, 0.5, 0, 0))).toBe(true);
  expect(validOf(point(0, 0, 0, 0))).toBe(true);
  const all = [1e3, 1e12, 1e150, 1e300, Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NaN];
  for (const a of few(all, [1e3, 1e150, Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NaN])) {
    expect(validOf(point(0, 0, 0, a), point(1, 0, 0, 0)), `${a}`).toBe(false);
    expect(validOf(point(0, 0, 0, 0), point(1, 0, 0, a)), `${a}`).toBe(false);
    expect(validOf(point(0, 0, 0, 0), point(1e-9, 0.1, 0, a)), `${a}`).toBe(false);
  }
  for (const T of [0, -1, 1e-300, 1e-70, 1e-9, Number.NaN, Number.POSITIVE_INFINITY])
    expect(validOf(point(0, 0, 0, 1), point(T, 0.3, 0, 1)), `${T}`).toBe(false);
  for (const v of [Number.NaN, 1e200, 1e-3]) {
    expect(validOf(point(0, 0, v, 0), point(1, 0, 0, 0)), `${v}`).toBe(false);
    expect(validOf(point(0, 0, 0, 0), point(1, 0, v, 0)), `${v}`).toBe(false);
    expect(validOf(point(0, 0, v, 0)), `${v}`).toBe(false);
  }
  expect(validOf(point(0, Number.NaN, 0, 0), point(1, 0, 0, 0))).toBe(false);
});

test('a motion that leads to an accelerated first point after time 0 is not valid, unless the accelerations do not count', () => {
  const end = { positions: [0], velocities: [0], accelerations: [1] };
  const points = [
    { time_from_start: 0.5, ...end },
    { time_from_start: 1, ...end },
  ];
  const limits = limitsOf(1, 9, 99);
  const kinds = (motion: Trajectory) => examineMotion(motion, limits).faults.map((fault) => fault.kind);
  expect(kinds({ jointNames: ['a'], points })).toEqual(['lead-in']);
  expect(kinds({ jointNames: ['a'], points, interpolation: 'cubic' })).toEqual([]);
});
