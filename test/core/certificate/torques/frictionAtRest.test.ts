import { expect, test } from 'vitest';
import { motionPieces } from '../../../../src/core/certificate/motionPieces.ts';
import { certifiedBodies } from '../../../../src/core/certificate/torques/certifiedBodies.ts';
import { torqueRanges } from '../../../../src/core/certificate/torques/torqueBounds.ts';
import { torqueProblems } from '../../../../src/core/certificate/torques/verifyTorques.ts';
import { createArmModel } from '../../../../src/core/dynamics/arm/armModel.ts';
import { TorqueProver } from '../../../../src/core/dynamics/arm/torqueProver.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, LinkDescription } from '../../../../src/core/kinematics/robotModel.ts';
import type { CheckedScene } from '../../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../../src/core/trajectory/trajectoryCurve.ts';

const FRICTION = 2;
/** So short before or after a rest, 30 t² rad/s are within the rounding error of the velocity. */
const MOMENT = 2e-7;
const link = (name: string): LinkDescription => ({
  name,
  collisions: [],
  inertial: { mass: 1, center: [0, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0] },
});
const joint = (name: string, parent: string, child: string): JointDescription => ({
  name,
  type: 'revolute',
  parent,
  child,
  origin: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
  axis: [0, 0, 1],
  lower: -2,
  upper: 2,
  velocity: 3,
  effort: 100,
  drive: { friction: FRICTION },
});
const robot = createRobotModel({
  name: 'two joints',
  root: 'base',
  links: [{ name: 'base', collisions: [] }, link('first'), link('second')],
  joints: [joint('moving', 'base', 'first'), joint('resting', 'first', 'second')],
  allowed: [],
  states: {},
  groups: {},
  warnings: [],
});
const scene: CheckedScene = {
  obstacles: [],
  attached: [],
  allow: [],
  padding: 0,
  torque: { scale: 1 },
  gravity: [0, 0, -9.81],
};

/** A turn of the first joint in 1 s, at rest without acceleration at both ends. */
function turn(goal: number): Trajectory {
  const state = (q: number) => ({ positions: [q, 0.5], velocities: [0, 0], accelerations: [0, 0] });
  return {
    jointNames: ['moving', 'resting'],
    points: [
      { time_from_start: 0, ...state(0) },
      { time_from_start: 1, ...state(goal) },
    ],
  };
}

/** Both directions, next to the rest at the beginning and at the end. */
const CASES = [1, -1].flatMap((goal) => [
  { goal, from: 0, to: MOMENT },
  { goal, from: 1 - MOMENT, to: 1 },
]);

test('verify refuses spans next to a rest that exclude the friction of a joint that still moves', () => {
  for (const { goal, from, to } of CASES) {
    const problemsOf = (lower: number, upper: number) =>
      torqueProblems(
        [
          {
            joint: 'moving',
            spans: [
              [0, from, -90, 90],
              [from, to, lower, upper],
              [to, 1, -90, 90],
            ],
          },
          { joint: 'resting', spans: [[0, 1, -90, 90]] },
        ],
        robot,
        scene,
        motionPieces(turn(goal)),
        0,
        1,
        true,
      );
    const where = `turn by ${goal}, from ${from}`;
    expect(problemsOf(-2.1, 2.1), where).toEqual([]);
    expect(problemsOf(-0.5, 0.5), where).not.toEqual([]);
    expect(problemsOf(goal > 0 ? -2.1 : -0.5, goal > 0 ? 0.5 : 2.1), where).not.toEqual([]);
  }
});

test('next to a rest the prover encloses the friction of a joint that still moves, and none of a resting one', () => {
  const arm = createArmModel(robot, { gravity: scene.gravity });
  for (const { goal, from, to } of CASES) {
    const curve = new TrajectoryCurve(turn(goal));
    const { intervals } = new TorqueProver(arm).examine(curve, { limits: [100, 100], accuracy: 1 }, from, to);
    for (const { lower, upper } of intervals) {
      expect(goal > 0 ? upper[0] : -lower[0], `turn by ${goal}, from ${from}`).toBeGreaterThanOrEqual(FRICTION);
      expect(Math.max(-lower[1], upper[1])).toBeLessThan(0.1);
    }
  }
});

test('the verifier takes no friction of a joint that does not move at all', () => {
  const [piece] = motionPieces(turn(1));
  const bodies = certifiedBodies(robot, scene);
  const [moving, resting] = torqueRanges(robot, bodies, scene.gravity!, piece, 0.5, 0.5 + 1e-6);
  expect(moving.lower).toBeGreaterThan(0.9 * FRICTION);
  expect(Math.max(-resting.lower, resting.upper)).toBeLessThan(0.1);
});
