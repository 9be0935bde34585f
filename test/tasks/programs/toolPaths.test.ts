import { assert, expect, test } from 'vitest';
import { createArmModel } from '../../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../../src/core/dynamics/arm/inverseDynamics.ts';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { accelerationAt } from '../../../src/core/trajectory/polynomial.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { loadProblemsIn } from '../../../src/host/node/scenes.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { pathFrame } from '../../../src/tasks/programs/toolPaths.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';

const problemOf = async (scene: object) => {
  const text = JSON.stringify({ format: 'elbowroom-scene/1', ...scene });
  const [problem] = await loadProblemsIn(text, 'test/tasks/programs/path.json');
  return problem;
};

const planned = async (scene: object) => planScene(await problemOf(scene));

test('a robot with seven joints and limits of jerk follows a tool path at no more than its speed', async () => {
  const points = Array.from({ length: 8 }, (_, k) => ({
    xyz: [0.45 + 0.004 * k, 0.002 * Math.sin(k), 0.4],
    rpy: [Math.PI, 0, 0],
  }));
  const step = { path: { points, speed: '50 mm/s', tolerance: { position: '0.2 mm' } } };
  const { trajectory, reason } = await planned({
    robot: 'arm7',
    start: [0, -0.6, 0, -2.2, 0, 1.7, 0.8],
    steps: [{ move: points[0] }, step],
  });
  assert(trajectory, reason);
  assert.equal(trajectory.segments![1].kind, 'path');
});

test('a tool path out of reach and back is divided into reachable and blocked spans', async () => {
  const points = [0.5, 0.6, 0.9, 1.3, 0.9, 0.6, 0.5].map((x) => ({ xyz: [x, -0.1, 0.3], rpy: [Math.PI, 0, 0] }));
  const { stats } = await planned({
    robot: 'ur5e',
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    steps: [{ move: points[0] }, { path: { points } }],
  });
  assert.equal(stats.status, 'step-failed');
  const spans = stats.spans!;
  assert.deepEqual(
    spans.map(({ status }) => status),
    ['reachable', 'blocked', 'reachable'],
  );
  assert.equal(spans[0].from, 0);
  assert.equal(spans.at(-1)!.to, 6);
  for (const [k, { from }] of spans.entries()) if (k > 0) assert.equal(from, spans[k - 1].to + 1);
  expect(spans[0].reason).toContain('singularity or the end of its reach');
  expect(spans[1].reason).toMatch(/^the goal cannot be reached: out of reach by at least/);
  expect(spans.map(({ start }) => start?.length)).toEqual([6, undefined, 6]);
});

test('a span begins at the last way point of the one before where another solution continues', async () => {
  const turn = (k: number) => (2 * Math.PI * k) / 16;
  const points = Array.from({ length: 33 }, (_, k) => ({
    xyz: [0.5, -0.1 + 2e-3 * k, 0.3],
    rpy: [Math.PI, 0, turn(k)],
  }));
  const { stats } = await planned({
    robot: 'ur5e',
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    steps: [{ move: points[0] }, { path: { points } }],
  });
  assert.equal(stats.status, 'step-failed');
  const spans = stats.spans!;
  assert(spans.length > 1 && spans.every(({ status }) => status === 'reachable'), JSON.stringify(spans));
  assert.deepEqual([spans[0].from, spans.at(-1)!.to], [0, 32]);
  for (const [k, { from }] of spans.entries()) if (k > 0) assert.equal(from, spans[k - 1].to);
  expect(spans[0].reason).toContain('wrist_3_joint at its limit');
});

test('way points on a positioner are reachable if it can be turned to where the arm reaches them', async () => {
  const [problem] = await loadProblemsIn(JSON.stringify(positioner()), 'scenes/path.json');
  const { stats } = planScene(problem);
  const spans = stats.spans!;
  assert.deepEqual(
    spans.map(({ from, to, status }) => [from, to, status]),
    [
      [0, 1, 'reachable'],
      [2, 2, 'blocked'],
      [3, 4, 'reachable'],
    ],
    JSON.stringify(spans),
  );
  // with the table as in the first part, the way point is out of reach
  assert(Math.abs(spans[2].start![0] - spans[0].start![0]) > 1);
});

