import { execFile, execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forwardKinematics, RobotState } from '../../src/core/kinematics/forwardKinematics.ts';
import { poseError, transformOfPose } from '../../src/core/kinematics/pose.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { connectService } from '../../src/host/service/connectService.ts';
import { Service } from '../../src/host/service/service.ts';
import { type Listening, listenOnSocket } from '../../src/host/service/socket.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../src/tasks/validation/stateValidityChecker.ts';
import { isLong } from '../cases.ts';
import { elbowroom, root, temporaryFolder } from '../host/cli/run.ts';

// The clients of clients/ and examples/clients, each against a real service on a real socket.

const run = promisify(execFile);
const pythonPackage = join(root, 'clients/python');
const folder = temporaryFolder();
const path = join(folder, 'service.sock');
const scenePath = join(root, 'scenes/table-top.yaml');
const loaded = await loadScene(scenePath);
const robot = createSceneRobot(loaded);
const checker = new StateValidityChecker(robot, loaded.scene);
let listening: Listening;
beforeAll(async () => {
  listening = await listenOnSocket(new Service({ robot, scene: loaded.scene, version: '0' }), path);
});
afterAll(() => listening.stop());

/** A scene with two goals, both poses. */
const posePath = join(root, 'scenes/grasp-by-pose.yaml');
const poses = await loadScene(posePath);
const poseRobot = createSceneRobot(poses);
const poseSocket = join(folder, 'poses.sock');
let listeningToPoses: Listening;
beforeAll(async () => {
  const service = new Service({ robot: poseRobot, scene: poses.scene, version: '0' });
  listeningToPoses = await listenOnSocket(service, poseSocket);
});
afterAll(() => listeningToPoses.stop());

/** True if the link of a pose goal of the scene is there at q. */
function isAtGoal(q: readonly number[]): boolean {
  const state = new RobotState(poseRobot);
  forwardKinematics(state, Float64Array.from(q));
  return poses.scene.goals.some((goal) => {
    if (goal.kind !== 'pose') return false;
    const { link, tolerance, ...pose } = goal.pose;
    const { index } = poseRobot.links.find(({ name }) => name === link)!;
    const error = new Float64Array(6);
    poseError(error, state.T_world_link[index], transformOfPose(pose));
    const [x, y, z, wx, wy, wz] = error;
    return Math.hypot(x, y, z) <= tolerance.position && Math.hypot(wx, wy, wz) <= (tolerance.angle as number);
  });
}

/** Checks a path as CSV or JSON lines of the scene whose goals are poses: certified, and its end is at a goal. */
async function expectPathToPose(waypoints: readonly (readonly number[])[]): Promise<void> {
  const file = join(folder, `to-pose-${waypoints.length}.csv`);
  const header = poseRobot.variables.map(({ name }) => name).join(',');
  writeFileSync(file, [header, ...waypoints.map((q) => q.join(','))].join('\n'));
  expect(await elbowroom(['check', posePath, file])).toMatchObject({ code: 0 });
  expect(isAtGoal(waypoints[0])).toBe(false);
  expect(isAtGoal(waypoints.at(-1)!)).toBe(true);
}

describe('the client in TypeScript', () => {
  test('finds valid goal states of poses, the same ones each time', async () => {
    const client = await connectService(`unix:${poseSocket}`);
    const states = await client.goalStates();
    expect(states.length).toBeGreaterThan(1);
    expect(states.every(isAtGoal)).toBe(true);
    expect((await client.areValid(states)).every(Boolean)).toBe(true);
    expect(await client.goalStates()).toEqual(states);
    await client.close();
  });
});

const works = (command: string, ...args: string[]) => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasPython = works('python3', '--version');
const hasOmpl = works('g++', '--version') && existsSync('/usr/include/ompl-1.5') && existsSync('/usr/include/eigen3');
if (!hasPython) console.log('python3 is not installed: its client is not tested');
if (!hasOmpl) console.log('g++ or libompl-dev (Debian) is not installed: the client for OMPL is not tested');

