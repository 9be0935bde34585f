import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { IkSolution } from '../../../src/core/kinematics/ikSearch.ts';
import { InverseKinematics } from '../../../src/core/kinematics/inverseKinematics.ts';
import { poseError } from '../../../src/core/kinematics/pose.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import { create, type Transform } from '../../../src/core/math/transform.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { cases } from '../../cases.ts';
import { randomPose, randomRobot } from '../../helpers/robots.ts';
import { randomStates, SHARED } from '../../robots/loaded.ts';
import { chainOf, planarArm } from './arms.ts';

const linkOf = (model: RobotModel, name: string) => model.links.findIndex((link) => link.name === name);

function poseAt(model: RobotModel, link: number, q: Configuration): Transform {
  const state = new RobotState(model);
  forwardKinematics(state, q);
  return state.T_world_link[link].slice();
}

/** Errors as a state of its own sees them, and that the limits are kept. */
function expectSolution(model: RobotModel, link: number, T: Transform, { q, ...told }: IkSolution, most: number): void {
  const error = new Float64Array(6);
  poseError(error, poseAt(model, link, q), T);
  const [position, angle] = [Math.hypot(...error.slice(0, 3)), Math.hypot(...error.slice(3))];
  // Thousands of solutions are judged: one assertion each, as each one takes as long as a solution.
  const faults = model.variables.filter(({ limits }, i) => !(q[i] >= limits.lower && q[i] <= limits.upper));
  const differ = Math.max(Math.abs(told.positionError - position), Math.abs(told.angleError - angle));
  const isGood = position <= most && angle <= most && differ < 5e-13 && faults.length === 0;
  if (!isGood) expect({ position, angle, differ, faults }).toBe(`within ${most}, 5e-13 and the limits`);
}

const POSES = cases(1000);

describe.each([
  ['ur5e', 'tool0'],
  ['ur10e', 'tool0'],
  ['arm7', 'flange'],
  ['scara4', 'tool'],
])('%s', (name, tip) => {
  test('of many poses that it can take, every one is solved, within limits', async () => {
    const model = createRobotModel(await loadRobot(name));
    const link = linkOf(model, tip);
    const ik = new InverseKinematics(model, link);
    const near = new Float64Array(model.dof);
    for (const [k, q] of randomStates(model, POSES, 21).entries()) {
      const T = poseAt(model, link, q);
      const { solutions } = ik.solve(T, near, new Random(k), { solutions: 1 });
      if (solutions.length === 0) expect.fail(`pose ${k} is not solved`);
      for (const solution of solutions) expectSolution(model, link, T, solution, ik.closedForm ? 1e-12 : 1e-6);
    }
  });
});

const others = [
  ['ur5e/ur5e.urdf', 'tool0'],
  ['ur10e/ur10e.urdf', 'tool0'],
  ['mbm_ur5/ur5.urdf', 'tool0'],
  ['panda/panda.urdf', 'panda_hand'],
  ['kuka_iiwa14/kuka_iiwa14.urdf', 'tool0'],
  ['kinova_gen3/kinova_gen3.urdf', 'EndEffector_Link'],
  ['baxter/baxter.urdf', 'left_gripper'],
];
describe.skipIf(!existsSync(SHARED))('published robots', () => {
  test.each(others)('of many poses that %s can take, every one is solved', async (file, tip) => {
    const model = createRobotModel(await loadRobot(fileURLToPath(new URL(`robots/${file}`, SHARED))));
    const link = linkOf(model, tip);
    expect(link).toBeGreaterThan(0);
    const ik = new InverseKinematics(model, link);
    const random = new Random(22);
    for (let k = 0; k < POSES; k++) {
      const q = Float64Array.from(model.variables, ({ limits }) =>
        random.between(Math.max(limits.lower, -3), Math.min(limits.upper, 3)),
      );
      const T = poseAt(model, link, q);
      const { solutions } = ik.solve(T, new Float64Array(model.dof), new Random(k), { solutions: 1 });
      if (solutions.length === 0) expect.fail(`pose ${k} is not solved`);
      expectSolution(model, link, T, solutions[0], ik.closedForm ? 1e-12 : 1e-6);
    }
    expect(ik.closedForm).toBe(/ur\d/.test(file));
  });
});

