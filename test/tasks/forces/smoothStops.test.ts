import { assert, expect, test } from 'vitest';
import type { CertificateStop } from '../../../src/core/certificate/certificate.ts';
import { motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { stopProblems } from '../../../src/core/certificate/torques/verifyStops.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { examineMotion } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { StopLimits } from '../../../src/tasks/forces/stopLimits.ts';
import { stoppingReport } from '../../../src/tasks/forces/stopping.ts';
import { motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';
import { attackStops, expectNoneWrong, stopScene } from './stopAttack.ts';

/** Quick ones, most of which are proved, so that certificates are changed. */
const SEEDS = [4];

test('under limits of jerk, no motion is proved that has a longer stop, and no certificate with a false one', () => {
  expectNoneWrong((seed) => attackStops(seed, true), SEEDS);
});

/** A joint with limits of 2 rad/s, 10 rad/s² and `jerk`, rad/s³. */
const turner = (jerk = 100) => {
  const origin = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
  const joint = { name: 'joint', type: 'revolute', parent: 'base', child: 'bar', origin, axis: [0, 1, 0] } as const;
  return createRobotModel({
    ...{ name: 'turner', root: 'base', allowed: [], states: {}, groups: {}, warnings: [] },
    links: [
      { name: 'base', collisions: [] },
      { name: 'bar', collisions: [] },
    ],
    joints: [{ ...joint, lower: -20, upper: 20, velocity: 2, acceleration: 10, jerk }],
  });
};

/** From 0 to 4 rad in 4 s: 1.875 rad/s in the middle, where a stop takes 1.875 / 10 + 10 / 100 s. */
const turn: Trajectory = {
  jointNames: ['joint'],
  points: [0, 4].map((x) => ({ time_from_start: x, positions: [x], velocities: [0], accelerations: [0] })),
};

const problems = (stops: readonly CertificateStop[], motion = turn, most = 1) => {
  const scene = stopScene('bar', false, [{ type: 'stopping_time', most }]);
  const interval = { from: 0, to: motion.points.at(-1)!.time_from_start! };
  return stopProblems(stops, turner(), scene, motionPieces(motion), interval, true);
};

test('the worst stop of one joint takes as long as velocity, acceleration and jerk require', () => {
  const { time, at } = stoppingReport(turner(), stopScene('bar', false), turn)!;
  expect(time).toBeGreaterThan(0.28);
  expect(time).toBeLessThan(0.3);
  expect(at).toBeGreaterThan(1.5);
  expect(at).toBeLessThan(2.5);
});

test.each([1e3, 5e3, 2e4, 1e7])('a limit of jerk of %d rad/s³ lets stops take no longer than a low one', (jerk) => {
  const { time } = stoppingReport(turner(jerk), stopScene('bar', false), turn)!;
  expect(time).toBeGreaterThan(0.1875);
  expect(time).toBeLessThan(0.25);
});

test('slow motions stop as fast as their velocity and their acceleration require', () => {
  for (const size of [1e-3, 1e-8]) {
    const slow = { ...turn, points: turn.points.map((one) => ({ ...one, positions: [size * one.positions[0]] })) };
    const { time } = stoppingReport(turner(), stopScene('bar', false), slow)!;
    expect(time, `${size}`).toBeLessThan(0.0025 + 3 * Math.sqrt((1.875 * size) / 100));
    const limits = StopLimits.of(
      turner(),
      stopScene('bar', false, [{ type: 'stopping_time', most: time }]),
      () => false,
    )!;
    const stops = limits.certified(slow)?.stops;
    assert(stops, `${size}`);
    expect(problems(stops, slow, time), `${size}`).toEqual([]);
  }
});

test('a stop of a certificate needs phases that slow down, and a jerk within the limit in each, however short', () => {
  const limits = StopLimits.of(turner(), stopScene('bar', false, [{ type: 'stopping_time', most: 1 }]), () => false)!;
  const stops = limits.certified(turn)?.stops;
  assert(stops);
  expect(problems(stops)).toEqual([]);
  expect(problems(stops, turn, 0.25)[0]).toMatch(/more than the limit/);
  const k = stops.length >> 1;
  const [first, second, ...others] = stops[k];
  const changed = (...rows: CertificateStop) => problems(stops.with(k, [first, ...rows, ...others]))[0];
  expect(changed(second)).toBeUndefined();
  expect(changed([0, 0], second)).toMatch(/duration or its pace/);
  expect(changed([-1e-3, 0], second)).toMatch(/duration or its pace/);
  expect(changed([1e-3, 1], second)).toMatch(/duration or its pace/);
  for (const short of [1e-5, 1e-8, 1e-12])
    expect(changed([short, -1e6], [short, 1e6], second), `${short}`).toMatch(/limits are not proved/);
  expect(problems(stops.with(k, [first]))[0]).toMatch(/duration or its pace/);
});

test('nor has one whose velocity jumps within the tolerance of check: the acceleration of a stop would jump', () => {
  // a quintic to a velocity of c, lines at c and at c − jump, and a quintic to rest
  const moving = (c: number, jump: number): Trajectory => ({
    jointNames: ['joint'],
    points: [
      { time_from_start: 0, positions: [0], velocities: [0], accelerations: [0] },
      { time_from_start: 1, positions: [0.5 * c], velocities: [c], accelerations: [0] },
      { time_from_start: 1.2, positions: [0.7 * c] },
      { time_from_start: 1.4, positions: [0.9 * c - 0.2 * jump], velocities: [c - jump], accelerations: [0] },
      { time_from_start: 2.4, positions: [1.4 * c - 0.2 * jump], velocities: [0], accelerations: [0] },
    ],
  });
  const limits = motionLimitsOf(turner(), stopScene('bar', false));
  for (const c of [1e-1, 1e-3, 1e-4]) {
    const motion = moving(c, 1.9e-6);
    expect(examineMotion(motion, limits).faults).toEqual([]);
    expect(stoppingReport(turner(), stopScene('bar', false), motion)).toBeUndefined();
    expect(problems([[[2.4, 1]]], motion, 10)[0]).toMatch(/acceleration of "joint" jumps at t = 1/);
    expect(stoppingReport(turner(), stopScene('bar', false), moving(c, 0))).toBeDefined();
    expect(problems([[[2.4, 1]]], moving(c, 0), 10)).toEqual([]);
  }
});

test('a motion whose acceleration jumps has no stops under limits of jerk', () => {
  const points = [0, 2, 4].map((x) => ({ time_from_start: x, positions: [x], velocities: [x === 2 ? 1 : 0] }));
  const motion: Trajectory = { jointNames: ['joint'], points: points.with(1, { ...points[1], positions: [1.5] }) };
  expect(stoppingReport(turner(), stopScene('bar', false), motion)).toBeUndefined();
  expect(problems([[[0.1, 1]]], motion)[0]).toMatch(/acceleration of "joint" jumps at t = 2/);
});
