import { expect, test } from 'vitest';
import { createArmModel } from '../../../src/core/dynamics/arm/armModel.ts';
import { BrakingProver } from '../../../src/core/dynamics/arm/brakingProver.ts';
import { InverseDynamics } from '../../../src/core/dynamics/arm/inverseDynamics.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { elbowOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { evenPart } from '../../../src/core/trajectory/retiming/brakingPart.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { stoppingReport } from '../../../src/tasks/forces/stopping.ts';
import { pathRobot } from '../../core/cartesian/paths/toolPathAttack.ts';
import { uniform } from '../../core/dynamics/arm/randomArm.ts';
import { rates } from '../../core/dynamics/arm/randomMotion.ts';
import { sampledStop, stoppable } from './stopOracle.ts';

/** STOP_CASES=100 STOP_SEED=1000 runs more. */
const CASES = Number(process.env.STOP_CASES ?? 1);
const SEED = Number(process.env.STOP_SEED ?? 1);

const sceneOf = (link: string, torque: boolean) =>
  ({
    robot: {},
    obstacles: [],
    attached: [],
    tcp: { link, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } },
    ...(torque && { torque: { scale: 1 } }),
  }) as unknown as Scene;

test('a braking part of a motion is not proved if a sampled acceleration or torque exceeds its limit', () => {
  let proved = 0;
  for (let seed = SEED; seed < SEED + 10 * CASES; seed++) {
    const { robot, motion } = stoppable(seed, 1.02);
    const random = uniform(seed);
    const curve = new TrajectoryCurve(motion);
    const limits = robot.variables.map(({ effort }) => effort);
    const acceleration = robot.variables.map((one) => one.limits.acceleration);
    const jerk = acceleration.map(() => Number.POSITIVE_INFINITY);
    const arm = createArmModel(robot);
    const prover = new BrakingProver(curve, { acceleration: () => acceleration, jerk }, { arm, limits });
    const dynamics = new InverseDynamics(arm);
    const torques = new Float64Array(arm.dof);
    for (let n = 0; n < 60; n++) {
      const piece = Math.floor(curve.pieces * random());
      const step = 0.03 * random() ** 2;
      const from = (curve.times[piece + 1] - curve.times[piece] - step) * random();
      const pace = random();
      const u = Math.max(-40 * random() ** 3, (-pace * pace) / 2 / step);
      if (!prover.isKept(piece, evenPart(from, step, pace * pace, u))) continue;
      proved++;
      for (let i = 0; i <= 20; i++) {
        const s = from + (i / 20) * step;
        const p = Math.sqrt(Math.max(0, pace * pace + 2 * u * (s - from)));
        const t = curve.times[piece] + s;
        const { q, v, a } = rates(motion, t, curve.times[piece] + from + step / 2);
        const braking = v.map((x, k) => a[k] * p * p + x * u);
        dynamics.torques(
          torques,
          q,
          v.map((x) => x * p),
          braking,
        );
        for (let k = 0; k < arm.dof; k++) {
          const ratio = Math.max(Math.abs(torques[k]) / limits[k], Math.abs(braking[k]) / acceleration[k]);
          if (!(ratio <= 1 + 1e-8)) expect.fail(`seed ${seed}, n ${n}, joint ${k}: ${ratio}`);
        }
      }
    }
  }
  expect(proved).toBeGreaterThan(50 * CASES);
});

for (const torque of [false, true])
  test(`no stop from a random instant takes longer or goes farther than reported, torque ${torque}`, () => {
    let least = 1;
    for (let seed = SEED; seed < SEED + CASES; seed++) {
      const { robot, motion, link } = stoppable(seed, 1.2);
      const report = stoppingReport(robot, sceneOf(link, torque), motion);
      if (report === undefined) continue;
      const random = uniform(1000 + seed);
      const end = motion.points.at(-1)!.time_from_start!;
      let [time, length] = [0, 0];
      for (const from of [report.at + 1e-4, report.tcp_at + 1e-4, ...[1, 2, 3, 4].map(() => end * random())]) {
        const stop = sampledStop(robot, motion, link, from, torque, 1e-3);
        time = Math.max(time, stop.time);
        length = Math.max(length, stop.length);
      }
      if (time > report.time + 2e-3) expect.fail(`seed ${seed}: ${time} s, reported ${report.time}`);
      if (length > report.tcp_distance * 1.002 + 1e-4)
        expect.fail(`seed ${seed}: ${length} m, reported ${report.tcp_distance}`);
      least = Math.min(least, (time + 2e-3) / report.time, (length + 1e-4) / report.tcp_distance);
    }
    expect(least).toBeLessThan(1.002);
    expect(least).toBeGreaterThan(0.85);
  });

test('stops of motions without times are refused', () => {
  const { robot, motion, link } = stoppable(1, 1.2);
  const scene = sceneOf(link, true);
  const path = { ...motion, points: motion.points.map(({ positions }) => ({ positions })) };
  expect(() => stoppingReport(robot, scene, path)).toThrow(/times/);
});

test('the elbow has no stop if steps move a joint that carries it, and keeps it if they move one beyond', () => {
  const seed = [1, 2, 3, 4, 5, 6, 7, 8].find((one) => stoppable(one, 1.2).robot.description.joints.length >= 4)!;
  const { robot, motion, link } = stoppable(seed, 1.2);
  const elbow = elbowOf(robot.description)!;
  const { joints } = robot.description;
  const carrier = joints.find(({ child }) => child === elbow)!;
  const beyond = joints.find(({ parent }) => parent === elbow)!;
  const report = (...moved: string[]) => {
    const moves = { joints: Object.fromEntries(moved.map((name) => [name, 0])) };
    const steps = moved.length === 0 ? {} : { steps: [{ kind: 'wait', index: 0, duration: 1, moves }] };
    return stoppingReport(robot, { ...sceneOf(link, false), ...steps } as never, motion)!;
  };
  expect(report().elbow_distance).toBeGreaterThan(0);
  expect(report(beyond.name).elbow_distance).toBe(report().elbow_distance);
  expect(report(carrier.name)).not.toHaveProperty('elbow_distance');
});