test('the motion through corners 2 mm apart is as fast everywhere: excesses of consecutive pieces are not multiplied', async () => {
  const side = Math.SQRT1_2 * 2e-3;
  const points = Array.from({ length: 1000 }, (_, k) => ({
    xyz: [0.3 + side * (k % 200), -0.3 + side * (k % 2) + 0.02 * Math.floor(k / 200), 0.2],
    rpy: [Math.PI, 0, 0],
  }));
  const { trajectory, reason } = await planned({
    robot: 'ur5e',
    tcp: { link: 'tool0', xyz: [0, 0, 0.14] },
    start: [0, -1.5, 1.6, -1.7, -Math.PI / 2, 0],
    steps: [{ move: points[0] }, { path: { points, tolerance: { position: '0.5 mm' } } }],
  });
  assert(trajectory, reason);
  const { from, to } = trajectory.segments![1];
  expect(to - from).toBeLessThan(60); // 39 s; it was 1207 s
});

test('a larger blend takes less time, also where the spheres contain much of the way between way points', async () => {
  const problem = await loadScene('scenes/sanding-raster.yaml');
  const durations = [0, 1e-3, 2e-3].map((blend) => {
    const steps = problem.scene.steps!.map((step) =>
      step.kind === 'path' ? { ...step, blend, points: step.points.slice(0, 1100) } : step,
    );
    const { trajectory, reason } = planScene({ ...problem, scene: { ...problem.scene, steps } });
    assert(trajectory, reason);
    return trajectory.points.at(-1)!.time_from_start!;
  });
  // 31.04, 30.60 and 30.53 s; without knots at the ends of the roundings, 33.37 and 32.35 s with a blend
  for (const [k, duration] of durations.slice(1).entries()) assert(duration < durations[k], durations.join());
});

/** A tool path on a turntable: from its near side to a way point beyond all reach, and along its far side. */
const positioner = () => {
  const at = (x: number, y: number, z: number) => ({ xyz: [x, y, z], rpy: [Math.PI, 0, 0] });
  const points = [at(-0.35, 0, 0.3), at(-0.35, 0.02, 0.3), at(-0.35, 0.02, 3), at(0.35, 0.02, 0.3), at(0.35, 0, 0.3)];
  return {
    format: 'elbowroom-scene/1',
    robot: { urdf: 'toolpaths/turntable.urdf', mounts: [{ name: 'ur5e', link: 'floor', prefix: '' }] },
    tcp: { link: 'tool0' },
    start: [0, 0, -1.57, 1.7, -1.7, -1.57, 0],
    steps: [{ move: at(0.25, 0, 0.5) }, { path: { points, frame: 'table', free: ['z'] } }],
  };
};

test('the spans of a planned tool path state where it is slower than its speed, and which limit slows it down', async () => {
  const points = Array.from({ length: 101 }, (_, k) => ({ xyz: [0.3 + 3e-3 * k, -0.2, 0.3], rpy: [Math.PI, 0, 0] }));
  const { stats, reason, trajectory } = await planned({
    robot: 'ur5e',
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    steps: [{ move: points[0] }, { path: { points, speed: '0.5 m/s' } }],
  });
  assert(trajectory, reason);
  const spans = stats.spans!;
  assert.deepEqual(
    spans.map(({ step, status }) => [step, status]),
    [
      [1, 'slow'],
      [1, 'reachable'],
      [1, 'slow'],
    ],
  );
  expect(spans[0].reason).toMatch(/^[\d.]+ of 500 mm\/s: the acceleration of shoulder_lift_joint is at its limit$/);
  assert.deepEqual(
    [spans[0].from, spans[1].from, spans[2].from, spans[2].to],
    [0, spans[0].to + 1, spans[1].to + 1, 100],
  );
  // with 0.5 m/s and some 2 m/s², the speed is reached after a tenth of a second or more
  expect(spans[0].to).toBeGreaterThan(5);
  expect(spans[0].to).toBeLessThan(40);
});

