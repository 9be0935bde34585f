import { expect, test } from 'vitest';
import { JointChains } from '../../../../src/core/collision/bounds/jointChains.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, RobotDescription } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';

const origin = { xyz: [0, 0, 0.3], quat_wxyz: [1, 0, 0, 0] } as const;
const sphere = { shape: { type: 'sphere', radius: 0.1 }, pose: origin, triangles: 0, source: 0 } as const;

/** A robot whose links hang on random earlier ones; some joints are fixed. */
function randomRobot(random: Random, count: number): RobotDescription {
  const links = Array.from({ length: count }, (_, i) => ({ name: `l${i}`, collisions: [sphere] }));
  const joints = links.slice(1).map(({ name }, i): JointDescription => {
    const parent = `l${random.next() < 0.7 ? i : Math.floor(random.next() * (i + 1))}`;
    const type = (['revolute', 'revolute', 'prismatic', 'fixed'] as const)[Math.floor(4 * random.next())];
    return { name: `to ${name}`, type, parent, child: name, origin, axis: [0, 1, 0], lower: -1, upper: 1, velocity: 1 };
  });
  return { name: 'random', root: 'l0', links, joints, allowed: [], states: {}, groups: {}, warnings: [] };
}

test('the chain of each pair has the moving joints of the path between its links, from A to B', () => {
  const random = new Random(5);
  for (let round = 0; round < 50; round++) {
    const robot = createRobotModel(randomRobot(random, 2 + Math.floor(25 * random.next())));
    const model = new CollisionModel(robot, { obstacles: [], attached: [], allow: [], padding: 0 });
    const chains = JointChains.of(model);
    const above = (link: number): number[] =>
      link <= 0 ? [] : [robot.links[link].joint, ...above(robot.links[link].parent)];
    for (let pair = 0; pair < model.pairCount; pair++) {
      const up = above(model.robotParts[model.pairA[pair]].link);
      const down = above(model.robotParts[model.pairB[pair]].link);
      const path = [...up.filter((j) => !down.includes(j)), ...down.filter((j) => !up.includes(j)).reverse()];
      const first = chains.start[chains.chainOfPair[pair]];
      const joints = [...chains.joint.subarray(first, first + chains.lengthOfPair[pair])];
      expect(joints).toEqual(path.filter((j) => robot.joints[j].variable >= 0));
      expect(chains.part[chains.chainOfPair[pair]]).toBe(model.pairA[pair]);
    }
  }
});

test('a chain of 500 links needs entries for each part and joint, not for each pair', () => {
  const links = Array.from({ length: 500 }, (_, i) => ({ name: `l${i}`, collisions: [sphere] }));
  const joints = links.slice(1).map(
    ({ name }, i): JointDescription => ({
      ...{ name: `to ${name}`, type: 'continuous', child: name, origin, axis: [0, 1, 0] },
      parent: `l${i < 249 || i > 249 ? i : 0}`, // two branches
    }),
  );
  const robot = { name: 'two arms', root: 'l0', links, joints, allowed: [], states: {}, groups: {}, warnings: [] };
  const scene = { obstacles: [], attached: [], allow: [], padding: 0 };
  const chains = JointChains.of(new CollisionModel(createRobotModel(robot), scene));
  expect(chains.joint.length).toBeLessThan(500 * 500);
});
