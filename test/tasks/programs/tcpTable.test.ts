import { assert, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { ELBOW, tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { readToolPath } from '../../../src/formats/toolpaths/index.ts';
import { readTrajectory } from '../../../src/formats/trajectories/index.ts';
import { tcpCsv } from '../../../src/formats/trajectories/tcpCsv.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { loadProblemsIn } from '../../../src/host/node/scenes.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { toolPose } from '../../core/cartesian/legOracle.ts';
import { angleBetween, matrixOf } from './programOracle.ts';

/** Deviations that the page of tool paths states. */
const [POSITION, ANGLE] = [1e-5, (0.01 * Math.PI) / 180];

/** The rows of a table: times, way points and poses. */
function rowsOf(text: string) {
  const times = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',')[0]));
  const points = readToolPath(text, 'tool.csv');
  assert.equal(points.length, times.length);
  return { times, points };
}

/** Largest deviations of a motion from the interpolation of its table, at some instants between rows. */
function deviations(text: string, poseAt: (time: number) => readonly number[]) {
  const { times, points } = rowsOf(text);
  const most = { position: 0, angle: 0 };
  for (let k = 1; k < times.length; k++)
    for (const share of [0, 0.21, 0.5, 0.83, 1]) {
      const [a, b] = [points[k - 1], points[k]];
      const T = poseAt(times[k - 1] + share * (times[k] - times[k - 1]));
      // quaternions of neighbouring rows may differ in their sign; their angle is so small that lerp is slerp
      const sign = a.quat_wxyz!.reduce((sum, x, i) => sum + x * b.quat_wxyz![i], 0) < 0 ? -1 : 1;
      const mixed = (p: readonly number[], q: readonly number[], by = 1) =>
        p.map((x, i) => (1 - share) * x + share * by * q[i]);
      const U = matrixOf({ xyz: mixed(a.xyz, b.xyz), quat_wxyz: mixed(a.quat_wxyz!, b.quat_wxyz!, sign) });
      most.position = Math.max(most.position, Math.hypot(T[3] - U[3], T[7] - U[7], T[11] - U[11]));
      most.angle = Math.max(most.angle, angleBetween(T, U));
    }
  return most;
}

test.each(['ur5e', 'arm7', 'scara4'])(
  '%s: between the rows, random motions are within the tolerances',
  async (name) => {
    const robot = createRobotModel(await loadRobot(name));
    const random = new Random(5);
    const most = { position: 0, angle: 0 };
    for (const kind of ['linear', 'cubic', 'quintic']) {
      for (const isElbow of [false, true]) {
        const values = (size: number) => robot.variables.map(() => random.between(-size, size));
        const points = Array.from({ length: 3 }, (_, k) => ({
          time_from_start: 3 + 0.7 * k * (1 + random.between(0, 0.2)),
          positions: values(1.5),
          ...(kind !== 'linear' && { velocities: values(2) }),
          ...(kind === 'quintic' && { accelerations: values(5) }),
        }));
        const motion: Trajectory = { jointNames: robot.variables.map((one) => one.name), points };
        const tcp = isElbow ? ELBOW : { pose: { xyz: [0.1, -0.05, 0.2], quat_wxyz: [1, 0, 0, 0] } };
        const scene = { tcp } as unknown as Scene;
        const text = tcpCsv.write(motion, { robot, scene });
        const curve = new TrajectoryCurve(motion);
        const q = new Float64Array(curve.dof);
        const frame = tcpOf(robot, scene.tcp);
        const found = deviations(text, (time) => {
          curve.position(q, time);
          return toolPose(robot, frame, q);
        });
        most.position = Math.max(most.position, found.position);
        most.angle = Math.max(most.angle, found.angle);
        const { times } = rowsOf(text);
        assert.deepEqual([times[0], times.at(-1)], [curve.start, Number(curve.end.toFixed(12))]);
      }
    }
    assert(most.position <= POSITION && most.angle <= ANGLE, JSON.stringify(most));
    assert(most.position > 0.2 * POSITION || most.angle > 0.2 * ANGLE, `too many rows: ${JSON.stringify(most)}`);
  },
);