test('a frame that moves is refused, from the library as well', () => {
  const motion = { times: [0, 1], poses: [IDENTITY_POSE, IDENTITY_POSE] };
  const scene = { obstacles: [{ name: 'belt', parts: [], pose: IDENTITY_POSE, motion }] };
  expect(() => pathFrame({ links: [] } as never, scene, { frame: 'belt' } as never)).toThrow('the frame "belt"');
});

test('a tool path with a free axis past an obstacle, which continuation meets from each start, is searched as a whole', async () => {
  const points = Array.from({ length: 30 }, (_, k) => ({
    xyz: [0.45 + 0.1 * Math.cos(0.2 * k), 0.1 * Math.sin(0.2 * k), 0.25],
    rpy: [Math.PI, 0, 0],
  }));
  const { trajectory, reason } = await planned({
    robot: 'ur5e',
    tcp: { link: 'tool0', xyz: [0.08, 0, 0.1], rpy: [0, 0.6, 0] },
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    obstacles: [{ name: 'ball', type: 'sphere', radius: 0.063, pose: { xyz: [0.518, -0.143, 0.526] } }],
    steps: [{ move: points[0] }, { path: { points, free: ['z'], tolerance: { position: '0.2 mm' } } }],
  });
  assert(trajectory, reason);
});

test('a tool path is slowed down until momentum and power keep their limits', async () => {
  const points = Array.from({ length: 41 }, (_, k) => ({ xyz: [0.3 + 5e-3 * k, -0.2, 0.3], rpy: [Math.PI, 0, 0] }));
  const program = {
    robot: 'ur5e',
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    steps: [{ move: points[0] }, { path: { points, speed: '0.5 m/s' } }],
  };
  const problem = await problemOf(program);
  const dynamics = new InverseDynamics(createArmModel(createSceneRobot(problem)));
  const peaksOf = (trajectory: Trajectory) => {
    const { from, to } = trajectory.segments![1];
    const curve = new TrajectoryCurve(trajectory);
    const [q, v, torques] = [0, 1, 2].map(() => new Float64Array(6));
    let [momentum, power] = [0, 0];
    for (let i = 0; i <= 2000; i++) {
      const time = from + (i / 2000) * (to - from);
      curve.position(q, time);
      curve.velocity(v, time);
      const [k, u] = [curve.pieceAt(time), curve.timeInPiece(curve.pieceAt(time), time)];
      const a = q.map((_, j) => accelerationAt(curve.polynomials, curve.polynomialIndex(k, j), u));
      dynamics.torques(torques, q, v, a);
      momentum = Math.max(momentum, Math.hypot(...dynamics.momentum(q, v).linear));
      power = Math.max(power, Math.abs(torques.reduce((sum, torque, j) => sum + torque * v[j], 0)));
    }
    return { momentum, power };
  };
  const free = planScene(problem);
  assert(free.trajectory, free.reason);
  const most = peaksOf(free.trajectory);
  const limited: Record<string, number>[] = [{ momentum: 0.6 * most.momentum }, { power: 0.6 * most.power }];
  for (const safety of limited) {
    const { trajectory, stats, reason } = await planned({ ...program, safety });
    assert(trajectory, reason);
    const peaks = peaksOf(trajectory);
    for (const [key, limit] of Object.entries(safety)) {
      expect(peaks[key as 'momentum' | 'power']).toBeLessThanOrEqual(limit * (1 + 1e-6));
      // The power falls faster than the pace, in relation to which a motion is slowed down.
      expect(peaks[key as 'momentum' | 'power']).toBeGreaterThan((key === 'momentum' ? 0.95 : 0.4) * limit);
    }
    expect(stats.spans!.map(({ status }) => status)).toEqual(['slow']);
    expect(stats.spans![0].reason).toContain('mm/s: the momentum, the power or the speed of a frame is at its limit');
  }
});
