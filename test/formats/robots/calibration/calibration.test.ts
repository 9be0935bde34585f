import { expect, test } from 'vitest';
import type { JointDescription } from '../../../../src/core/kinematics/robotModel.ts';
import { readCalibration } from '../../../../src/formats/robots/calibration/calibration.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { calibrationText, UR5E_CALIBRATION } from '../../../robots/deviatingArm.ts';

const read = async (text: string, robot = 'ur5e') => readCalibration(text, 'c.yaml', (await loadRobot(robot)).joints);

const changed = (part: string, values: Record<string, unknown>) =>
  calibrationText({ ...UR5E_CALIBRATION, [part]: { ...UR5E_CALIBRATION[part as 'shoulder'], ...values } });

test('the six joints get the origins of the file', async () => {
  const { hash, origins } = await read(calibrationText(UR5E_CALIBRATION));
  expect(hash).toBe('calib_123');
  expect([...origins.keys()]).toEqual(
    ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3'].map((name) => `${name}_joint`),
  );
  expect(origins.get('elbow_joint')).toEqual({ xyz: [-0.4251, 0.0001, 0], rpy: [0.0014, -0.0004, 4.6e-6] });
});

test.each([
  ['degrees', changed('upper_arm', { roll: 90 }), 'c.yaml:3: kinematics.upper_arm: roll, pitch, yaw are 90, 0, 0'],
  ['a turn by 3 degrees', changed('forearm', { yaw: 0.0524 }), 'kinematics.forearm: roll, pitch, yaw are'],
  ['a turn by half', changed('forearm', { yaw: Math.PI }), 'which turns the joint by 180 deg'],
  ['millimetres', changed('shoulder', { z: 162.5 }), 'kinematics.shoulder: x, y, z are 0, 0, 162.5, 162000 mm from'],
  ['a shift by 11 mm', changed('wrist_1', { y: 0.0114 }), 'at most 10 mm are plausible'],
  ['no number', changed('wrist_1', { y: '.nan' }), 'c.yaml:5: kinematics.wrist_1.y: '],
  ['infinity', changed('wrist_1', { y: '.inf' }), 'kinematics.wrist_1.y: '],
  ['a text', changed('wrist_1', { y: '1 mm' }), 'kinematics.wrist_1.y: it is "1 mm"'],
  ['a missing value', changed('wrist_2', { pitch: undefined }), 'kinematics.wrist_2.pitch: it is missing'],
  ['an unknown value', changed('wrist_2', { rol: 1 }), 'kinematics.wrist_2.rol: unknown key'],
  ['a missing part', calibrationText({ ...UR5E_CALIBRATION, wrist_3: undefined }), 'kinematics.wrist_3: it is missing'],
  ['other joints', calibrationText({ ...UR5E_CALIBRATION, wrist_4: UR5E_CALIBRATION.wrist_3 }), 'wrist_4: unknown key'],
  ['no hash', calibrationText(UR5E_CALIBRATION, ''), 'kinematics.hash: '],
  ['another hash', calibrationText(UR5E_CALIBRATION, 'hash: 12'), 'kinematics.hash: '],
  ['no calibration', 'joint_limits: {}', 'joint_limits: unknown key'],
  ['a list', '[1]', 'c.yaml:1: '],
])('%s is refused with its place', async (_, text, message) => {
  const refused = await read(text).then(
    () => undefined,
    (error: Error & { problems: (Error & { note?: string })[] }) => error,
  );
  expect(refused?.message).toContain(message);
  for (const { note } of refused!.problems) expect(note).toBeTruthy();
});

test.each(['ur3e', 'ur10e', 'arm7', 'dual12'])('the calibration of a UR5e is refused for %s', async (robot) => {
  await expect(read(calibrationText(UR5E_CALIBRATION), robot)).rejects.toThrow(/plausible|no arm of Universal Robots/);
});

test('a robot with two arms is refused, and links with a prefix are accepted', async () => {
  const { joints } = await loadRobot('ur5e');
  const named = (prefix: string): JointDescription[] =>
    joints.map((joint) => ({
      ...joint,
      name: prefix + joint.name,
      parent: prefix + joint.parent,
      child: prefix + joint.child,
    }));
  const text = calibrationText(UR5E_CALIBRATION);
  const { origins } = await readCalibration(text, 'c.yaml', named('left_'));
  expect(origins.has('left_elbow_joint')).toBe(true);
  const both = readCalibration(text, 'c.yaml', [...named('left_'), ...named('right_')]);
  await expect(both).rejects.toThrow('the robot has 2 arms');
});
