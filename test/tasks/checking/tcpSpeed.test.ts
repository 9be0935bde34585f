import { describe, expect, test } from 'vitest';
import { FrameSpeed } from '../../../src/core/cartesian/frameSpeed.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { framePose, tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { loadRobot, loadScene } from '../../../src/host/node/files.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { describeFaults } from '../../../src/tasks/checking/describeFaults.ts';
import { createTcpSpeedCheck } from '../../../src/tasks/checking/tcpSpeed.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { randomStates } from '../../robots/loaded.ts';

const tcp = { pose: { xyz: [0, 0.05, 0.15], quat_wxyz: [1, 0, 0, 0] } } as const;

/** Highest speed by differences of positions, `count` samples per piece; evaluates the Hermite cubics itself. */
function sampledSpeed(model: RobotModel, { points }: Trajectory, count: number): { value: number; time: number } {
  const state = new RobotState(model);
  const frame = tcpOf(model, tcp);
  let best = { value: 0, time: 0 };
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1], points[k]];
    const T = b.time_from_start! - a.time_from_start!;
    const at = (u: number) => {
      const s = u / T;
      const q = a.positions.map((x, j) => {
        const [y, v, w] = [b.positions[j], a.velocities![j] * T, b.velocities![j] * T];
        return x * (1 + 2 * s) * (1 - s) ** 2 + y * s * s * (3 - 2 * s) + v * s * (1 - s) ** 2 - w * s * s * (1 - s);
      });
      forwardKinematics(state, Float64Array.from(q));
      return framePose(state, frame).xyz;
    };
    const h = Math.min(1e-5, T / (4 * count));
    for (let i = 0; i <= count; i++) {
      const u = Math.min(Math.max((T * i) / count, h), T - h);
      const [before, after] = [at(u - h), at(u + h)];
      const value = Math.hypot(...before.map((x, c) => after[c] - x)) / (2 * h);
      if (value > best.value) best = { value, time: a.time_from_start! + u };
    }
  }
  return best;
}

/** A random curve of a few cubics, at rest at neither end. */
function randomMotion(model: RobotModel, seed: number): Trajectory {
  const random = new Random(seed);
  const states = randomStates(model, 4, seed);
  const jointNames = model.variables.map(({ name }) => name);
  const points = states.map((q, i) => ({
    time_from_start: i * (0.3 + (seed % 3)),
    positions: Array.from(q),
    velocities: Array.from(q, () => random.between(-2, 2)),
  }));
  return { jointNames, points };
}

describe.each(['ur5e', 'arm7', 'scara4', 'gantry4'])('%s', async (robot) => {
  const model = createRobotModel(await loadRobot(robot));

  test('the highest speed found agrees with sampling, and a limit just above it is proved', () => {
    const speed = new FrameSpeed(model, tcpOf(model, tcp));
    for (let seed = 1; seed <= 12; seed++) {
      const motion = randomMotion(model, seed);
      const curve = new TrajectoryCurve(motion);
      const { value } = sampledSpeed(model, motion, 400);
      expect(speed.bound(curve)).toBeGreaterThanOrEqual(value * (1 - 1e-7));
      expect(speed.bound(curve)).toBeLessThan(value * 1.004);
      expect(speed.excess(curve, value * 1.004)).toBeUndefined();
      const fault = speed.excess(curve, value * 0.9)!;
      expect(fault.value).toBeGreaterThan(value * 0.998);
      const [fault2] = createTcpSpeedCheck(model, { tcp, tcpSpeed: value * 0.99 })(motion);
      expect(fault2).toMatchObject({ kind: 'tcp-speed', limit: value * 0.99 });
      expect(fault2.time).toBeGreaterThanOrEqual(0);
    }
  });
});

test('a motion at its limit everywhere is proved, and refuted for a limit that is lower by a millionth', async () => {
  const model = createRobotModel(await loadRobot('gantry4'));
  const jointNames = model.variables.map(({ name }) => name);
  const q = (x: number) => jointNames.map((name) => (name === 'x_joint' ? x : 0));
  const points = [
    { time_from_start: 0, positions: q(0), velocities: q(0.25) },
    { time_from_start: 2, positions: q(0.5), velocities: q(0.25) },
  ];
  const check = (tcpSpeed: number) => createTcpSpeedCheck(model, { tcp, tcpSpeed })({ jointNames, points });
  expect(check(0.25)).toEqual([]);
  expect(check(0.25 * (1 - 3e-6))[0].value).toBeCloseTo(0.25, 9);
});

