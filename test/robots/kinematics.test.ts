import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import { compose, create, type Transform } from '../../src/core/math/transform.ts';
import { loadRobot } from '../../src/host/node/files.ts';
import { hasShared, poseOf, randomStates, SHARED } from './loaded.ts';

const { PI, cos, sin } = Math;

/** Turn about z by theta and shift along it by d. */
const screwZ = (theta: number, d: number): Transform =>
  Float64Array.of(cos(theta), -sin(theta), 0, 0, sin(theta), cos(theta), 0, 0, 0, 0, 1, d);

/** Turn about x by alpha and shift along it by a. */
const screwX = (alpha: number, a: number): Transform =>
  Float64Array.of(1, 0, 0, a, 0, cos(alpha), -sin(alpha), 0, 0, sin(alpha), cos(alpha), 0);

function product(...factors: Transform[]): Transform {
  const T = create();
  for (const factor of factors) compose(T, T, factor);
  return T;
}

/** Lengths in metres of the Denavit-Hartenberg tables that the maker publishes: screw about z, then about x. */
const universalRobots: Record<string, [d1: number, a2: number, a3: number, d4: number, d5: number, d6: number]> = {
  ur3: [0.1519, -0.24365, -0.21325, 0.11235, 0.08535, 0.0819],
  ur3e: [0.15185, -0.24355, -0.2132, 0.13105, 0.08535, 0.0921],
  ur5: [0.089159, -0.425, -0.39225, 0.10915, 0.09465, 0.0823],
  ur5e: [0.1625, -0.425, -0.3922, 0.1333, 0.0997, 0.0996],
  ur7e: [0.1625, -0.425, -0.3922, 0.1333, 0.0997, 0.0996],
  ur10: [0.1273, -0.612, -0.5723, 0.163941, 0.1157, 0.0922],
  ur10e: [0.1807, -0.6127, -0.57155, 0.17415, 0.11985, 0.11655],
  ur12e: [0.1807, -0.6127, -0.57155, 0.17415, 0.11985, 0.11655],
  ur16e: [0.1807, -0.4784, -0.36, 0.17415, 0.11985, 0.11655],
  ur20: [0.2363, -0.862, -0.7287, 0.201, 0.1593, 0.1543],
  ur30: [0.2363, -0.637, -0.5037, 0.201, 0.1593, 0.1543],
};

/** The same after Craig: screw about x, then about z. */
const arm7: [a: number, d: number, alpha: number][] = [
  [0, 0.333, 0],
  [0, 0, -PI / 2],
  [0, 0.316, PI / 2],
  [0.0825, 0, PI / 2],
  [-0.0825, 0.384, -PI / 2],
  [0, 0, PI / 2],
  [0.088, 0, PI / 2],
];

/** Likewise after Craig: every a is zero, and the axes meet in shoulder, elbow and wrist. */
const srs7: [a: number, d: number, alpha: number][] = [
  [0, 0.36, 0],
  [0, 0, -PI / 2],
  [0, 0.42, PI / 2],
  [0, 0, PI / 2],
  [0, 0.4, -PI / 2],
  [0, 0, -PI / 2],
  [0, 0, PI / 2],
];

for (const [name, [d1, a2, a3, d4, d5, d6]] of Object.entries(universalRobots)) {
  const rows = [[0, d1, PI / 2], [a2, 0, 0], [a3, 0, 0], [0, d4, PI / 2], [0, d5, -PI / 2], [0, d6, 0]]; // biome-ignore format: rows
  test(`tool0 of ${name} is where its Denavit-Hartenberg table puts it`, async () => {
    const model = createRobotModel(await loadRobot(name));
    for (const q of randomStates(model, 200, 1)) {
      const steps = rows.flatMap(([a, d, alpha], i) => [screwZ(q[i], d), screwX(alpha, a)]);
      const expected = product(screwZ(PI, 0), ...steps); // the table starts from `base`, half a turn from base_link
      expectClose(poseOf(model, 'tool0', q), expected);
    }
  });
}

