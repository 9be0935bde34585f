import { expect, test } from 'vitest';
import type { Certificate } from '../../src/core/certificate/certificate.ts';
import { verifyProgram } from '../../src/core/certificate/verifyProgram.ts';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import { IDENTITY_POSE, type Scene } from '../../src/core/scene/scene.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { trajectoryHash } from '../../src/core/trajectory/trajectoryHash.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { check as checkOnThread } from '../../src/host/service/threadMethods/judge.ts';
import { createConstraintCheck } from '../../src/tasks/checking/constraintFaults.ts';
import { moveProgramOf, pathOf } from '../../src/tasks/checking/moves/readMoveProgram.ts';
import { checkProgram } from '../../src/tasks/programs/checks/checkProgram.ts';
import { ConstraintChecks } from '../../src/tasks/programs/checks/runChecks.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { SpaceTimePlanner } from '../../src/tasks/spaceTime/spaceTimePlanner.ts';
import { World } from '../../src/tasks/world.ts';

const { scene: table, robot } = await loadScene('scenes/table-top.yaml');
const ur5e = createSceneRobot({ scene: table, robot });

test('no limit of power counts as kept by set points, which state no accelerations', () => {
  // The shoulder turns about the vertical: gravity takes no power, so that between set points none is left.
  const at = (s: number) => [3 * s * s - 2 * s * s * s, -1.5, 1.5, -1.5, -1.5, 0];
  const points = Array.from({ length: 201 }, (_, i) => ({ positions: at(i / 200), time_from_start: i / 200 }));
  const motion: Trajectory = { jointNames: ur5e.variables.map(({ name }) => name), points, setPoints: true };
  const scene: Scene = { ...table, constraints: [{ type: 'power', most: 5 }] };
  expect(createConstraintCheck(ur5e, scene)(motion)).toMatchObject([{ label: 'power' }]);
  const curve = new TrajectoryCurve(motion);
  const whole = [{ from: 0, to: 1, world: new World(ur5e, scene), step: -1 }];
  const checks = new ConstraintChecks(ur5e, scene, motion, curve, whole);
  expect(checks.faults(undefined, { from: 0, to: 1 })).toEqual([expect.stringMatching(/"power" cannot be proved/)]);
});

test('a check of constraints that is given to `map` judges rates of each whole motion', () => {
  const positions = [0, 1, 1].map((x) => [x, -1.5, 1.5, -1.5, -1.5, 0]);
  const points = positions.map((q, i) => ({ positions: q, velocities: q.map(() => 0), time_from_start: 0.8 * i }));
  const motion: Trajectory = { jointNames: ur5e.variables.map(({ name }) => name), points };
  const check = createConstraintCheck(ur5e, { ...table, constraints: [{ type: 'momentum', most: 0.1 }] });
  for (const faults of [motion, motion].map(check)) expect(faults).toMatchObject([{ label: 'momentum' }]);
});

test('straight joint moves of a UR program are no path where torque is limited: their torques are not judged', () => {
  const text = 'movej([0, -1.5, 1.5, -1.5, -1.5, 0], a=40, v=3)\nmovej([1, -1.5, 1.5, -1.5, -1.5, 0], a=40, v=3)\n';
  const program = moveProgramOf(text, 'p.script', ur5e, table)!;
  expect(pathOf(program, ur5e, table)).toBeDefined();
  expect(pathOf(program, ur5e, { ...table, torque: { scale: 0.4 } })).toBeUndefined();
});

test('a program that begins after time 0 is neither valid nor proved where the arm cannot be held until then', () => {
  const model = createRobotModel({
    name: 'bar',
    root: 'base',
    links: [
      { name: 'base', collisions: [] },
      {
        name: 'bar',
        collisions: [{ shape: { type: 'sphere', radius: 0.1 }, pose: IDENTITY_POSE, triangles: 0, source: 0 }],
        inertial: { mass: 10, center: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1, 0, 0, 0] },
      },
    ],
    joints: [
      {
        name: 'j1',
        type: 'revolute',
        parent: 'base',
        child: 'bar',
        origin: IDENTITY_POSE,
        axis: [0, 1, 0],
        lower: -3,
        upper: 3,
        velocity: 20,
        effort: 47,
      },
    ],
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  });
  // Level at 0, where 49.05 N m hold the bar; it falls at once, with at most 43.2 N m.
  const motion = (start: number): Trajectory => ({
    jointNames: ['j1'],
    interpolation: 'cubic',
    points: [
      { positions: [0], velocities: [0], time_from_start: start },
      { positions: [1.5], velocities: [0], time_from_start: start + 1.6 },
    ],
    segments: [{ step: 0, kind: 'move', from: start, to: start + 1.6 }],
    events: [],
  });
  const rules = { speed: 1, acceleration: 1, blend: 0, tolerance: { position: 1e-4, angle: 1e-3 }, constraints: [] };
  const goal = { kind: 'joints', joints: [1.5] } as const;
  const { start: _, ...others } = table;
  const scene: Scene = {
    ...others,
    goals: [],
    obstacles: [],
    attached: [],
    allow: [],
    torque: { scale: 1 },
    steps: [{ kind: 'move', index: 0, goals: [goal], ...rules }],
  };
  const judge = (start: number) => {
    const given = motion(start);
    const torques = [{ joint: 'j1', spans: [[start, start + 1.6, -47, 47] as const] }];
    const certificate = {
      format: 'elbowroom-certificate/1',
      trajectory: trajectoryHash(given),
      duration: start + 1.6,
      pairs: [],
      segments: [{ from: start, to: start + 1.6, pairs: [], torques }],
    } as unknown as Certificate;
    return [
      checkProgram(model, scene, given, { checker: 'growth-distance' }).valid,
      verifyProgram(certificate, model, scene, given).proved,
    ];
  };
  expect(judge(0)).toEqual([true, true]);
  expect(judge(0.5)).toEqual([false, false]);
});

test('a session warns of objects without mass where forces are limited', async () => {
  const { scene, robot: description } = await loadScene('scenes/heavy-part.yaml');
  const model = createSceneRobot({ scene, robot: description });
  const attached = scene.attached.map(({ inertial: _, ...object }) => object);
  const joint_names = model.variables.map(({ name }) => name);
  const points = [{ positions: Array.from(scene.start as readonly number[]), time_from_start: 0 }];
  const trajectory = { format: 'elbowroom-trajectory/1', joint_names, points };
  const warningsIn = async (current: Scene): Promise<string[]> => {
    const context = { robot: model, scene: current, checker: 'growth-distance', interrupt: () => false };
    const progress = () => {};
    return JSON.parse(await checkOnThread({ trajectory }, { ...context, progress } as never)).warnings ?? [];
  };
  expect(await warningsIn(scene)).toEqual([]);
  expect(await warningsIn({ ...scene, attached })).toEqual([
    expect.stringMatching(/"gripper", "part": no mass is stated/),
  ]);
});

test('a schedule among moving obstacles has no motions if one of its legs is not timed within the limits', () => {
  const edges = { move: () => undefined };
  const planner: SpaceTimePlanner = Object.create(SpaceTimePlanner.prototype);
  Object.assign(planner, { edges, setting: { options: { corners: 'stop' } } });
  const visits = [0, 1].map((x) => ({ q: Float64Array.of(x), arrival: x, departure: x }));
  expect([...planner.timed({ goals: [] } as never, visits)]).toEqual([]);
});
