import { assert, expect, test } from 'vitest';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import { buildRobot, readUrdf } from '../../src/formats/robots/urdf.ts';
import { improvementLine, summaryOf } from '../../src/host/cli/plan/planSummary.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import { comparison } from '../../src/tasks/reports/optimizedPlan.ts';
import { sceneOf } from '../helpers/robots.ts';

// The length of a path of a robot on a rail was printed in radians: `10.00 rad` for a slide of 10 m.

const joint = (name: string, type: string, parent: string, child: string) =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><axis xyz="1 0 0"/><limit lower="-1" upper="11" velocity="3" effort="1" acceleration="4"/></joint>`;
const box = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>';
const robotOf = async (first: string, second: string) => {
  const text = `<robot name="r"><link name="a"/><link name="b">${box}</link><link name="c"/>${joint('x', first, 'a', 'b')}${joint('y', second, 'b', 'c')}</robot>`;
  return buildRobot(await readUrdf(text, 'r.urdf'), new Map(), undefined);
};

test.each([
  ['prismatic', 'prismatic', '10.00 m,', 'm/s²'],
  ['revolute', 'revolute', '10.00 rad,', 'rad/s²'],
  ['prismatic', 'revolute', ' rad and m,', 'rad/s² or m/s²'],
])('lengths of a robot with %s and %s joints have their unit', async (first, second, length, acceleration) => {
  const robot = await robotOf(first, second);
  const model = createRobotModel(robot);
  const scene = {
    ...sceneOf([]),
    name: 'rail',
    equivalent: false,
    robot: { name: 'r' },
    start: [0, 0],
    goals: [{ kind: 'joints' as const, joints: [10, 0] }],
  };
  const result = planMotion({ scene, robot } as unknown as Parameters<typeof planMotion>[0]);
  assert.strictEqual(result.status, 'solved', result.reason);
  expect(summaryOf(result, model)).toContain(length);
  expect(improvementLine('rail', model, 2, 3)).toContain(`2.0000 ${length.replace(/^ |[\d.]+ |,/g, '')}`);
  const figures = { duration: 1, length: 1, clearance: 1, acceleration: 1 };
  expect(comparison(figures, figures, model)).toContain(acceleration);
});

test('the nearest valid state of a slide is metres away', async () => {
  const robot = await robotOf('prismatic', 'prismatic');
  const wall = {
    name: 'wall',
    parts: [{ shape: { type: 'box', size: [0.1, 1, 1] } }],
    pose: { xyz: [0, 0, 0] as const, quat_wxyz: [1, 0, 0, 0] as const },
  };
  const scene = {
    ...sceneOf([wall]),
    name: 'rail',
    equivalent: false,
    robot: { name: 'r' },
    start: [0, 0],
    goals: [{ kind: 'joints' as const, joints: [5, 0] }],
  };
  const { status, reason } = planMotion({ scene, robot } as unknown as Parameters<typeof planMotion>[0]);
  assert.strictEqual(status, 'start-in-collision');
  expect(reason).toMatch(/the nearest valid state found is 0\.1\d* m away/);
});
