import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { EXACT_POSE } from '../../../src/core/kinematics/pose.ts';
import { reachOf, type Shell, shortfallOf } from '../../../src/core/kinematics/reach.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { create, type Transform, transformPoint } from '../../../src/core/math/transform.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { randomPose, randomRobot } from '../../helpers/robots.ts';
import { NAMES } from '../../robots/loaded.ts';
import { planarArm } from './arms.ts';

function distanceOf({ centre, point }: Shell, T_world_link: Transform): number {
  const at = new Float64Array(3);
  transformPoint(at, T_world_link, point);
  return Math.hypot(at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]);
}

function randomQ({ variables }: RobotModel, random: Random): Float64Array {
  return Float64Array.from(variables, ({ limits: { lower, upper } }) =>
    random.between(Math.max(lower, -9), Math.min(upper, 9)),
  );
}

test('no configuration of random trees, with slides, followers and fixed joints, leaves the shells of any link', () => {
  const random = new Random(11);
  for (let k = 0; k < 60; k++) {
    const description = randomRobot(random, 1 + random.below(8));
    const model = createRobotModel(description, { pose: randomPose(random, 1) });
    const state = new RobotState(model);
    const reaches = model.links.map((link) => reachOf(model, link.index));
    for (let s = 0; s < 30; s++) {
      forwardKinematics(state, randomQ(model, random));
      for (const [i, reach] of reaches.entries()) {
        expect(shortfallOf(reach, state.T_world_link[i], EXACT_POSE)).toBeUndefined();
        for (const shell of [reach.origin, reach.wrist, reach.short.origin, reach.short.wrist]) {
          const distance = distanceOf(shell, state.T_world_link[i]);
          expect(distance).toBeLessThan(shell.outer + 1e-9);
          expect(distance).toBeGreaterThan(shell.inner - 1e-9);
        }
      }
    }
  }
});

test('a planar arm of 0.5 m and 0.2 m reaches 0.7 m at most and 0.3 m at least: what is missing is the difference', () => {
  const reach = reachOf(planarArm(), 3);
  expect(reach.origin.outer).toBeCloseTo(0.7, 15);
  expect(reach.origin.inner).toBeCloseTo(0.3, 15);
  const at = (x: number) => {
    const T = create();
    T[3] = x;
    return shortfallOf(reach, T, { position: 0, angle: Math.PI });
  };
  expect(at(1)).toMatchObject({ of: 'origin', by: expect.closeTo(0.3, 12) });
  expect(at(0.05)).toMatchObject({ of: 'origin', by: expect.closeTo(0.25, 12) });
  expect(at(0.7)).toBeUndefined();
  expect(at(0.3)).toBeUndefined();
});

test('the wrist of a UR5e reaches what its link lengths add up to, and along a short way less', async () => {
  const model = createRobotModel(await loadRobot('ur5e'));
  const { wrist, origin, short } = reachOf(
    model,
    model.links.findIndex(({ name }) => name === 'tool0'),
  );
  expect(wrist.outer).toBeCloseTo(0.425 + 0.3922 + 0.1333 + 0.0997, 9);
  expect(origin.outer).toBeCloseTo(wrist.outer + 0.0996, 9);
  expect(Array.from(wrist.centre)).toEqual([0, 0, 0.1625]);
  // The parallel axes let the way lean: from the shoulder straight to where the fourth axis and the fifth meet, or a
  // little less.
  const leaning = Math.hypot(0.425 + 0.3922, 0.1333);
  expect(short.wrist.outer).toBeLessThan(leaning + 0.0997 + 1e-12);
  expect(short.origin.outer).toBeLessThan(leaning + Math.hypot(0.0997, 0.0996) + 1e-12);
});

test('an arm with offsets at its elbow and its flange reaches as far as the sides of its triangles, and reports the shortfall', async () => {
  const model = createRobotModel(await loadRobot('arm7'));
  const reach = reachOf(
    model,
    model.links.findIndex(({ name }) => name === 'flange'),
  );
  const outer = Math.hypot(0.316, 0.0825) + Math.hypot(0.384, 0.0825) + Math.hypot(0.088, 0.107);
  expect(reach.short.origin.outer).toBeCloseTo(outer, 9);
  const T = create();
  T[3] = 0.93;
  T[11] = 0.333;
  const shortfall = shortfallOf(reach, T, { position: 0, angle: Math.PI });
  expect(shortfall).toMatchObject({ of: 'origin', by: expect.closeTo(0.93 - outer, 9) });
});

test.each(NAMES)('the outer shell of %s is not much larger than what random states reach', async (name) => {
  const model = createRobotModel(await loadRobot(name));
  const state = new RobotState(model);
  const last = model.links.length - 1;
  const { origin, short } = reachOf(model, last);
  const random = new Random(4);
  let farthest = 0;
  for (let k = 0; k < 3000; k++) {
    forwardKinematics(state, randomQ(model, random));
    farthest = Math.max(farthest, distanceOf(origin, state.T_world_link[last]));
  }
  expect(short.origin.outer).toBeLessThan(origin.outer + 1e-9);
  expect(farthest).toBeLessThan(short.origin.outer + 1e-9);
  // Slides at right angles reach √(x² + y² + z²); the shell adds them up.
  const hasSlides = model.variables.some(({ type }) => type === 'prismatic');
  expect(farthest).toBeGreaterThan((hasSlides ? 0.75 : 0.98) * short.origin.outer);
});