test('poses of random trees with slides, followers and fixed joints are solved, from any base', () => {
  const random = new Random(8);
  for (let k = 0; k < cases(200); k++) {
    const description = randomRobot(random, 2 + random.below(8));
    const free = description.joints.filter((joint) => joint.type !== 'fixed' && !joint.mimic).map(({ name }) => name);
    const joints = free.filter((_, i) => (i + k) % 4 !== 0);
    const model = createRobotModel(description, { joints, pose: randomPose(random, 1) });
    const link = model.links.length - 1 - random.below(2);
    const q = Float64Array.from(model.variables, ({ limits }) =>
      random.between(Math.max(limits.lower, -3), Math.min(limits.upper, 3)),
    );
    const T = poseAt(model, link, q);
    const { solutions } = new InverseKinematics(model, link).solve(T, new Float64Array(model.dof), new Random(k));
    expect(solutions.length, `tree ${k}`).toBeGreaterThan(0);
    for (const solution of solutions) expectSolution(model, link, T, solution, 1e-6);
  }
});

test('a planar arm has its two closed-form elbows, and one when it is stretched out', () => {
  const ik = new InverseKinematics(planarArm(), 3);
  const target = (lift: number, elbow: number) => {
    const T = poseAt(planarArm(), 3, Float64Array.of(lift, elbow));
    return { T, found: ik.solve(T, new Float64Array(2), new Random(1), { tolerance: { position: 1e-9, angle: 4 } }) };
  };
  // Any orientation will do, so the elbow may bend either way: −e, with the first joint turned by 2 atan2(l2 sin e, l1
  // + l2 cos e).
  const { found } = target(0.3, 1);
  const other = 0.3 + 2 * Math.atan2(0.2 * Math.sin(1), 0.5 + 0.2 * Math.cos(1));
  const elbows = found.solutions.map(({ q }) => [...q]).sort((a, b) => b[1] - a[1]);
  expect(elbows).toEqual([
    [expect.closeTo(0.3, 6), expect.closeTo(1, 6)],
    [expect.closeTo(other, 6), expect.closeTo(-1, 6)],
  ]);
  const stretched = target(-0.8, 0).found.solutions;
  expect(stretched.map(({ q }) => [...q])).toEqual([[expect.closeTo(-0.8, 4), expect.closeTo(0, 3)]]);
});

test('a tolerance is used where the pose itself cannot be had, and only as far as it goes', () => {
  const ik = new InverseKinematics(planarArm(), 3);
  const T = create();
  T[3] = 0.705; // the arm ends at 0.7
  const solve = (position: number) =>
    ik.solve(T, new Float64Array(2), new Random(1), { tolerance: { position, angle: 0.1 } });
  expect(solve(0.006).solutions[0].positionError).toBeCloseTo(0.005, 3);
  const { solutions, miss } = solve(0.004);
  expect(solutions).toEqual([]);
  expect(miss!.shortfall!.by).toBeCloseTo(0.005, 12);
  expect(miss!.nearest.positionError).toBeGreaterThanOrEqual(0.005 - 1e-12);
});

test('a pose beyond the limits names the joints that would have to pass them', async () => {
  const description = await loadRobot('ur5e');
  const free = createRobotModel(description);
  const tight = createRobotModel(description, { limits: { elbow_joint: { lower: -0.2, upper: 0.2 } } });
  const link = linkOf(free, 'tool0');
  const T = poseAt(free, link, Float64Array.of(0.3, -1.2, 1.5, -1, 0.9, 0.2));
  const { solutions, miss } = new InverseKinematics(tight, link).solve(T, new Float64Array(6), new Random(1));
  expect(solutions).toEqual([]);
  expect(miss).toMatchObject({ shortfall: undefined, beyondLimits: ['elbow_joint'] });
});

