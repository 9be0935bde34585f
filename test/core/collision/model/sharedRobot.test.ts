import { expect, test } from 'vitest';
import { JointChains } from '../../../../src/core/collision/bounds/jointChains.ts';
import { FilterTables } from '../../../../src/core/collision/filter/filterTables.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { CheckedScene } from '../../../../src/core/scene/scene.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { uncheckedPairs } from '../../../../src/tasks/checking/uncheckedCount.ts';
import { randomPose } from '../../../helpers/robots.ts';

/** All that checks of a robot in a scene are prepared with. */
function preparedFor(robot: RobotModel, scene: CheckedScene) {
  const model = new CollisionModel(robot, scene);
  const { posed, padding } = new CollisionManager(model);
  const { image, open, size } = new FilterTables(posed, padding);
  const { spheres, maxAxisDistance, joint, chainOfPair, lengthOfPair } = JointChains.of(model);
  return {
    ...{
      pairA: model.pairA,
      pairB: model.pairB,
      allowed: model.allowed.list(),
      image: Buffer.from(image).toString('hex'),
    },
    ...{ open, size, spheres, maxAxisDistance, joint, chainOfPair, lengthOfPair },
    unchecked: uncheckedPairs(robot, scene),
  };
}

test('a scene is prepared alike with a new robot and with one that other scenes have used', async () => {
  const description = await loadRobot('ur5e');
  const shared = createRobotModel(description);
  const random = new Random(5);
  for (let i = 0; i < 24; i++) {
    const obstacles = Array.from({ length: random.below(5) }, (_, k) => ({
      ...{ name: `box ${k}`, pose: randomPose(random, 1) },
      parts: [{ shape: { type: 'box', size: [0.1, 0.2, 0.3] } }],
    }));
    const touches = random.below(2) === 0 ? ['forearm_link'] : [];
    const part = { shape: { type: 'sphere', radius: random.between(0.01, 0.1) } };
    const held = { name: 'part', link: 'wrist_3_link', touches, pose: randomPose(random, 0.1), parts: [part] };
    const names = ['upper_arm_link', 'wrist_2_link', ...obstacles.map(({ name }) => name)];
    const scene: CheckedScene = {
      ...{ obstacles, attached: random.below(3) === 0 ? [held] : [] },
      allow: random.below(3) === 0 ? [['wrist_3_link', names[random.below(names.length)]]] : [],
      padding: random.below(2) === 0 ? 0 : 0.01,
      clearances: random.below(3) === 0 ? [{ a: 'forearm_link', b: 'wrist_3_link', distance: 0.02 }] : [],
    };
    const own = createRobotModel(structuredClone(description));
    expect(preparedFor(shared, scene), `scene ${i}`).toEqual(preparedFor(own, scene));
  }
});

test('a pair that is removed from a robot in place is checked by the next model', async () => {
  const description = structuredClone(await loadRobot('ur5e'));
  const scene = { obstacles: [], attached: [], allow: [], padding: 0 };
  const allowed = () => new CollisionModel(createRobotModel(description), scene).allowed;
  const pairs = description.allowed as unknown as [string, string, string][];
  pairs.push(['shoulder_link', 'wrist_3_link', 'stated here']);
  expect(allowed().has('shoulder_link', 'wrist_3_link')).toBe(true);
  pairs.pop();
  expect(allowed().has('shoulder_link', 'wrist_3_link')).toBe(false);
});
