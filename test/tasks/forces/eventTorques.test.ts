import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../../src/core/certificate/certificate.ts';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { MassProperties } from '../../../src/core/kinematics/robotModel.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { certifyProgram } from '../../../src/tasks/programs/certifyProgram.ts';
import { checkProgram } from '../../../src/tasks/programs/checks/checkProgram.ts';

const GRAVITY = 9.81;
const LENGTH = 0.5;
const IDENTITY = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
/** Seconds of each move: torques of acceleration are below 0.05 N m. */
const SLOW = 20;

/** A point mass of 1 kg at the end of a bar, which hangs at 0 and is level at 90 deg. */
const pendulum = createRobotModel(
  {
    name: 'pendulum',
    root: 'base',
    links: [
      { name: 'base', collisions: [] },
      {
        name: 'bar',
        collisions: [],
        inertial: { mass: 1, center: [0, 0, -LENGTH], inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] },
      },
    ],
    joints: [{ name: 'joint', type: 'revolute', parent: 'base', child: 'bar', origin: IDENTITY, axis: [0, 1, 0] }].map(
      (joint) => ({ ...joint, lower: -3, upper: 3, velocity: 20, acceleration: 10, effort: 1 }),
    ) as never,
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  },
  { empty: ['base', 'bar'] } as never,
);

const RULES = { speed: 1, acceleration: 1, constraints: [], blend: 0, tolerance: { position: 1e-3, angle: 1e-2 } };

/** A program of moves to angles, waits (seconds) and events of a part, which is at the end of the bar. */
function program(start: number, entries: readonly (readonly [string, number?])[], part: MassProperties) {
  const [points, segments, events, steps] = [[] as object[], [] as object[], [] as object[], [] as object[]];
  let [time, angle] = [0, start];
  const add = () => points.push({ time_from_start: time, positions: [angle], velocities: [0] });
  add();
  let at = angle;
  for (const [index, [kind, value = 0]] of entries.entries()) {
    const from = time;
    if (kind === 'attach' || kind === 'detach') {
      if (kind === 'attach') at = angle;
      steps.push({ kind, index, object: 'part', touches: [] });
      events.push({ step: index, time, [kind]: 'part', ...(kind === 'attach' && { link: 'bar' }) });
      continue;
    }
    time += kind === 'move' ? SLOW : value;
    if (kind === 'move') angle = value;
    add();
    segments.push({ step: index, kind, from, to: time });
    if (kind === 'wait') steps.push({ kind, index, duration: value });
    else steps.push({ kind, index, ...RULES, goals: [{ kind: 'joints', joints: [value] }] });
  }
  const pose = {
    xyz: [-LENGTH * Math.sin(at), 0, -LENGTH * Math.cos(at)],
    quat_wxyz: [Math.cos(at / 2), 0, Math.sin(at / 2), 0],
  };
  const shape = { shape: { type: 'sphere', radius: 0.01 } };
  const scene = {
    ...{ name: 'event', robot: {}, goals: [], equivalent: false, attached: [], allow: [], padding: 0, steps },
    ...{ obstacles: [{ name: 'part', parts: [shape], pose, inertial: part }], start: [start] },
    tcp: { link: 'bar', pose: IDENTITY },
  };
  const motion = { jointNames: ['joint'], points, segments, events, interpolation: 'cubic' };
  return { scene: scene as unknown as Scene, motion: motion as unknown as Trajectory };
}

const LEVEL = Math.PI / 2;
const PART: MassProperties = { mass: 1, center: [0, 0, 0], inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] };
/** The torque that holds the bar level with the part, and without. */
const LOADED = 2 * GRAVITY * LENGTH;

/** By name: the program, when its greatest torque holds the loaded arm at rest, and in which interval. */
const CASES: readonly (readonly [string, ReturnType<typeof program>, number, number])[] = [
  [
    'after attach, while the arm waits',
    program(0, [['move', LEVEL], ['attach'], ['wait', 1], ['move', 0], ['detach']], PART),
    SLOW,
    1,
  ],
  [
    'after attach alone',
    program(0, [['move', LEVEL], ['attach'], ['move', 0], ['detach'], ['move', 0.1]], PART),
    SLOW,
    1,
  ],
  ['after attach at the end', program(0, [['move', LEVEL], ['attach']], PART), SLOW, 1],
  ['before detach', program(0, [['attach'], ['move', LEVEL], ['detach'], ['move', 0]], PART), SLOW, 0],
  ['before detach at the end', program(0, [['attach'], ['move', LEVEL], ['detach']], PART), SLOW, 0],
  ['between two events', program(0, [['move', LEVEL], ['attach'], ['detach'], ['move', 0]], PART), SLOW, 1],
  ['between two events at the start', program(LEVEL, [['attach'], ['detach'], ['move', 0]], PART), 0, 0],
  ['between two events at the end', program(0, [['move', LEVEL], ['attach'], ['detach']], PART), SLOW, 1],
];

