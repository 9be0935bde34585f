import { expect, test } from 'vitest';
import { withMount } from '../../../src/core/kinematics/composition/mountedRobot.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { Pose, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { robotAllowedPairs } from '../../../src/core/scene/allowedCollisions.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';

const box = (size: string, z: number) =>
  `<collision><origin xyz="0 0 ${z}"/><geometry><box size="${size}"/></geometry></collision>`;
const limit = '<limit lower="-2" upper="2" velocity="1"/>';

/** An arm of three links, and a frame fixed to its end. */
const arm = `<link name="base">${box('0.1 0.1 0.2', 0)}</link><link name="upper">${box('0.06 0.06 0.3', 0.25)}</link>
  <link name="lower">${box('0.05 0.05 0.3', 0.2)}</link><link name="flange">${box('0.06 0.06 0.02', 0)}</link><link name="tool0"/>
  <joint name="one" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>${limit}</joint>
  <joint name="two" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.45"/><axis xyz="0 1 0"/>${limit}</joint>
  <joint name="flat" type="fixed"><parent link="lower"/><child link="flange"/><origin xyz="0 0 0.37"/></joint>
  <joint name="frame" type="fixed"><parent link="flange"/><child link="tool0"/><origin xyz="0 0 0.01"/></joint>`;

/** A gripper with two fingers, one of which mimics the other; names start with the prefix. */
const gripper = (p: string) => `<link name="${p}root"/><link name="${p}palm">${box('0.05 0.12 0.06', 0.02)}</link>
  <link name="${p}left">${box('0.02 0.01 0.06', 0.03)}</link><link name="${p}right">${box('0.02 0.01 0.06', 0.03)}</link>
  <joint name="${p}hold" type="fixed"><parent link="${p}root"/><child link="${p}palm"/><origin xyz="0 0 0.02"/></joint>
  <joint name="${p}slide" type="prismatic"><parent link="${p}palm"/><child link="${p}left"/><origin xyz="0 0.01 0.05"/>
    <axis xyz="0 1 0"/><limit lower="-0.02" upper="0.04" velocity="1"/></joint>
  <joint name="${p}follow" type="prismatic"><parent link="${p}palm"/><child link="${p}right"/><origin xyz="0 -0.01 0.05"/>
    <axis xyz="0 -1 0"/><limit lower="-0.02" upper="0.04" velocity="1"/><mimic joint="${p}slide"/></joint>`;

const urdf = (name: string, text: string) => `<robot name="${name}">${text}</robot>`;
const read = async (text: string, more: Partial<RobotDescription> = {}) => ({
  ...(await buildRobot(await readUrdf(text, 'r.urdf'), new Map())),
  ...more,
});

const pose: Pose = { xyz: [0.01, -0.02, 0.03], quat_wxyz: [Math.cos(0.4), 0, 0, Math.sin(0.4)] };
const host = await read(urdf('arm', arm), { states: { home: { one: 1 } }, groups: { arm: ['one', 'two'] } });
const hand = await read(urdf('hand', gripper('')), {
  allowed: [['left', 'right', 'Never']],
  states: { home: { slide: 0.01 }, open: { slide: 0.04 } },
  groups: { fingers: ['slide'] },
});
/** Both in one file: the oracle. */
const joint = '<joint name="mount" type="fixed"><parent link="tool0"/><child link="h_root"/>';
const whole = await read(
  urdf('arm', `${arm}${gripper('h_')}${joint}<origin xyz="0.01 -0.02 0.03" rpy="0 0 0.8"/></joint>`),
);

const scene = (robot: RobotDescription): Scene => ({
  name: robot.name,
  robot: { packages: {}, fixed: {}, limits: {}, pose: IDENTITY_POSE, parts: 'hull' },
  goals: [],
  equivalent: false,
  obstacles: [
    {
      name: 'post',
      parts: [{ shape: { type: 'box', size: [0.1, 0.1, 0.6] } as const }],
      pose: { ...IDENTITY_POSE, xyz: [0.5, 0.02, 0.3] },
    },
  ],
  attached: [],
  allow: [],
  padding: 0,
});

