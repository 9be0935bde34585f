import { forwardKinematics, RobotState } from '../kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../kinematics/pose.ts';
import type { CheckedScene, Obstacle } from '../scene/scene.ts';
import type { SceneWorld } from './sceneWorld.ts';

/**
 * Returns the scene of a world for the planned robot alone: without what moves, and without pairs and touch links that
 * name it.
 */
export function stillScene<S extends CheckedScene>({ robot, scene }: SceneWorld<S>): S {
  const { others } = robot;
  if (others === undefined) return scene;
  const isKept = (name: string) => !others.has(name);
  return {
    ...scene,
    allow: scene.allow.filter((pair) => pair.every(isKept)),
    ...(scene.clearances && { clearances: scene.clearances.filter(({ a, b }) => isKept(a) && isKept(b)) }),
    attached: scene.attached.map((object) => ({ ...object, touches: object.touches.filter(isKept) })),
  };
}

/**
 * Returns a scene at one instant: moving obstacles and links of other robots are obstacles where they are then.
 * @param q joint values of the whole tree at that time; those of the planned robot have no effect
 */
export function snapshot<S extends CheckedScene>({ robot, scene }: SceneWorld<S>, q: Float64Array): S {
  if (robot.others === undefined) return scene;
  const state = new RobotState(robot);
  forwardKinematics(state, q);
  const described = new Map(robot.description.links.map((link) => [link.name, link]));
  const others = robot.links.flatMap(({ name, index }): Obstacle[] => {
    const collisions = robot.others!.has(name) ? described.get(name)!.collisions : [];
    if (collisions.length === 0) return [];
    const parts = collisions.map(({ shape, pose }) => ({ shape, at: pose }));
    return [{ name, pose: poseOfTransform(state.T_world_link[index]), parts }];
  });
  return { ...scene, obstacles: [...scene.obstacles, ...others] };
}
