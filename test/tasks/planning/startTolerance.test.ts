import { assert, expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { clampStart, withStartTolerance, withWiderLimits } from '../../../src/tasks/planning/startTolerance.ts';
import { checkReport } from '../../../src/tasks/reports/checkReport.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';
import { TimedValidity } from '../../../src/tasks/validation/timedValidity.ts';
import { ValidationLines } from '../../../src/tasks/validation/validationLines.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../helpers/robots.ts';

const ball = '<collision><geometry><sphere radius="0.05"/></geometry></collision>';
const link = (name: string) =>
  `<link name="${name}"><collision><origin xyz="0.3 0 0"/><geometry><sphere radius="0.05"/></geometry></collision></link>`;
const joint = (name: string, type: string, parent: string, child: string, more = '') =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1" acceleration="1"/>${more}</joint>`;
const text = `<robot name="r"><link name="base">${ball}</link>${link('arm')}${link('rail')}${link('spin')}${link('finger')}
${joint('turn', 'revolute', 'base', 'arm')}${joint('slide', 'prismatic', 'base', 'rail')}${joint('spin', 'continuous', 'base', 'spin')}
${joint('finger', 'revolute', 'arm', 'finger', '<mimic joint="slide" multiplier="-0.5"/>')}</robot>`;
const description = await buildRobot(await readUrdf(text, 'r.urdf'), new Map(), undefined);
const robot = createRobotModel(description);
const sceneAt = (start: readonly number[], more: Partial<Scene> = {}) =>
  ({
    ...sceneOf([], { allow: everyPair }),
    name: 's',
    robot: {},
    equivalent: false,
    goals: [],
    start,
    ...more,
  }) as unknown as Scene;
const names = ['base', 'arm', 'rail', 'spin', 'finger'];
const everyPair = names.flatMap((a) => names.filter((b) => a < b).map((b) => [a, b] as const));

test('values out of limits by at most the tolerance are clamped, those of joints without limits and others are kept', () => {
  const clamped = (start: number[], tolerance: number) =>
    clampStart(robot, sceneAt(start), tolerance, 'growth-distance');
  const { scene, note } = clamped([1.0004, -1.0009, 9], 1e-3);
  expect(scene.start).toEqual([1, -1, 9]);
  expect(note).toBe(
    's: the start is clamped: turn is 1.0004, out of its limits -1 to 1; slide is -1.0009, out of its limits -1 to 1; ' +
      'within the tolerance of 0.001: the motion begins at [1, -1, 9], and the motion to there is proved collision-free',
  );
  expect(clamped([1.0011, 0, 0], 1e-3)).toEqual({ scene: sceneAt([1.0011, 0, 0]) });
  const half = clamped([1.0004, -1.0011, 9], 1e-3);
  expect(half.scene.start).toEqual([1.0004, -1.0011, 9]);
  expect(half.note).toMatch(/the start is not clamped: turn is 1\.0004, .*, slide: position -1\.0011 m at waypoint 0/);
  expect(clamped([0, 0, 0], 1e-3)).toEqual({ scene: sceneAt([0, 0, 0]) });
});

test('limits are wider by less where a joint follows with a larger multiplier', () => {
  const following = createRobotModel({
    ...description,
    joints: description.joints.map((one) =>
      one.mimic ? { ...one, mimic: { ...one.mimic, multiplier: 4 }, lower: -4, upper: 4 } : one,
    ),
  });
  const wider = withWiderLimits(following, 0.1).variables.map(({ limits }) => limits.upper);
  expect(wider).toEqual([1.1, 1.025, Number.POSITIVE_INFINITY]);
});

test('a start whose way into limits collides is not clamped', () => {
  const wall = {
    name: 'wall',
    parts: [{ shape: { type: 'box', size: [0.02, 0.02, 1] } }],
    pose: { xyz: [0.3 * Math.cos(1.1), 0.3 * Math.sin(1.1), 0] as const, quat_wxyz: [1, 0, 0, 0] as const },
  };
  const scene = sceneAt([1.2, 0, 0], { obstacles: [wall] });
  const { scene: same, note } = clampStart(robot, scene, 0.3, 'growth-distance');
  expect(same).toBe(scene);
  expect(note).toMatch(
    /the start is not clamped: turn is 1\.2, .*; in the motion into its limits, (arm|finger) and wall collide/,
  );
});

test('the way into limits that is stated as proved is free at samples: random robots, obstacles and starts', () => {
  const random = new Random(9);
  const counts = { proved: 0, refused: 0 };
  for (let n = 0; n < 120; n++) {
    const model = createRobotModel(randomRobot(random, 3));
    const start = model.variables.map(({ limits, type }) =>
      type === 'continuous'
        ? random.between(-4, 4)
        : random.next() < 0.6
          ? limits.upper + random.between(0, 0.3)
          : limits.lower - random.between(0, 0.1),
    );
    const scene = sceneAt(start, { ...sceneOf(randomObstacles(random, 2, 0.8)) });
    const { scene: changed, note } = clampStart(model, scene, 0.3, 'growth-distance');
    if (note === undefined) continue;
    const isProved = changed !== scene;
    counts[isProved ? 'proved' : 'refused']++;
    if (!isProved) continue;
    const manager = new CollisionManager(new CollisionModel(model, scene));
    const end = changed.start as readonly number[];
    for (let k = 0; k <= 50; k++) {
      const q = Float64Array.from(start, (value, i) => value + (k / 50) * (end[i] - value));
      assert.isTrue(manager.isCollisionFree(q), `start ${n}`);
    }
    for (const [i, { limits }] of model.variables.entries()) {
      assert.isTrue(end[i] >= limits.lower - 0.3 && end[i] <= limits.upper + 0.3);
      assert.isAtMost(Math.abs(end[i] - start[i]), 0.3);
    }
  }
  assert.isAtLeast(counts.proved, 20);
  assert.isAtLeast(counts.refused, 5);
});

test('check accepts a trajectory within the tolerance as it is executed, and names what it accepts', () => {
  const trajectory = {
    jointNames: ['turn', 'slide', 'spin'],
    points: [
      { time_from_start: 0, positions: [1.0005, 0, 0], velocities: [0, 0, 0] },
      { time_from_start: 5, positions: [0, 0, 0], velocities: [0, 0, 0] },
    ],
  };
  const verdict = (tolerance: number) => {
    const given = withStartTolerance(robot, sceneAt([1.0005, 0, 0]), trajectory, tolerance, 'growth-distance');
    const { report } = checkReport(given.robot, given.scene, trajectory, { checker: 'growth-distance', place: 't' });
    return { valid: report.valid, notes: given.notes };
  };
  expect(verdict(0)).toEqual({ valid: false, notes: [] });
  expect(verdict(1e-4).valid).toBe(false);
  expect(verdict(1e-3)).toEqual({
    valid: true,
    notes: ['turn reaches 1.0005, out of its limit 1 within the tolerance of 0.001'],
  });
});

test('validate checks states within the tolerance where they are', () => {
  const lines = (startTolerance: number) =>
    new ValidationLines(robot, sceneAt([0, 0, 0]), { startTolerance }, 'states').to([
      '[1.0005, 0, 0]',
      '[1.002, 0, 0]',
    ]);
  const valid = (startTolerance: number) =>
    [...lines(startTolerance).matchAll(/"valid":(\w+)/g)].map((match) => match[1]);
  expect(valid(0)).toEqual(['false', 'false']);
  expect(valid(1e-3)).toEqual(['true', 'false']);
});

test('checkers of states, of motions and of states at times accept the tolerance, and nothing beyond it', () => {
  const checker = new StateValidityChecker(robot, sceneAt([0, 0, 0]));
  const timed = new TimedValidity(robot, sceneAt([0, 0, 0]));
  for (const [tolerance, turn, valid] of [
    [0, 1.0005, false],
    [1e-3, 1.0005, true],
    [1e-3, 1.002, false],
  ] as const) {
    // biome-ignore format: rows
    const tolerant = checker.withTolerance(tolerance);
    expect(tolerant.isValid([turn, 0, 0])).toBe(valid);
    expect(tolerant.isValidMotion([0, 0, 0], [turn, 0, 0])).toBe(valid);
    expect(timed.withTolerance(tolerance).judge([turn, 0, 0], 0).valid).toBe(valid);
    expect(checker.withTolerance(tolerance)).toBe(tolerant);
  }
  expect(checker.isValid([1.0005, 0, 0])).toBe(false);
});

test('a trajectory with a later first point is judged from the stated start, not from the clamped one', () => {
  const judged = (time: number, first: number) => {
    const trajectory = {
      jointNames: ['turn', 'slide', 'spin'],
      points: [
        { time_from_start: time, positions: [first, 0, 0], velocities: [0, 0, 0], accelerations: [0, 0, 0] },
        { time_from_start: time + 5, positions: [0, 0, 0], velocities: [0, 0, 0], accelerations: [0, 0, 0] },
      ],
    };
    return withStartTolerance(robot, sceneAt([1.2, 0, 0]), trajectory, 0.3, 'growth-distance').scene.start;
  };
  expect(judged(0, 1)).toEqual([1, 0, 0]);
  expect(judged(0, 0.9)).toEqual([1.2, 0, 0]);
  expect(judged(2, 1)).toEqual([1.2, 0, 0]);
  expect(judged(2, 0.5)).toEqual([1.2, 0, 0]);
});