const SCENE = {
  format: 'elbowroom-scene/1',
  robot: 'ur5e',
  tcp: { link: 'tool0', xyz: [0, 0, 0.1] },
  start: [0, -1.5, 1.6, -1.7, -1.57, 0],
};
const problemOf = async (steps: readonly object[]) => {
  const [problem] = await loadProblemsIn(JSON.stringify({ ...SCENE, steps }), 'test/tasks/programs/table.json');
  return problem;
};

test('the table of a planned path is read as a path, whose table has the same signals, at the same places', async () => {
  const at = (k: number) => ({ xyz: [0.4 + 0.004 * k, 0.1 + 0.01 * Math.sin(k / 3), 0.2] });
  const points = Array.from({ length: 20 }, (_, k) => ({ ...at(k), on: k >= 4 && k < 12 }));
  const move = { move: { ...at(0), rpy: [Math.PI, 0, 0] } };
  const first = await problemOf([move, { path: { points, speed: '50 mm/s' } }]);
  const tableOf = (problem: Awaited<ReturnType<typeof problemOf>>) => {
    const { trajectory, reason } = planScene(problem);
    assert(trajectory, reason);
    const whole = tcpCsv.write(trajectory, { robot: createSceneRobot(problem), scene: problem.scene }).split('\n');
    const from = trajectory.segments!.find(({ kind }) => kind === 'path')!.from;
    return [whole[0], ...whole.slice(1, -1).filter((line) => Number(line.split(',')[0]) >= from - 1e-12)].join('\n');
  };
  const switches = (text: string) => {
    const read = readToolPath(text, 'tool.csv');
    return read.filter(({ on }, k) => k > 0 && on !== read[k - 1].on).map(({ xyz, on }) => ({ xyz, on }));
  };
  const table = tableOf(first);
  const read = readToolPath(table, 'tool.csv').map((point) => ({ ...point, quat_wxyz: [...point.quat_wxyz!] }));
  const { on: _, ...start } = read[0];
  const again = tableOf(await problemOf([{ move: start }, { path: { points: read, speed: '50 mm/s' } }]));
  const [one, other] = [table, again].map(switches);
  expect(one.map(({ on }) => on)).toEqual([true, false]);
  expect(other.map(({ on }) => on)).toEqual([true, false]);
  for (const [k, { xyz }] of one.entries())
    assert(Math.hypot(...xyz.map((x, i) => x - other[k].xyz[i])) < 3e-4, `switch ${k}`);
});

test('a table is refused as a trajectory, with what it is and what follows it', async () => {
  const table = 'time [s],x [m],y [m],z [m],qw,qx,qy,qz\n0,0.7,-0.2,0.3,1,0,0,0\n';
  await expect(readTrajectory(table, 'tool.csv', createRobotModel(await loadRobot('ur5e')))).rejects.toThrow(
    'tool.csv:1: a table of poses of the tool, without joint values',
  );
});

test('paths without times, and motions whose events move the base of the tool, are refused', async () => {
  const problem = await problemOf([{ move: { xyz: [0.4, 0.1, 0.2], rpy: [Math.PI, 0, 0] } }]);
  const { trajectory } = planScene(problem);
  const setting = { robot: createSceneRobot(problem), scene: problem.scene };
  const events = [{ step: 1, time: 0, set: { joints: { shoulder_pan_joint: 1 } } }];
  const untimed = trajectory!.points.map(({ positions }) => ({ positions }));
  expect(() => tcpCsv.write({ ...trajectory!, points: untimed }, setting)).toThrow('a path has no times');
  expect(() => tcpCsv.write({ ...trajectory!, events }, setting)).toThrow('an event moves shoulder_pan_joint');
  const others = [{ ...events[0], set: { joints: { finger: 1 } } }];
  assert.equal(tcpCsv.write({ ...trajectory!, events: others }, setting), tcpCsv.write(trajectory!, setting));
});