describe('a torque that exceeds its limit at rest at an event alone is found by check and by verify', () => {
  test.each(CASES)('%s', (_, { scene, motion }, time, interval) => {
    const judge = (scale: number) => {
      const limited: Scene = { ...scene, torque: { scale } };
      const result = checkProgram(pendulum, limited, motion, { checker: 'growth-distance' });
      return { limited, result, certificate: certifyProgram(motion, result.intervals, pendulum, limited) };
    };
    // the motions alone, which accelerate by less than 0.03 N m
    const wide = judge(LOADED * (1 + 1e-6));
    expect(wide.result.faults).toEqual([]);
    expect(wide.result.valid).toBe(true);
    const close = judge(LOADED * (1 - 1e-4));
    expect(close.result.valid).toBe(false);
    expect(close.result.faults).toMatchObject([{ kind: 'torque', joint: 'joint', isFound: true }]);
    expect(Math.abs(close.result.faults[0].time - time)).toBeLessThan(1.01);
    expect(close.certificate).toBeUndefined();
    // the certificate of the wide limit, as it is and with bounds within the close one
    const limit = LOADED * (1 - 1e-4);
    const clamp = (x: number) => Math.max(-limit, Math.min(limit, x));
    const segments = wide.certificate!.segments!.map((one) => ({
      ...one,
      torques: one.torques!.map(({ joint, spans }) => ({
        joint,
        spans: spans.map(([a, b, lower, upper]) => [a, b, clamp(lower), clamp(upper)] as const),
      })),
    }));
    const changed: Certificate = { ...wide.certificate!, segments };
    expect(verifyProgram(wide.certificate!, pendulum, wide.limited, motion).problems).toEqual([]);
    for (const one of [wide.certificate!, changed]) {
      const { proved, problems } = verifyProgram(one, pendulum, close.limited, motion);
      expect(proved).toBe(false);
      expect(problems.some((problem) => problem.startsWith(`segments[${interval}]: torques of "joint"`))).toBe(true);
    }
    const heavier = { ...PART, center: [0, 0, -0.01] as const };
    const [object] = scene.obstacles;
    const moved = { ...wide.limited, obstacles: [{ ...object, inertial: heavier }] };
    expect(verifyProgram(wide.certificate!, pendulum, moved, motion).proved).toBe(false);
  });
});

test('before a first point after time 0, the torques must hold the arm there', () => {
  const { scene: given, motion: slow } = program(LEVEL, [['move', 0]], PART);
  const later = (time: number) => 1 + time / 10; // falling, it takes 4.5 N m at most, and 4.9 N m at rest at the start
  const points = slow.points.map((point) => ({ ...point, time_from_start: later(point.time_from_start!) }));
  const segments = slow.segments!.map((one) => ({ ...one, from: later(one.from), to: later(one.to) }));
  const motion = { ...slow, points, segments };
  const { start: _, ...scene } = given;
  const judge = (scale: number) => {
    const limited: Scene = { ...scene, torque: { scale } };
    const { intervals, valid } = checkProgram(pendulum, limited, motion, { checker: 'growth-distance' });
    return { limited, valid, certificate: certifyProgram(motion, intervals, pendulum, limited) };
  };
  const [wide, close] = [judge(5), judge(4.7)];
  expect([wide.valid, close.valid, close.certificate]).toEqual([true, false, undefined]);
  const clamped = wide.certificate!.segments!.map((one) => ({
    ...one,
    torques: one.torques!.map(({ joint, spans }) => ({
      joint,
      spans: spans.map(([a, b, lower, upper]) => [a, b, Math.max(lower, -4.7), Math.min(upper, 4.7)] as const),
    })),
  }));
  expect(verifyProgram(wide.certificate!, pendulum, wide.limited, motion).problems).toEqual([]);
  expect(verifyProgram({ ...wide.certificate!, segments: clamped }, pendulum, close.limited, motion).problems).toEqual([
    expect.stringMatching(/^torques of "joint" at rest: they may be 4\.90\d+ at t = 1$/),
  ]);
});
