import { expect, test } from 'vitest';
import { otherTrajectoryFault } from '../../../src/core/scene/movingScene.ts';
import { sceneEventFault } from '../../../src/core/trajectory/trajectory.ts';

const points = [0, 1].map((time) => ({ time_from_start: time, positions: [0] }));
const motion = { jointNames: ['turn'], points };
const table = { ...motion, pointSteps: [0, 2] };

test.each([
  [table, /its points belong to the steps of a program/],
  [{ ...table, stepCalls: ['on_step(0)', 'on_attach("part", "tool0")', 'on_step(2)'] }, /attach/],
  [
    { ...table, stepCalls: ['on_step(0)', 'on_set_joints("grip")', 'on_step(2)'] },
    /on_set_joints|moves joints|attaches/,
  ],
])(
  'a program whose events are in no list is refused without its steps, and for other robots (%#)',
  (given, message) => {
    expect(sceneEventFault(given)).toMatch(message);
    expect(otherTrajectoryFault(given)).toMatch(message);
  },
);

test.each([
  motion,
  { ...table, stepCalls: ['on_step(0)', 'set_digital_out(0, True)', 'on_step(2)'] },
  { ...table, segments: [], events: [] },
])('a motion whose events do not change the scene is accepted (%#)', (given) => {
  expect(sceneEventFault(given)).toBeUndefined();
  expect(otherTrajectoryFault(given)).toBeUndefined();
});