test.each([
  ['arm7', arm7, 0.107],
  ['srs7', srs7, 0.126],
] as const)('the flange of %s is where its Denavit-Hartenberg table puts it', async (name, rows, flange) => {
  const model = createRobotModel(await loadRobot(name));
  for (const q of randomStates(model, 200, 2)) {
    const steps = rows.flatMap(([a, d, alpha], i) => [screwX(alpha, a), screwZ(q[i], d)]);
    expectClose(poseOf(model, 'flange', q), product(...steps, screwZ(0, flange)));
  }
});

test('gantry4 moves its tool along the axes of the world, and both fingers alike', async () => {
  const model = createRobotModel(await loadRobot('gantry4'));
  for (const q of randomStates(model, 200, 4)) {
    const [x, y, z, turn, finger] = q;
    const T = poseOf(model, 'tool0', q);
    expect([T[3], T[7], T[11]]).toEqual([x + 0.17, y, 0.74 - z].map((value) => expect.closeTo(value, 12)));
    expect([T[0], T[4], T[10]]).toEqual([cos(turn), sin(turn), -1].map((value) => expect.closeTo(value, 12)));
    const [left, right] = ['left_finger', 'right_finger'].map((link) => poseOf(model, link, q));
    const apart = [3, 7, 11].map((k) => left[k] - right[k]);
    expect(Math.hypot(...apart)).toBeCloseTo(2 * finger, 12);
  }
});

test('each arm of dual12 is a chain like those of Universal Robots, from a shoulder that points sideways', async () => {
  const model = createRobotModel(await loadRobot('dual12'));
  const rows = [
    [0, 0.11, PI / 2],
    [-0.3, 0, 0],
    [-0.26, 0, 0],
    [0, 0.11, PI / 2],
    [0, 0.09, -PI / 2],
    [0, 0.09, 0],
  ];
  for (const q of randomStates(model, 100, 5)) {
    for (const [i, side] of ['left', 'right'].entries()) {
      const sideways = i === 0 ? 1 : -1;
      const shoulder = Float64Array.of(1, 0, 0, 0, 0, 0, sideways, 0.12 * sideways, 0, -sideways, 0, 0.95);
      const steps = rows.flatMap(([a, d, alpha], j) => [screwZ(q[6 * i + j], d), screwX(alpha, a)]);
      expectClose(poseOf(model, `${side}_tool0`, q), product(shoulder, ...steps));
    }
  }
});

test('the tip of scara4 turns about upright axes, and the quill moves it down', async () => {
  const model = createRobotModel(await loadRobot('scara4'));
  for (const q of randomStates(model, 200, 3)) {
    const [shoulder, elbow, quill] = q;
    const T = poseOf(model, 'tool0', q);
    expect(T[3]).toBeCloseTo(0.325 * cos(shoulder) + 0.275 * cos(shoulder + elbow), 12);
    expect(T[7]).toBeCloseTo(0.325 * sin(shoulder) + 0.275 * sin(shoulder + elbow), 12);
    expect(T[11]).toBeCloseTo(0.32 + 0.105 - 0.2 - quill, 12);
    expect(T[10]).toBeCloseTo(-1, 12);
  }
});

describe.skipIf(!hasShared)('beside the published descriptions', () => {
  test.each(['ur5e', 'ur10e'])('every link frame of %s is that of the published one', async (name) => {
    const model = createRobotModel(await loadRobot(name));
    const lines = readFileSync(new URL(`fk/${name}.jsonl`, SHARED), 'utf8')
      .trim()
      .split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(100);
    for (const line of lines) {
      const { joints, q, links } = JSON.parse(line) as {
        joints: string[];
        q: number[];
        links: Record<string, number[]>;
      };
      expect(joints).toEqual(model.variables.map((joint) => joint.name));
      for (const [link, [x, y, z, ...quaternion]] of Object.entries(links)) {
        const T = poseOf(model, link, Float64Array.from(q));
        const expected = rotationRows(quaternion);
        expectClose(T, Float64Array.of(...expected[0], x, ...expected[1], y, ...expected[2], z));
      }
    }
  });
});

/** The published files round their angles to nine digits, which shifts frames by up to a nanometre. */
const ROUNDING = 2e-9;

function expectClose(actual: Float64Array, expected: Float64Array): void {
  const worst = Math.max(...actual.map((x, i) => Math.abs(x - expected[i])));
  expect(worst).toBeLessThan(ROUNDING);
}

function rotationRows([w, x, y, z]: number[]): number[][] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}