test.each(['blend', 'stop'] as const)(
  'plans with jerk limits keep the speed of the TCP, corners: %s',
  async (corners) => {
    const loaded = await loadScene('shelf');
    const names = createRobotModel(loaded.robot).variables.map(({ name }) => name);
    const limits = Object.fromEntries(names.map((name) => [name, { jerk: 40, acceleration: 8 }]));
    const scene: Scene = { ...loaded.scene, tcp, tcpSpeed: 0.2, robot: { ...loaded.scene.robot, limits } };
    const { trajectory } = planMotion({ ...loaded, scene }, { corners });
    const { value } = sampledSpeed(createRobotModel(loaded.robot), trajectory!, 200);
    expect(value).toBeLessThanOrEqual(0.2 * (1 + 1e-6));
    expect(value).toBeGreaterThan(0.18);
  },
);

test.each(['shelf', 'machine-tending', 'table-top', 'narrow-passage', 'arm7-alcove', 'scara-trays'])(
  'plans of %s keep the speed of the TCP at every sampled instant, and come near to it',
  async (name) => {
    const loaded = await loadScene(name);
    const at = (tcpSpeed: number | undefined, corners: 'blend' | 'stop'): { scene: Scene; trajectory: Trajectory } => {
      const scene = { ...loaded.scene, tcp, ...(tcpSpeed === undefined ? {} : { tcpSpeed }) };
      const { trajectory, reason } = planMotion({ ...loaded, scene }, { corners });
      if (trajectory === undefined) throw new Error(reason);
      return { scene, trajectory };
    };
    const model = createRobotModel(loaded.robot, loaded.scene.robot as never);
    for (const corners of ['blend', 'stop'] as const) {
      const free = at(undefined, corners);
      const fastest = sampledSpeed(model, free.trajectory, 200).value;
      expect(at(1.01 * fastest, corners).trajectory.points, 'a limit that it keeps anyway').toEqual(
        free.trajectory.points,
      );
      const limit = 0.4 * fastest;
      const slow = at(limit, corners);
      const highest = sampledSpeed(model, slow.trajectory, 200).value;
      expect(highest).toBeLessThanOrEqual(limit * (1 + 1e-6));
      expect(highest).toBeGreaterThan(0.9 * limit);
      const check = createTrajectoryChecker(model, new CollisionManager(new CollisionModel(model, slow.scene)));
      expect(check(slow.trajectory).valid).toBe(true);
      const verdict = check(free.trajectory);
      expect(verdict.valid).toBe(false);
      expect(describeFaults(verdict).join()).toMatch(
        /^the TCP: speed [\d.]+ m\/s at [\d.]+ s, its limit is [\d.]+ m\/s$/,
      );
    }
  },
);

test('a limit of the speed slows a line down only where the tool is too fast', async () => {
  // The tool passes near the axis of the base, where the joints may be fast, and ends far from it.
  const loaded = await loadScene('scara-trays');
  const at = (joints: readonly number[]) => ({ kind: 'joints', joints }) as const;
  const scene: Scene = {
    ...loaded.scene,
    obstacles: [],
    allow: [],
    start: [0, 2.6, 0, 0],
    goals: [at([1.2, 0, 0, 0])],
    tcp,
    tcpSpeed: 0.5,
  };
  const model = createRobotModel(loaded.robot);
  const { trajectory, status } = planMotion({ ...loaded, scene });
  expect(status).toBe('solved');
  const { points } = trajectory!;
  const curve = new TrajectoryCurve(trajectory!);
  const [from, to] = [points[0].positions, points.at(-1)!.positions];
  const rate =
    0.5 /
    new FrameSpeed(model, tcpOf(model, scene.tcp)).bound(
      new TrajectoryCurve({
        jointNames: trajectory!.jointNames,
        points: [from, to].map((positions, k) => ({ time_from_start: k, positions })),
      }),
    );
  // a line at one rate takes as long as its fastest part requires
  expect(curve.end).toBeLessThan(0.85 / rate);
  const q = new Float64Array(curve.dof);
  for (let k = 0; k <= 100; k++) {
    curve.position(q, (curve.end * k) / 100);
    const s = (q[0] - from[0]) / (to[0] - from[0]);
    expect(q[1]).toBeCloseTo(from[1] + s * (to[1] - from[1]), 9); // still on the line
  }
  expect(sampledSpeed(model, trajectory!, 40).value).toBeLessThanOrEqual(0.5 * (1 + 1e-6));
});
