import { expect, test } from 'vitest';
import type { JointDescription } from '../../../../src/core/kinematics/robotModel.ts';
import { fillLimits } from '../../../../src/formats/robots/writing/filledLimits.ts';
import { readJointLimits } from '../../../../src/formats/robots/writing/jointLimitsFile.ts';

const joint = (name: string, fields: Partial<JointDescription> = {}): JointDescription => ({
  name,
  type: 'revolute',
  parent: 'a',
  child: name,
  origin: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
  axis: [0, 0, 1],
  lower: -1,
  upper: 1,
  ...fields,
});

test('limits are filled in, the stricter of two holds, and nothing is loosened', async () => {
  const file = await readJointLimits(
    `robot_description_planning:
  joint_limits:
    a: {max_velocity: 2, max_acceleration: 5, max_deceleration: -3, max_jerk: 9, min_position: -0.5, max_position: 4}
    b: {max_velocity: 2, has_velocity_limits: false, has_acceleration_limits: true, max_acceleration: 6}
    c: {max_velocity: 2}
    turn: {min_position: -1, max_position: 1}
    gone: {max_velocity: 1}
  default_velocity_scaling_factor: 0.1
`,
    'l.yaml',
  );
  const joints = [joint('a', { velocity: 1 }), joint('b'), joint('c', { velocity: 3 })];
  const { lower: _, upper: __, ...unlimited } = joint('turn', { type: 'continuous' });
  const { changed, warnings } = fillLimits([...joints, unlimited], file, 'l.yaml');
  expect(Object.fromEntries(changed)).toEqual({
    a: { acceleration: 3, jerk: 9, lower: -0.5 },
    b: { acceleration: 6 },
    c: { velocity: 2 },
  });
  expect(warnings.join('\n')).toMatch(
    /default_velocity[\s\S]*"gone" is no joint[\s\S]*"a": its positions exceed[\s\S]*"a": its velocity 2 exceeds[\s\S]*"turn" has no range/,
  );
});

test('zeros beside flags that are false, as the assistant of MoveIt writes them, are no limits', async () => {
  const file = await readJointLimits(
    `joint_limits:
  a: {has_velocity_limits: true, max_velocity: 2, has_acceleration_limits: false, max_acceleration: 0}
  b: {has_velocity_limits: false, max_velocity: 0.0, has_jerk_limits: false, max_jerk: 0, has_deceleration_limits: false, max_deceleration: 0}
`,
    'l.yaml',
  );
  expect(Object.fromEntries(file.limits)).toEqual({ a: { velocity: 2 }, b: {} });
});

test('a flag that is true without its value is a warning', async () => {
  const { limits, warnings } = await readJointLimits(
    'joint_limits: {a: {has_acceleration_limits: true, max_velocity: 1}, b: {has_position_limits: true, min_position: 0}}',
    'l.yaml',
  );
  expect(Object.fromEntries(limits)).toEqual({ a: { velocity: 1 }, b: { lower: 0 } });
  expect(warnings).toEqual([
    'l.yaml: joint "a": has_acceleration_limits is true, but max_acceleration is missing: no limit is read',
    'l.yaml: joint "b": has_position_limits is true, but max_position is missing: no upper limit is read',
  ]);
});

test.each([
  ['joint_limits: {a: {max_velocitty: 1}}', 'l.yaml:1: joint_limits.a.max_velocitty: unknown key'],
  ['joint_limits: {a: {max_velocity: 0}}', 'l.yaml:1: joint_limits.a.max_velocity: '],
  [
    'joint_limits: {a: {has_acceleration_limits: true, max_acceleration: 0}}',
    'joint_limits.a.max_acceleration: it is 0',
  ],
  ['joint_limits: {a: {max_deceleration: 0}}', 'l.yaml:1: joint_limits.a.max_deceleration: it is 0'],
  ['joint_limits: {a: {has_velocity_limits: false, max_velocity: -1}}', 'l.yaml:1: joint_limits.a.max_velocity: '],
  ['joint_limits:\n  a: {min_position: 2, max_position: 1}', 'l.yaml:2: joint_limits.a: min_position 2 is above'],
  ['joint_limit: {}', 'l.yaml:1: joint_limit: unknown key'],
  ['joint_limits: 3', 'joint_limits: it is no mapping'],
  ['[1]', 'there is no joint_limits'],
  ['joint_limits: {a: {min_position: 3}}', 'have no value in common'],
  ['joint_limits:\n  a: {max_velocity: 010}', 'l.yaml:2: "010" begins with 0: 8 or 10'], // PyYAML: 8
  ['joint_limits: {}', 'no joint of this file is a joint of the robot'],
])('%s is refused: %s', async (text, message) => {
  const read = async () => fillLimits([joint('a')], await readJointLimits(text, 'l.yaml'), 'l.yaml');
  await expect(read()).rejects.toThrow(message);
});

test('numbers with the tags of xacro, as in the files of Universal Robots, are degrees and radians', async () => {
  const text = (tag: string) => `joint_limits:
  elbow:
    has_velocity_limits: true
    max_velocity: ${tag}  180.0 # of the data sheet
    min_position: !degrees -360
    max_position: !radians 1e-1
    max_acceleration: 2
`;
  const { limits } = await readJointLimits(text('!degrees'), 'l.yaml');
  // As math.radians(180.0) and math.radians(-360) of Python.
  expect(limits.get('elbow')).toEqual({
    lower: -2 * Math.PI,
    upper: 0.1,
    velocity: Math.PI,
    acceleration: 2,
  });
  await expect(readJointLimits(text('!turns'), 'l.yaml')).rejects.toThrow(/^l\.yaml:4: this is neither YAML nor JSON/);
});
