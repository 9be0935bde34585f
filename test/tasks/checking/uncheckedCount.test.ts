import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import { armPairWarnings } from '../../../src/core/scene/uncheckedPairs.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { uncheckedPairs } from '../../../src/tasks/checking/uncheckedCount.ts';
import { withWiderLimits } from '../../../src/tasks/planning/startTolerance.ts';

const box = '<geometry><box size="0.1 0.1 0.1"/></geometry>';
const link = (name: string, parts = `<collision>${box}</collision>`) => `<link name="${name}">${parts}</link>`;
const joint = (parent: string, child: string, type = 'revolute') =>
  `<joint name="${parent}-${child}" type="${type}"><parent link="${parent}"/><child link="${child}"/><origin xyz="0.3 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>`;

/** Two arms of two links on a base, a frame without a body, and a cover with visual geometry only. */
async function twoArms(allowed: RobotDescription['allowed'] = []): Promise<RobotDescription> {
  const parts = [
    ...['base', 'l1', 'l2', 'r1', 'r2'].map((name) => link(name)),
    link('frame', ''),
    link('cover', `<visual>${box}</visual>`),
    ...[joint('base', 'l1'), joint('l1', 'l2'), joint('base', 'r1'), joint('r1', 'r2')],
    ...[joint('l2', 'frame', 'fixed'), joint('r1', 'cover', 'fixed')],
  ];
  const robot = await buildRobot(await readUrdf(`<robot name="r">${parts.join('')}</robot>`, 'r.urdf'), new Map());
  return { ...robot, allowed };
}

const object = (name: string) => ({ name, parts: [{ shape: { type: 'box', size: [1, 1, 1] } }], pose: IDENTITY_POSE });
const sceneOf = (more: Partial<Scene> = {}): Scene => ({
  name: 's',
  robot: { name: 'r', fixed: {}, limits: {}, pose: IDENTITY_POSE, parts: 'hull', packages: {} } as Scene['robot'],
  goals: [],
  equivalent: false,
  obstacles: [],
  attached: [],
  allow: [],
  padding: 0,
  ...more,
});

test('pairs are counted by reason, pairs of two obstacles and of frames are not', async () => {
  const robot = createRobotModel(
    await twoArms([
      ['l1', 'r1', 'Never'],
      ['l1', 'frame', 'Never'],
      ['base', 'l2', ''],
    ]),
  );
  const scene = sceneOf({
    obstacles: [object('table'), object('wall')],
    attached: [{ ...object('tool'), link: 'l2', touches: ['l1', 'table'] }],
    allow: [
      ['table', 'base'],
      ['table', 'wall'],
      ['base', 'l1'],
    ],
  });
  // The cover is without collision geometry beside five links, an attached object and two obstacles.
  const reasons = { Adjacent: 4, Never: 1, unstated: 1, attached: 1, touches: 2, allow: 1, 'no geometry': 8 };
  expect(uncheckedPairs(robot, scene)).toEqual({ pairs: 18, reasons });
});

test('a pair of a program counts once, whenever it is not checked', async () => {
  const robot = createRobotModel(await twoArms());
  const steps: Scene['steps'] = [
    { index: 0, kind: 'allow', pairs: [['part', 'table']] },
    { index: 1, kind: 'attach', object: 'part', link: 'l2', touches: ['l1'] },
    {
      index: 2,
      kind: 'forbid',
      pairs: [
        ['part', 'table'],
        ['part', 'l1'],
      ],
    },
    { index: 3, kind: 'detach', object: 'part' },
    { index: 4, kind: 'attach', object: 'part', link: 'l2', touches: ['l1'] },
  ];
  const scene = sceneOf({ obstacles: [object('table'), object('part')], steps });
  // Neither obstacle belongs to the robot when their pair is allowed; it does when the part is carried.
  expect(uncheckedPairs(robot, scene).reasons).toMatchObject({ Adjacent: 4, attached: 1, touches: 1, allow: 1 });
});

test('allowed links on two arms are named unless they never collide, by robot, scene and steps alike', async () => {
  const named = (robot: RobotDescription, scene = sceneOf(), planned = robot.joints.map(({ name }) => name)) =>
    armPairWarnings(robot, planned, scene).join();
  const allowed = await twoArms([
    ['r2', 'l2', 'Default'],
    ['l1', 'r2', 'Default'],
  ]);
  expect(named(allowed)).toContain('r2 and l2 (Default)');
  expect(named(allowed)).not.toContain('l1');
  expect(uncheckedPairs(createRobotModel(allowed), sceneOf()).on_arms).toEqual([['r2', 'l2']]);
  expect(named(await twoArms([['l2', 'r2', 'Never']]))).toBe('');
  expect(named(await twoArms(), sceneOf({ allow: [['l2', 'r2']] }))).toContain('l2 and r2 (allow)');
  const steps: Scene['steps'] = [{ index: 0, kind: 'allow', pairs: [['l2', 'r2']] }];
  expect(named(await twoArms(), sceneOf({ steps }))).toContain('l2 and r2 (allow)');
  // Joints that are not planned hold the links in place relative to each other.
  expect(named(allowed, sceneOf(), ['base-x'])).toBe('');
  expect(named(allowed, sceneOf(), ['base-r1'])).toContain('r2 and l2');
});

test('pairs that never collide within the limits of the file are counted apart where a joint between both leaves them', async () => {
  const description = await twoArms([
    ['l2', 'r2', 'Never'],
    ['base', 'l2', 'Never'],
    ['base', 'r2', 'Never'],
  ]);
  const count = (robot: RobotModel) => uncheckedPairs(robot, sceneOf()).reasons;
  const robot = createRobotModel(description);
  expect(count(robot)).toMatchObject({ Never: 3 });
  expect(count(withWiderLimits(robot, 0.01))).toMatchObject({ 'Never beyond limits': 3 });
  expect(uncheckedPairs(withWiderLimits(robot, 0.01), sceneOf()).on_arms).toEqual([['l2', 'r2']]);
  const joints = ['base-l1', 'l1-l2'];
  const kept = createRobotModel(description, { joints, fixed: { 'r1-r2': 1.5 } });
  expect(count(kept)).toMatchObject({ Never: 1, 'Never beyond limits': 2 });
  expect(count(createRobotModel(description, { joints, fixed: { 'r1-r2': 1 } }))).toMatchObject({ Never: 3 });
});
