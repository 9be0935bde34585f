import type { CollisionManager } from '../../../core/collision/states/collisionManager.ts';
import type { SceneWorld } from '../../../core/world/sceneWorld.ts';
import { sourcePositions } from '../../checking/worldMotions.ts';

/**
 * Returns the function that checks whether a state of the planned robot is collision-free at a time of the scene,
 * seconds.
 * @param manager manager of the whole tree of the world
 */
export function timedStates(world: SceneWorld, manager: CollisionManager): (q: Float64Array, t: number) => boolean {
  const whole = new Float64Array(world.robot.dof);
  const setSources = sourcePositions(world);
  return (q, t) => {
    whole.set(q);
    setSources(whole, q.length, t);
    return manager.isCollisionFree(whole);
  };
}
