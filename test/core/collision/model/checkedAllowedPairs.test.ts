import { expect, test } from 'vitest';
import { certifiedParts, checkedPairs } from '../../../../src/core/certificate/convexParts.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { buildRobot, readUrdf } from '../../../../src/formats/robots/urdf.ts';

test('no model and no verifier accepts a clearance of a link without collision geometry', async () => {
  const text = `<robot name="r"><link name="a"/><link name="b"><collision><geometry><sphere radius="0.1"/></geometry>
    </collision></link><link name="tip"/>
    <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
    <joint name="f" type="fixed"><parent link="b"/><child link="tip"/></joint></robot>`;
  const robot = createRobotModel(await buildRobot(await readUrdf(text, 'r.urdf'), new Map()));
  const pose = { xyz: [1, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
  const table = { name: 'table', pose, parts: [{ shape: { type: 'box', size: [0.1, 0.1, 0.1] } }] };
  const sceneOf = (link: string) => ({
    obstacles: [table],
    attached: [],
    allow: [],
    padding: 0,
    clearances: [{ a: link, b: 'table', distance: 2 }],
  });
  const b = sceneOf('b');
  expect(new CollisionModel(robot, b).pairCount).toBe(2); // one of them enlarged
  expect(checkedPairs(robot, b, certifiedParts(robot, b))).toHaveLength(1);
  for (const link of ['tip', 'a']) {
    expect(() => new CollisionModel(robot, sceneOf(link))).toThrow(/: link ".*" has no collision geometry/);
    expect(() => certifiedParts(robot, sceneOf(link))).toThrow(/no such pair/);
  }
});