test('a mounted robot moves, and is checked, as if both were one file', () => {
  const mounted = withMount(host, { robot: hand, link: 'tool0', pose, prefix: 'h_' });
  const [model, oracle] = [mounted, whole].map((robot) => createRobotModel(robot));
  expect(model.variables.map(({ name }) => name)).toEqual(['one', 'two', 'h_slide']);
  const [states, random] = [[new RobotState(model), new RobotState(oracle)], new Random(1)];
  // Pairs that only fixed joints connect: not checked in the mounted robot; here they are apart, or always in contact.
  const rigid = ['lower', 'flange'].map((link) => [link, 'h_palm'] as const);
  const allow = rigid.map(([a, b]) => [a, b] as const);
  const checker = new StateValidityChecker(model, scene(mounted));
  const expected = new StateValidityChecker(oracle, { ...scene(whole), allow: [...allow, ['h_left', 'h_right']] });
  const verdicts = [0, 0];
  for (let n = 0; n < 500; n++) {
    const q = Float64Array.of(random.between(-2, 2), random.between(-2, 2), random.between(-0.02, 0.04));
    for (const state of states) forwardKinematics(state, q);
    for (const [i, { name }] of oracle.links.entries()) {
      const own = states[0].T_world_link[model.links.findIndex((link) => link.name === name)];
      for (const [k, value] of states[1].T_world_link[i].entries())
        expect(Math.abs(own[k] - value)).toBeLessThan(1e-12);
    }
    expect(checker.isValid(q)).toBe(expected.isValid(q));
    expect(checker.clearance(q).distance).toBeCloseTo(expected.clearance(q).distance, 9);
    verdicts[Number(checker.isValid(q))]++;
  }
  expect(Math.min(...verdicts)).toBeGreaterThan(50);
  expect(
    robotAllowedPairs(mounted)
      .list()
      .filter(([, , reason]) => reason === 'Rigid'),
  ).toEqual([['lower', 'h_palm', 'Rigid']]);
});

test('the end of the robot is the default link; groups, states and allowed pairs have the prefix', () => {
  const mounted = withMount(host, { robot: hand, pose: IDENTITY_POSE, prefix: 'h_' });
  expect(mounted.joints.find(({ name }) => name === 'h_root_mount')).toMatchObject({
    parent: 'tool0',
    child: 'h_root',
  });
  expect(mounted).toMatchObject({
    name: 'arm',
    root: 'base',
    groups: { arm: ['one', 'two'], h_fingers: ['h_slide'] },
    states: { home: { one: 1, h_slide: 0.01 }, open: { h_slide: 0.04 } },
  });
  expect(mounted.allowed).toContainEqual(['h_left', 'h_right', 'Never']);
  expect(withMount(host, { robot: hand, pose: IDENTITY_POSE, prefix: 'h_' })).toBe(mounted);
  const both = withMount(mounted, { robot: hand, link: 'h_palm', pose, prefix: 'i_' });
  expect(robotAllowedPairs(both).has('i_palm', 'h_palm')).toBe(true);
  expect(robotAllowedPairs(both).has('i_palm', 'flange')).toBe(true);
  expect(robotAllowedPairs(both).has('i_palm', 'upper')).toBe(false);
  expect(robotAllowedPairs(both).has('i_left', 'h_palm')).toBe(false);
  const bare = { ...hand, links: hand.links.map((one) => (one.name === 'palm' ? { ...one, collisions: [] } : one)) };
  const adjacent = robotAllowedPairs(withMount(host, { robot: bare, pose, prefix: 'h_' }));
  expect(['lower', 'flange'].map((link) => adjacent.has(link, 'h_left'))).toEqual([false, true]);
});

test('unknown links, ambiguous ends and names that both have are refused', () => {
  const mount = { robot: hand, pose: IDENTITY_POSE, prefix: '' };
  expect(() => withMount(host, { ...mount, link: 'tol0' })).toThrow('"arm" has no link "tol0"');
  expect(() => withMount(hand, { ...mount, prefix: 'i_' })).toThrow('"hand" has several ends: left, right');
  expect(() => withMount(withMount(host, mount), mount)).toThrow('the robot has a link "root" already');
});
