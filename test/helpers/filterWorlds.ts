import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import type { Pose } from '../../src/core/kinematics/robotModel.ts';
import type { Random } from '../../src/core/math/random.ts';
import type { CollisionObject } from '../../src/core/scene/scene.ts';
import { randomObstacles, randomPose, randomRobot, randomShape, sceneOf } from './robots.ts';

const identity: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };

/** A random world: shapes of all types and sizes, half-spaces, sphere clouds, attached objects, padding, far places. */
export function randomWorld(random: Random): CollisionModel {
  const robot = randomRobot(random, 2 + Math.floor(5 * random.next()));
  const far = [0, 0, 0, 1e3, 1e7 / 4][Math.floor(5 * random.next())];
  const move = ({ xyz, quat_wxyz }: Pose): Pose => ({ xyz: [xyz[0] + far, xyz[1] - far, xyz[2]], quat_wxyz });
  const size = [1e-5, 0.1, 1, 1e3, 1e6][Math.floor(5 * random.next())];
  const obstacles: CollisionObject[] = [
    ...randomObstacles(random, 6, 2),
    { name: 'odd', parts: [{ shape: randomShape(random, size) }], pose: randomPose(random, 2 + size) },
    {
      name: 'wall',
      parts: [{ shape: { type: 'halfspace', normal: [random.next(), random.next() - 0.5, 1] } }],
      pose: randomPose(random, 1.5),
    },
    {
      name: 'board',
      parts: [{ shape: { type: 'box', size: [size, 0.4, 0.05], margin: random.next() < 0.5 ? 0 : 0.02 } }],
      pose: randomPose(random, 1.5),
    },
  ].map((object) => ({ ...object, pose: move(object.pose) }));
  const attached =
    random.next() < 0.5
      ? []
      : [
          {
            name: 'tool',
            parts: [{ shape: randomShape(random, 0.2) }],
            pose: randomPose(random, 0.3),
            link: robot.links.at(-1)!.name,
            touches: [],
          },
        ];
  const scene = sceneOf(obstacles, { attached, padding: random.next() < 0.5 ? 0 : 0.01 * random.next() });
  return new CollisionModel(createRobotModel(robot, { pose: move(identity) }), scene);
}
