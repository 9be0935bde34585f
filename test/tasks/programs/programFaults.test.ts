import { assert, beforeAll, describe, expect, test } from 'vitest';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import type { RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { Step, StepRules } from '../../../src/core/scene/program.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { InputError } from '../../../src/errors.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { certifyTrajectory } from '../../../src/tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { check } from './plannedProgram.ts';

let scene: Scene;
let robot: RobotDescription;
let model: RobotModel;
beforeAll(async () => {
  ({ scene, robot } = await loadScene('test/tasks/programs/pickAndPlace.yaml'));
  model = createSceneRobot({ scene, robot });
});

const rules: StepRules = {
  speed: 1,
  acceleration: 1,
  blend: 0,
  tolerance: { position: 1e-4, angle: 1e-3 },
  constraints: [],
};
const line = (by: readonly [number, number, number]) =>
  ({ kind: 'line', ...rules, targets: [{ kind: 'by', by, quat_wxyz: [1, 0, 0, 0], frame: 'world' }] }) as const;
const above = (z: number) =>
  ({
    kind: 'move',
    ...rules,
    goals: [
      {
        kind: 'pose',
        pose: { xyz: [0.47, -0.28, z], quat_wxyz: [0, 1, 0, 0], tolerance: { position: 1e-4, angle: 1e-3 } },
      },
    ],
  }) as const;
const wait = (duration: number) => ({ kind: 'wait', duration }) as const;
const attach = { kind: 'attach', object: 'block', touches: ['gripper'] } as const;
const detach = { kind: 'detach', object: 'block' } as const;
const allow = (...pair: [string, string]) => ({ kind: 'allow', pairs: [pair] }) as const;
const forbid = (...pair: [string, string]) => ({ kind: 'forbid', pairs: [pair] }) as const;

const at = (xyz: readonly [number, number, number]) => ({ xyz, quat_wxyz: [1, 0, 0, 0] }) as const;
const needle = { shape: { type: 'cylinder', radius: 5e-4, length: 0.13 } } as const;
const wire = { shape: { type: 'box', size: [0.6, 5e-4, 0.1] } } as const;
const cube = { type: 'box', size: [1, 1, 1] } as const;

type Unnumbered = Step extends infer S ? (S extends Step ? Omit<S, 'index'> : never) : never;
const program = (steps: readonly Unnumbered[], change: Partial<Scene> = {}): Scene => ({
  ...scene,
  ...change,
  steps: steps.map((step, index) => ({ ...step, index }) as Step),
});
const plan = (changed: Scene) => planProgram({ scene: changed, robot, model }, { certificate: true });

describe('a program that cannot be carried out fails at its step', () => {
  const failures: Record<string, () => readonly [Scene, number, RegExp]> = {
    'a line out of reach': () => [
      program([above(0.3), line([0.9, 0, 0])]),
      1,
      /^step 1 \(line\): ends at \d+(\.\d)? %: /,
    ],
    'a line through the table': () => [program([above(0.3), line([0, 0, -0.5])]), 1, /ends at .* %: .* and .* collide/],
    'a line through a wire between two knots of its joint path': () => [
      program([above(0.12), line([0, 0.5, 0])], {
        attached: [{ ...scene.attached[0], parts: [needle] }],
        obstacles: [{ ...scene.obstacles[0], name: 'wire', parts: [wire], pose: at([0.47, -0.0234, 0.1]) }],
        allow: [],
        padding: 0,
      }),
      1,
      // the surfaces meet after 0.25585 m of 0.5
      /^step 1 \(line\): ends at 51\.\d %: (gripper and wire|wire and gripper) collide$/,
    ],
    'a line that violates its constraint half-way': () => [
      program([
        above(0.3),
        {
          ...line([0, 0.2, 0]),
          constraints: [{ type: 'region', name: 'left', shape: cube, pose: at([0.47, -0.68, 0.3]) }],
        },
      ]),
      1,
      /^step 1 \(line\): ends at (49\.9|50) %: constraint "left" is violated$/,
    ],
    'a line after a blend that violates its constraint half-way': () => [
      program([
        { ...above(0.3), blend: 0.02 },
        {
          ...line([0, 0, 0.06]),
          constraints: [{ type: 'region', name: 'low', shape: cube, pose: at([0.47, -0.28, -0.17]) }],
        },
      ]),
      1,
      /^step 1 \(line\): ends at (49\.9|50) %: constraint "low" is violated$/,
    ],
    'an arc whose via is its start': () => [
      program([
        above(0.3),
        { kind: 'arc', ...rules, via: [0.47, -0.28, 0.3], to: { kind: 'to', xyz: [0.47, 0, 0.3] } },
      ]),
      1,
      /two of them coincide/,
    ],
    'an arc that ends where it starts': () => [
      program([
        above(0.3),
        { kind: 'arc', ...rules, via: [0.47, 0, 0.3], to: { kind: 'to', xyz: [0.47, -0.28, 0.3] } },
      ]),
      1,
      /two of them coincide/,
    ],
    'a part on a table that it may not touch': () => [
      program([above(0.056), attach, line([0, 0, 0.1])], {
        allow: scene.allow.filter((pair) => !pair.includes('block')),
      }),
      1,
      /block and table collide after it; if it rests there, state \{allow: \[\[block, table\]\]\} before/,
    ],
    'a part attached in contact with the table': () => [
      program([above(0.056), attach], {
        allow: scene.allow.filter((pair) => !(pair[0] === 'block' && pair[1] === 'table')),
      }),
      1,
      /(block.*table|table.*block).*collide after it; if it rests there, state \{allow: /,
    ],
    'a part that may no longer touch the gripper that holds it': () => [
      program([above(0.035), attach, forbid('gripper', 'block'), wait(1)]),
      2,
      /gripper and block collide after it|block and gripper collide after it/,
    ],
    'a goal in collision': () => [
      program([above(-0.05)]),
      0,
      /all 8 IK solutions of the goal collide, .* gripper and table/,
    ],
  };
  test.each(Object.keys(failures))('%s', (name) => {
    const [changed, step, reason] = failures[name]();
    const { status, trajectory, stats, reason: given } = plan(changed);
    expect(given).toMatch(reason);
    expect([status, trajectory, stats.failed_step]).toEqual(['step-failed', undefined, step]);
  });

  test.each([
    ['an object attached twice', () => program([above(0.056), attach, attach])],
    ['an object that is not attached', () => program([detach])],
    ['an unknown object', () => program([{ ...attach, object: 'brick' }])],
    ['an unknown link', () => program([{ ...attach, link: 'tool' }])],
    ['a pair of unknown names', () => program([allow('brick', 'block')])],
  ])('bad input: %s', (_, changed) => {
    expect(() => plan(changed())).toThrow(InputError);
  });
});

describe('a program is planned, checked and proved', () => {
  const programs: Record<string, () => Scene> = {
    'of events only': () => program([allow('block', 'post'), { kind: 'set', values: { a: [1, null] } }]),
    'of a wait of 0 s': () => program([wait(0)]),
    'of a wait': () => program([wait(0.5)]),
    'of a line without motion': () => program([line([0, 0, 0])]),
    'of a line without motion between waits': () => program([wait(0.1), line([0, 0, 0]), wait(0.1)]),
    'without steps': () => program([]),
    'that begins with a line': () => program([line([0, 0, 0.05]), line([0, 0, -0.05])]),
    'with events before the first motion and after the last': () =>
      program([{ kind: 'set', values: { a: 1 } }, allow('block', 'post'), above(0.2), forbid('block', 'post')]),
    'that returns to a corner': () =>
      program([
        {
          ...line([0, 0, 0]),
          targets: [0.05, -0.05, 0.05, -0.05].map((z) => ({
            kind: 'by',
            by: [0, 0, z],
            quat_wxyz: [1, 0, 0, 0],
            frame: 'tcp',
          })),
        },
      ]),
    'with full turns of joint goals': () =>
      program(
        [
          {
            kind: 'move',
            ...rules,
            goals: [{ kind: 'joints', joints: [0, -1.5, 1.6, -1.7, -Math.PI / 2, 2 * Math.PI] }],
          },
        ],
        {
          equivalent: true,
        },
      ),
    'that attaches and detaches an object again': () =>
      program([above(0.056), attach, line([0, 0, 0.05]), line([0, 0, -0.05]), detach, attach, line([0, 0, 0.05])]),
  };
  test.each(Object.keys(programs))('%s', (name) => {
    const changed = programs[name]();
    const { trajectory, certificate, reason } = plan(changed);
    assert(trajectory && certificate, reason);
    expect(check({ model, scene: changed }, trajectory)).toMatchObject({ valid: true });
    expect(verifyProgram(certificate, model, changed, trajectory).proved).toBe(true);
  });

  test('also if its first point is after time 0', () => {
    const changed = program([allow('block', 'post'), above(0.2), { kind: 'set', values: {} }]);
    const { trajectory } = plan(changed);
    const late = <T extends { time_from_start?: number }>(one: T) => ({
      ...one,
      time_from_start: one.time_from_start! + 0.5,
    });
    const shifted = {
      ...trajectory!,
      points: trajectory!.points.map(late),
      segments: trajectory!.segments!.map((one) => ({ ...one, from: one.from + 0.5, to: one.to + 0.5 })),
      events: trajectory!.events!.map((one) => ({ ...one, time: one.time + 0.5 })),
    };
    expect(check({ model, scene: changed }, shifted).valid).toBe(true);
    expect(check({ model, scene: changed }, { ...shifted, events: trajectory!.events! }).valid).toBe(false);
  });
});

test('a motion of a program without steps is refused', () => {
  const changed = program([]);
  const { trajectory } = plan(changed);
  const [point] = trajectory!.points;
  const moved = { ...point, positions: point.positions.map((x) => x + 0.1) };
  const wrong: Partial<Trajectory>[] = [
    { points: [{ positions: point.positions }] },
    { points: [point, { ...point, time_from_start: 1 }] },
    { points: [moved] },
    { segments: [{ step: 0, kind: 'wait', from: 0, to: 0 }] },
    { events: [{ step: 0, time: 0, set: {} }] },
  ];
  for (const one of wrong) {
    const { valid, stepFaults } = check({ model, scene: changed }, { ...trajectory!, ...one });
    expect(valid).toBe(false);
    expect(stepFaults[0].what).toMatch(/^the program: /);
  }
});

describe('functions for single motions', () => {
  test('refuse a program, whose steps they would ignore', () => {
    const changed = program([wait(0.5)]);
    const { trajectory } = plan(changed);
    const manager = new CollisionManager(new CollisionModel(model, changed));
    expect(() => createTrajectoryChecker(model, manager)).toThrow(/program of 1 steps/);
    expect(() => certifyTrajectory(manager.posed, trajectory!)).toThrow(/program of 1 steps/);
    const { steps: _, ...single } = changed;
    const certificate = certifyTrajectory(new CollisionManager(new CollisionModel(model, single)).posed, trajectory!);
    expect(verifyCertificate(certificate!, model, single, trajectory!).proved).toBe(true);
    expect(verifyCertificate(certificate!, model, changed, trajectory!).proved).toBe(false);
  });
});