test('rejected solutions are reported separately, and the search continues', () => {
  const arm = chainOf([
    { at: [0, 0, 0.2] },
    { at: [0.4, 0, 0] },
    { at: [0.3, 0, 0] },
    { at: [0.2, 0, 0], type: 'fixed' },
  ]);
  const T = create();
  T[3] = 0.5;
  T[11] = 0.2;
  const options = { tolerance: { position: 1e-6, angle: 4 }, solutions: 8 };
  const accept = (q: Configuration) => q[1] > 0;
  const { solutions, refused, miss } = new InverseKinematics(arm, 4).solve(T, new Float64Array(3), new Random(1), {
    ...options,
    accept,
  });
  expect(solutions).toHaveLength(8);
  expect(solutions.every(({ q }) => accept(q))).toBe(true);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.some(({ q }) => accept(q))).toBe(false);
  expect(miss).toBeUndefined();
});

test('the nearest solution is first, joints that do not move the link are unchanged, and equal seeds give equal results', () => {
  const arm = chainOf([{}, { at: [0.5, 0, 0] }, { at: [0.4, 0, 0] }, { at: [0.1, 0, 0] }]);
  const T = poseAt(arm, 3, Float64Array.of(0.4, 0.9, 0.2, 0));
  const near = Float64Array.of(0.4, 0.9, 0.2, 0.77);
  const solve = () =>
    new InverseKinematics(arm, 3).solve(T, near, new Random(5), { tolerance: { position: 1e-6, angle: 4 } });
  const { solutions } = solve();
  expect(solutions.length).toBeGreaterThan(1);
  expect(solutions[0].q).toEqual(near);
  for (const { q } of solutions) expect(q[3]).toBe(0.77);
  const away = solutions.map(({ q }) => Math.hypot(...q.map((value, i) => value - near[i])));
  expect(away).toEqual([...away].sort((a, b) => a - b));
  expect(solve()).toEqual({ solutions, refused: [], miss: undefined });
});

test('a wide tolerance gives solutions all over it, also where the pose itself cannot be had or its solutions are refused', async () => {
  const model = createRobotModel(await loadRobot('ur5e'));
  const link = linkOf(model, 'tool0');
  const ik = new InverseKinematics(model, link);
  const T = poseAt(model, link, Float64Array.of(0.3, -0.6, 0.4, -1, 0.9, 0.2));
  const near = new Float64Array(6);
  const tolerance = { position: 1e-6, angle: 4 };
  const exact = ik.solve(T, near, new Random(1)).solutions;
  const isExact = (q: Configuration) => exact.some((one) => one.q.every((value, i) => Math.abs(value - q[i]) < 1e-3));
  const wide = ik.solve(T, near, new Random(1), { tolerance, accept: (q) => !isExact(q) });
  expect(wide.refused).toHaveLength(exact.length);
  expect(wide.solutions).toHaveLength(16);
  for (const { positionError } of wide.solutions) expect(positionError).toBeLessThan(1e-6);

  // turned this way, the wrist is out of reach
  const away = Float64Array.of(0, 0, -1, 0.75, 0, 1, 0, 0.2, 1, 0, 0, 0.6);
  const turned = ik.solve(away, near, new Random(1));
  expect(turned.solutions).toEqual([]);
  expect(ik.solve(away, near, new Random(1), { tolerance }).solutions.length).toBeGreaterThan(2);
});

test('of an arm without a closed form, too, the joints are named that would have to leave their limits', async () => {
  const description = await loadRobot('srs7');
  const whole = createRobotModel(description);
  const link = linkOf(whole, 'flange');
  const q = Float64Array.of(1.2, 0.5, 0.2, -1, 0.1, 0.8, 0);
  const T = poseAt(whole, link, q);
  // The elbow alone decides how far the wrist is from the shoulder.
  const joints = description.joints.map((joint) =>
    joint.child === 'link4' ? { ...joint, lower: -0.5, upper: 0.5 } : joint,
  );
  const elbow = joints.find(({ child }) => child === 'link4')!.name;
  const ik = new InverseKinematics(createRobotModel({ ...description, joints }), link);
  expect(ik.closedForm).toBe(false);
  const { solutions, miss } = ik.solve(T, new Float64Array(7), new Random(1));
  expect(solutions).toEqual([]);
  expect(miss).toMatchObject({ beyondLimits: [elbow], shortfall: undefined, isSearch: true });
  expect(miss!.nearest.positionError + miss!.nearest.angleError).toBeGreaterThan(1e-3);
  expectSolution(whole, link, T, new InverseKinematics(whole, link).solve(T, q, new Random(1)).solutions[0], 1e-6);
});
