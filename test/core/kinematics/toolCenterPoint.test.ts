import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { JointDescription, RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { framePose, tcpOf, tipLinks } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { InputError } from '../../../src/errors.ts';
import { loadRobot } from '../../../src/host/node/files.ts';

const names = (model: RobotModel) => tipLinks(model).map((link) => model.links[link].name);

/** A tree of links `parent>child`: `r` turning, `p` sliding, `f` fixed, `m` following the joint to `a`. */
function tree(text: string, joints?: string[]): RobotModel {
  const edges = text.split(' ').map((word, i) => {
    const [, parent, kind, child] = /^(\w+)-(\w)-(\w+)$/.exec(word)!;
    const type = kind === 'f' ? 'fixed' : kind === 'p' ? 'prismatic' : 'revolute';
    const joint: JointDescription = {
      name: `to_${child}`,
      type,
      parent,
      child,
      origin: { ...IDENTITY_POSE, xyz: [0, 0, 0.1 * (i + 1)] },
      axis: [0, 0, 1],
      ...(kind === 'f' ? {} : { lower: -1, upper: 1, velocity: 1, acceleration: 4 }),
      ...(kind === 'm' ? { mimic: { joint: 'to_a', multiplier: 1, offset: 0 } } : {}),
    };
    return joint;
  });
  const links = ['base', ...edges.map(({ child }) => child)].map((name) => ({ name, collisions: [], visuals: [] }));
  const description = { name: 'tree', links, joints: edges, root: 'base', states: {}, allowed: [], warnings: [] };
  return createRobotModel(description as unknown as RobotDescription, { joints });
}

test.each([
  ['base-r-a a-r-b', undefined, ['b']],
  ['base-r-a a-r-b b-f-flange flange-f-tip', undefined, ['tip']],
  ['base-r-a a-f-tool0 tool0-f-camera a-f-sensor', undefined, ['tool0']],
  ['base-r-a a-f-camera a-f-tip', undefined, ['camera', 'tip']],
  ['base-r-a a-f-hand hand-p-finger', ['to_a'], ['hand']],
  ['base-r-a a-f-hand hand-p-finger', undefined, ['finger']],
  ['base-r-a a-r-b base-r-c c-r-d', undefined, ['b', 'd']],
  ['base-r-a a-r-b base-r-c c-r-d', ['to_c', 'to_d'], ['d']],
  ['base-p-a base-m-b', undefined, ['a', 'b']],
  ['base-r-a a-m-b', undefined, ['b']],
  ['base-r-a a-f-tool0 a-p-c a-m-d', undefined, ['tool0']],
  ['base-r-a a-f-tool0 base-r-b', undefined, ['tool0', 'b']],
])('the tip of %s with the joints %s is %s', (text, joints, expected) => {
  expect(names(tree(text, joints))).toEqual(expected);
});

test.each([
  ['arm7', ['flange']],
  ['srs7', ['flange']],
  ['ur3e', ['tool0']],
  ['ur5e', ['tool0']],
  ['ur10e', ['tool0']],
  ['scara4', ['tool0']],
  ['gantry4', ['tool0']],
  ['dual12', ['left_tool0', 'right_tool0']],
])('the tip of %s is %s', async (robot, expected) => {
  expect(names(createRobotModel(await loadRobot(robot)))).toEqual(expected);
});

test('a robot with several ends has no tool center point unless one is stated', () => {
  const model = tree('base-r-a a-r-b base-r-c c-r-d');
  expect(() => tcpOf(model)).toThrow(/ambiguous.* b, d$/);
  expect(() => tcpOf(model, { pose: IDENTITY_POSE })).toThrow(InputError);
  expect(tcpOf(model, { link: 'd', pose: IDENTITY_POSE }).link).toBe(model.links.findIndex(({ name }) => name === 'd'));
  expect(() => tcpOf(model, { link: 'dd', pose: IDENTITY_POSE })).toThrow('"tree" has no link "dd"');
});

test('the pose of a stated TCP is the pose of its link times its own', () => {
  const model = tree('base-r-a a-r-b');
  const state = new RobotState(model);
  forwardKinematics(state, Float64Array.of(0, 0.5));
  const half = Math.SQRT1_2;
  const tcp = tcpOf(model, { pose: { xyz: [0.3, 0, 0.1], quat_wxyz: [half, half, 0, 0] } });
  const { xyz, quat_wxyz } = framePose(state, tcp);
  // two joints at heights 0.1 and 0.2, turned by 0.5 rad about z in total
  const expected = [0.3 * Math.cos(0.5), 0.3 * Math.sin(0.5), 0.4];
  for (let i = 0; i < 3; i++) expect(xyz[i]).toBeCloseTo(expected[i], 12);
  const turn = [Math.cos(0.25) * half, Math.cos(0.25) * half, Math.sin(0.25) * half, Math.sin(0.25) * half];
  for (let i = 0; i < 4; i++) expect(quat_wxyz[i]).toBeCloseTo(turn[i], 12);
});
