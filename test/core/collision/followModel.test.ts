import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { CollisionObject } from '../../../src/core/scene/scene.ts';
import { randomObstacles, randomPose, randomRobot, sceneOf } from '../../helpers/robots.ts';

/** All that checks read of obstacles, with the order of the box tree. */
function stateOf({ model, posed, padding }: CollisionManager): unknown {
  const robotParts = model.robotParts.length;
  posed.tree?.query(robotParts, 3);
  return {
    padding,
    extent: model.obstacleExtent,
    modelPoses: model.obstacleParts.map(({ T_world_part }) => [...T_world_part]),
    poses: posed.T_world_part.slice(robotParts).map((T) => [...T]),
    boxes: [...posed.boxes.subarray(6 * robotParts)],
    found: posed.tree ? [...posed.tree.found.subarray(0, posed.tree.count)] : [],
    moved: posed.maxMovedExtent,
  };
}

test.each([
  [1, 10],
  [2, 60],
])('a manager that follows its model is as a new one of a new model (seed %i, %i obstacles)', (seed, count) => {
  const random = new Random(seed);
  const robot = createRobotModel(randomRobot(random, 4));
  const obstacles: CollisionObject[] = randomObstacles(random, count, 2);
  const model = new CollisionModel(robot, sceneOf(obstacles));
  const manager = new CollisionManager(model);
  const different: number[] = [];
  const moved = new Set<number>();
  for (let round = 0; round < 60; round++) {
    const index = random.below(count);
    const reach = random.below(6) === 0 ? 1e5 : 2; // poses far away are rounded
    obstacles[index] = { ...obstacles[index], pose: randomPose(random, reach) };
    model.replaceScene(sceneOf([...obstacles]), new Set([index]));
    moved.add(index);
    if (random.below(3) === 0) continue;
    manager.followModel(moved);
    moved.clear();
    const fresh = new CollisionManager(new CollisionModel(robot, sceneOf(obstacles)));
    if (JSON.stringify(stateOf(manager)) !== JSON.stringify(stateOf(fresh))) different.push(round);
  }
  expect(different).toEqual([]);
});
