import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { readRecord } from '../../src/formats/trajectories/trajectoryRecord.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { Service } from '../../src/host/service/service.ts';
import { type Listening, listenOnSocket } from '../../src/host/service/socket.ts';
import { createTrajectoryChecker } from '../../src/tasks/checking/checkTrajectory.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { root, temporaryFolder } from '../host/cli/run.ts';

// clients/cpp/moveit: compiled against stubs of MoveIt's types (moveit/stubs), and run against a service.

const works = () => {
  try {
    execFileSync('g++', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasCompiler = works();
if (!hasCompiler) console.log('g++ is not installed: clients/cpp/moveit is not tested');

const folder = temporaryFolder();
const { scene, robot: description } = await loadScene(join(root, 'scenes/table-top.yaml'));
const robot = createSceneRobot({ scene, robot: description });
const names = robot.variables.map(({ name }) => name);
const check = createTrajectoryChecker(robot, new CollisionManager(new CollisionModel(robot, scene)));

interface Point {
  readonly time: number;
  readonly q: readonly number[];
  readonly v?: readonly number[];
}

/** A line for adapt.cpp. */
const lineOf = (points: readonly Point[], joints = names) =>
  [
    joints.length,
    points.length,
    ...joints,
    ...points.flatMap(({ time, q, v = q.map(() => 0) }) => [
      Math.floor(time),
      Math.round((time % 1) * 1e9),
      ...q,
      ...v,
    ]),
  ].join(' ');

describe.skipIf(!hasCompiler)('the response adapter for MoveIt 2', () => {
  const program = join(folder, 'adapt');
  const socket = join(folder, 'service.sock');
  let listening: Listening;
  beforeAll(async () => {
    listening = await listenOnSocket(new Service({ robot, scene, version: '0' }), socket);
    const package_ = join(root, 'clients/cpp/moveit');
    const includes = [join(root, 'test/clients/moveit/stubs'), join(package_, 'include'), join(root, 'clients/cpp')];
    const sources = [join(package_, 'src/prove_and_repair.cpp'), join(root, 'test/clients/moveit/adapt.cpp')];
    const flags = ['-std=c++17', '-Wall', '-Wextra', '-Werror', ...includes.map((path) => `-I${path}`)];
    execFileSync('g++', [...flags, ...sources, '-o', program], { stdio: ['ignore', 'ignore', 'inherit'] });
  }, 120_000);
  afterAll(() => listening?.stop());

  async function adapt(path: string, ...lines: string[]) {
    const child = spawn(program, [path], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.end(`${lines.join('\n')}\n`);
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await once(child, 'close');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { code: number; message: { points: { positions: number[] }[] } });
  }

  const start = [...(scene.start as readonly number[])];
  const goal = [...(scene.goals[0] as { joints: readonly number[] }).joints];
  const near = start.map((x, j) => x + (j === 5 ? 0.1 : 0));

  test('leaves a proved trajectory as it is, and replaces one in collision by a proved one with the same ends', async () => {
    const reversed = [...names].reverse();
    const [good, repaired, swapped] = await adapt(
      socket,
      lineOf([
        { time: 0, q: start },
        { time: 2.5, q: near },
      ]),
      lineOf([
        { time: 0, q: start },
        { time: 8, q: goal },
      ]),
      lineOf(
        [
          { time: 0, q: [...start].reverse() },
          { time: 8, q: [...goal].reverse() },
        ],
        reversed,
      ),
    );
    expect(good).toMatchObject({ code: 1, message: { joint_names: names } });
    expect(good.message.points).toEqual([
      { positions: start, velocities: start.map(() => 0), time_from_start: { sec: 0, nanosec: 0 } },
      { positions: near, velocities: near.map(() => 0), time_from_start: { sec: 2, nanosec: 500_000_000 } },
    ]);
    expect(repaired.code).toBe(1);
    expect(repaired.message.points.length).toBeGreaterThan(2);
    expect(repaired.message.points[0].positions).toEqual(start);
    expect(repaired.message.points.at(-1)!.positions).toEqual(goal);
    for (const { code, message } of [repaired, swapped]) {
      expect(code).toBe(1);
      const trajectory = await readRecord(JSON.stringify(message), 'message.json');
      expect(check(trajectory)).toMatchObject({ valid: true });
    }
  });

  test('refuses what cannot be repaired, and fails without a service', async () => {
    const outside = goal.map((x, j) => (j === 0 ? 99 : x));
    const codes = async (...given: Parameters<typeof adapt>) => (await adapt(...given)).map(({ code }) => code);
    const hopeless = lineOf([
      { time: 0, q: start },
      { time: 8, q: outside },
    ]);
    const foreign = lineOf(
      [
        { time: 0, q: start },
        { time: 8, q: goal },
      ],
      ['x', ...names.slice(1)],
    );
    const planar = lineOf(
      [
        { time: 0, q: start },
        { time: 8, q: goal },
      ],
      ['planar', ...names.slice(1)],
    );
    const good = lineOf([
      { time: 0, q: start },
      { time: 2.5, q: near },
    ]);
    expect(await codes(socket, hopeless, foreign, planar, 'none', good)).toEqual([-2, 99999, -2, -2, 1]);
    expect(await codes(join(folder, 'nobody.sock'), good)).toEqual([99999]);
  });
});