/** True where every motion between two waypoints is proved free, and the ends are those of the scene. */
function expectPath(waypoints: readonly (readonly number[])[]): void {
  expect(waypoints.length).toBeGreaterThan(2);
  for (const [i, q] of waypoints.entries()) if (i > 0) expect(checker.isValidMotion(waypoints[i - 1], q)).toBe(true);
}

describe.skipIf(!hasPython)('the client in Python', () => {
  test('plans with its own tree: a path whose motions are proved free', async () => {
    const { stdout, stderr } = await run('python3', [join(root, 'examples/clients/rrt.py'), path]);
    expect(stderr).toBe('');
    expectPath(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  });

  test('plans to goals that are poses', async () => {
    const { stdout } = await run('python3', [join(root, 'examples/clients/rrt.py'), poseSocket]);
    await expectPathToPose(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  });

  test('returns what OMPL requires: states, motions with the last valid state, clearance with gradient, counts, errors', async () => {
    const program = join(folder, 'questions.py');
    writeFileSync(program, questions);
    const { stdout } = await run('python3', [program, pythonPackage, path]);
    const answers = JSON.parse(stdout);
    const [start, goal] = [answers.start, answers.goal] as number[][];
    const { contact } = checker.judgeMotion(start, goal);
    const { distance, gradient, differentiable } = checker.clearance(start, { gradient: true });
    expect(answers).toEqual({
      start,
      goal,
      states: [true, checker.isValid(robot.variables.map(() => 0))],
      one: true,
      motion: false,
      still: true,
      last: [start.map((q, i) => q + contact!.freeUntil * (goal[i] - q)), contact!.freeUntil],
      counts: [1, 2],
      many: [true, false],
      clearance: distance,
      gradient: [distance, gradient, differentiable],
      error: [-32602, 'params.q: it has 1 values, the robot has 6 planned joints'],
    });
    expect(contact!.freeUntil).toBeGreaterThan(0.05);
  });
});

describe.skipIf(!hasOmpl)('the client for OMPL', () => {
  test.runIf(isLong)('OMPL plans over the socket, and check accepts the path', async () => {
    const program = join(folder, 'plan');
    const { stderr: complaints } = await run('sh', [join(root, 'examples/clients/ompl/build.sh'), program]);
    expect(complaints).not.toMatch(/elbowroom\.hpp:\d+.*warning|plan\.cpp:\d+.*warning/);
    const { stdout, stderr } = await run(program, [path, '1']);
    expect(stderr).toMatch(/\d+ states, \d+ motions proved free/);
    const file = join(folder, 'path.csv');
    writeFileSync(file, stdout);
    const { code, stderr: talk } = await elbowroom(['check', scenePath, file]);
    expect({ code, talk }).toMatchObject({ code: 0 });
    const waypoints = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').map(Number));
    expectPath(waypoints);
    const { stdout: toPose } = await run(program, [poseSocket, '1']);
    await expectPathToPose(
      toPose
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',').map(Number)),
    );
    const nobody = await run(program, [join(folder, 'nobody.sock')]).catch((error) => error);
    expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('nobody serves there') });
  });
});

const questions = `
import json, sys
sys.path.insert(0, sys.argv[1])
import elbowroom
from elbowroom.ompl import Motions, Validity
with elbowroom.connect(sys.argv[2]) as session:
    checker = Validity(session)
    motions = Motions(session)
    start, goal = session.start, session.goal_states()[0]
    found = session.clearance(start, gradient=True)
    last = []
    answers = {
        "start": start, "goal": goal,
        "states": list(map(bool, checker.areValid([start, [0] * session.dof]))),
        "one": checker.isValid(tuple(goal)),
        "motion": motions.checkMotion(start, goal),
        "still": motions.checkMotion(start, start, []),
        "many": list(map(bool, motions.areValid([(start, start), (start, goal)]))),
        "clearance": checker.clearance(start),
        "gradient": [found.distance, found.gradient, found.differentiable],
    }
    motions.checkMotion(start, goal, last)
    answers["last"] = last
    answers["counts"] = [motions.getValidMotionCount(), motions.getInvalidMotionCount()]
    try:
        session.validate([0])
    except elbowroom.InvalidParameters as error:
        answers["error"] = [error.code, error.message]
    print(json.dumps(answers))
`;
