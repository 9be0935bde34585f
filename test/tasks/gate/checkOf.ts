import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { description } from '../../core/world/randomScenes.ts';

/** Checks a trajectory of the arm of spheres in a scene in which nothing moves. */
export function checkTrajectoryOf(scene: Scene, trajectory: Trajectory) {
  const robot = createSceneRobot({ scene, robot: description });
  return createTrajectoryChecker(robot, new CollisionManager(new CollisionModel(robot, scene)))(trajectory);
}