const cubic = (...points: readonly (readonly [time: number, q: number])[]) => ({
  jointNames: ['joint'],
  points: points.map(([time_from_start, q]) => ({ time_from_start, positions: [q], velocities: [0] })),
});

/** A point mass of 1 kg at the end of a bar of 0.5 m, which hangs at 0. */
function pendulum(effort: number) {
  const inertial = { mass: 1, center: [0, 0, -0.5], inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } as const;
  const origin = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
  const joint = { name: 'joint', type: 'revolute', parent: 'base', child: 'bar', origin, axis: [0, 1, 0] } as const;
  return createRobotModel({
    name: 'pendulum',
    root: 'base',
    links: [
      { name: 'base', collisions: [] },
      { name: 'bar', collisions: [], inertial },
    ],
    joints: [{ ...joint, lower: -3, upper: 3, velocity: 20, acceleration: 10, effort }],
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  });
}

test('friction, which brakes, is not counted where a stop ends, and a constant pace below 1 is proved', () => {
  const given = pendulum(9);
  const joints = given.joints.map((joint) => ({ ...joint, drive: { friction: 2 } }));
  const arm = createArmModel({ ...given, joints });
  const curve = new TrajectoryCurve(cubic([0, -0.5], [1, 0.5])); // at 0.5 s: 1.5 rad/s where the bar hangs down
  const kept = (limit: number, x: number, u: number) =>
    new BrakingProver(
      curve,
      { acceleration: () => [100], jerk: [Number.POSITIVE_INFINITY] },
      { arm, limits: [limit] },
    ).isKept(0, evenPart(0.5, 0.01, x, u));
  // a deceleration of 30 rad/s² takes 7.5 N m, of which friction takes 2
  for (let i = 1; i <= 20; i++) expect([i, kept(6, 0.01 * i, -20), kept(8, 0.01 * i, -20)]).toEqual([i, false, true]);
  expect(kept(3, 0.25, 0)).toBe(true);
});

const at = { link: 'bar', pose: { xyz: [0, 0, -0.5], quat_wxyz: [1, 0, 0, 0] } };
const pendulumScene = (given: object) => ({ robot: {}, obstacles: [], attached: [], tcp: at, ...given }) as never;

test('stops are not stated if their computation is interrupted, at any time', () => {
  const scene = pendulumScene({ start: [0] });
  const motion = cubic([0, 0], [1, 1]);
  const interruptedAt = (count: number) => {
    let calls = 0;
    const report = stoppingReport(pendulum(4), scene, motion, () => calls++ === count);
    return { calls, report };
  };
  const { calls, report } = interruptedAt(-1);
  expect(report).toBeDefined();
  expect(calls).toBeGreaterThan(50);
  for (let count = 0; count < calls; count += 9) expect(interruptedAt(count).report).toBeUndefined();
});

test('no stop is proved if the arm cannot be held where it ends', () => {
  const swing = cubic([0, 0], [1, Math.PI / 2]);
  const scene = pendulumScene({ torque: { scale: 1 } });
  // a deceleration of 9.4 rad/s² takes 2.4 N m off the 4.9 N m that hold the bar level
  expect(stoppingReport(pendulum(4), scene, swing)).toBeUndefined();
  expect(stoppingReport(pendulum(5), scene, swing)!.time).toBeGreaterThan(0);
});

test('the motion from the start of the scene to the first point has the stops of the same motion from time 0 on', () => {
  const scene = pendulumScene({ start: [0] });
  const whole = stoppingReport(pendulum(4), scene, cubic([0, 0], [1, 1], [2, 1.1]));
  expect(stoppingReport(pendulum(4), scene, cubic([1, 1], [2, 1.1]))).toEqual(whole);
  expect(stoppingReport(pendulum(4), scene, cubic([1, 1]))!.time).toBeGreaterThan(0.1);
});

test('stops keep the limits of acceleration of their steps', () => {
  const motion = { ...cubic([0, 0], [4, 1]), segments: [{ step: 0, kind: 'move', from: 0, to: 4 }] as const };
  const stop = (acceleration: number) =>
    stoppingReport(pendulum(4), pendulumScene({ steps: [{ kind: 'move', index: 0, acceleration }] }), motion)!;
  expect(stop(0.1).time).toBeGreaterThan(0.3);
  expect(stop(1).time).toBeLessThan(0.1);
});

test('stops are bounded in few steps where a joint turns the tool about its center point', async () => {
  const { model } = await pathRobot('ur5e');
  const row = (time_from_start: number, pan: number, wrist: number) => ({
    time_from_start,
    positions: [pan, -1.4, 1.7, -1.8, -1.5, wrist],
    velocities: [0, 0, 0, 0, 0, 0],
  });
  const jointNames = model.variables.map(({ name }) => name);
  const motion = { jointNames, points: [row(0, 0, 0), row(1.5, 1, 0), row(2.5, 1, 0.1)] };
  const report = stoppingReport(model, pendulumScene({ tcp: undefined }), motion)!;
  expect(report.tcp_distance).toBeLessThan(0.06);
});
