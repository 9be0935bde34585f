import { expect, test } from 'vitest';
import type { MassProperties, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { inertiaFindings } from '../../../src/tasks/robots/inertiaFindings.ts';

const places = { links: new Map(), joints: new Map() } as never;
const good: MassProperties = { mass: 8, center: [0, 0, 0.1], inertia: [0.03, 0.03, 0.01, 0, 0, 0] };

const robotWith = (inertial: MassProperties | undefined): RobotDescription => {
  const box = { shape: { type: 'box', size: [0.1, 0.1, 0.2] }, pose: { xyz: [0, 0, 0.1], quat_wxyz: [1, 0, 0, 0] } };
  const link = (name: string, own: MassProperties | undefined) => ({
    name,
    collisions: [box],
    ...(own && { inertial: own }),
  });
  const joint = (name: string, parent: string, child: string) => ({
    name,
    type: 'revolute',
    parent,
    child,
    origin: { xyz: [0, 0, 0.2], quat_wxyz: [1, 0, 0, 0] },
    axis: [0, 1, 0],
    lower: -1,
    upper: 1,
  });
  return {
    name: 'arm',
    root: 'base',
    links: [link('base', undefined), link('upper', inertial), link('fore', good)],
    joints: [joint('shoulder', 'base', 'upper'), joint('elbow', 'upper', 'fore')],
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  } as unknown as RobotDescription;
};

test('a missing, impossible or implausible inertia is found, and a plausible one is not', () => {
  const found = (inertial: MassProperties | undefined) =>
    inertiaFindings(robotWith(inertial), 'arm.urdf', places).map(({ what }) => what);
  expect(found(good)).toEqual([]);
  expect(found({ ...good, inertia: [0.02, 0.02, 0.04, 0, 0, 0] })).toEqual([]);
  expect(found(undefined)).toEqual([
    expect.stringMatching(/^link "upper": no complete <inertial>.*torque are refused/),
  ]);
  expect(found({ ...good, inertia: [0.01, 0.02, 0.04, 0, 0, 0] })).toEqual([expect.stringMatching(/not physical/)]);
  expect(found({ ...good, inertia: [0.03, 0.03, 0.01, 0.05, 0, 0] })).toEqual([expect.stringMatching(/not physical/)]);
  expect(found({ ...good, mass: 8000 })).toEqual([expect.stringMatching(/4000000 kg\/m³/)]);
  expect(found({ ...good, center: [0, 0, 100] })).toEqual([expect.stringMatching(/99800 mm or more outside/)]);
});

test('the robots of the package with inertias have plausible ones', async () => {
  const robot = await loadRobot('robots/ur5e/ur5e.urdf');
  expect(inertiaFindings(robot, 'ur5e.urdf', places)).toEqual([]);
});
