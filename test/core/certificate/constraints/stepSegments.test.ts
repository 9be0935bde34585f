import { expect, test } from 'vitest';
import { verifyProgram } from '../../../../src/core/certificate/verifyProgram.ts';
import type { PathConstraint } from '../../../../src/core/scene/constraints.ts';
import type { Step } from '../../../../src/core/scene/program.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { checkProgram } from '../../../../src/tasks/programs/checks/checkProgram.ts';
import { certificateOf, motionOf, pair, slidingBox } from '../worlds.ts';

// The slider is at 0 m for one second of each of two steps, except for an excursion to 1 m that takes 0.9 ns. Times of
// segments may be off by 1 ns: the excursion still belongs to one of the steps.

const inRange: PathConstraint = { type: 'joint', joint: 'to_slider', range: [-0.1, 0.1] };
const moveOf = (index: number, constraints: readonly PathConstraint[]): Step => ({
  ...{ kind: 'move', index, goals: [{ kind: 'joints', joints: [0] }], speed: 1, acceleration: 1, blend: 0 },
  ...{ tolerance: { position: 1e-4, angle: 1e-3 }, constraints },
});
const GAP = 0.9e-9;

/** Verifies and checks a program of two steps with an excursion at a time, and the given times of the segments. */
function judged(excursion: number | undefined, times: readonly [number, number][], ofScene = false) {
  const { robot, scene } = slidingBox();
  const inside = [0.25, 0.5, 0.75].map((share) => ({ time: excursion! + share * GAP, x: share === 0.5 ? 1 : 0 }));
  const knots = [{ time: 0, x: 0 }, ...(excursion === undefined ? [] : inside), { time: 2, x: 0 }];
  const motion = motionOf(
    robot,
    knots.map(({ time, x }) => ({ time_from_start: time, positions: [x], velocities: [0] })),
  );
  const segments = times.map(([from, to], step) => ({ step, kind: 'move' as const, from, to }));
  const trajectory: Trajectory = { ...motion, segments, events: [] };
  const { pairs: _, ...certificate } = certificateOf(trajectory, []);
  const spans = pair('slider', 'wall', [[0, 2, 0, 1, 0]]);
  const ofSteps = ofScene ? [] : [inRange];
  const program = {
    ...{ name: 'program', robot: { fixed: {}, limits: {} }, ...scene, ...(ofScene && { constraints: [inRange] }) },
    steps: [moveOf(0, ofSteps), moveOf(1, ofSteps)],
  } as unknown as Scene;
  const proof = { ...certificate, pairs: [], segments: [{ from: 0, to: 2, pairs: [spans] }] };
  return {
    proved: verifyProgram(proof, robot, program, trajectory).proved,
    valid: checkProgram(robot, program, trajectory, { checker: 'growth-distance' }).valid,
  };
}

const exact: [number, number][] = [
  [0, 1],
  [1, 2],
];

test('steps that keep their constraints are proved, also if the times of segments are rounded', () => {
  expect(judged(undefined, exact)).toEqual({ proved: true, valid: true });
  const rounded: [number, number][] = [
    [GAP, 1],
    [1 + GAP, 2 - GAP],
  ];
  expect(judged(undefined, rounded)).toEqual({ proved: true, valid: true });
});

test.each<[string, number, [number, number][]]>([
  ['within a segment', 0.5, exact],
  ['before the first segment', 0, [[GAP, 1], exact[1]]],
  ['between two segments', 1, [exact[0], [1 + GAP, 2]]],
  ['after the last segment', 2 - GAP, [exact[0], [1, 2 - GAP]]],
])('an excursion %s violates the constraints of a step', (_, excursion, times) => {
  expect(judged(excursion, times, true)).toEqual({ proved: false, valid: false });
  expect(judged(excursion, times)).toEqual({ proved: false, valid: false });
});
