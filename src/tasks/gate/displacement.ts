import { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import { tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { transformPoint } from '../../core/math/transform.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { type SceneWorld, stillScene } from '../../core/world/sceneWorld.ts';
import { isRegion } from './trackedRegions.ts';

/**
 * Returns an upper bound on the displacement of any point of the arm, and of the frames that regions constrain,
 * between two states, metres.
 */
export function displacement(world: SceneWorld<Scene>, from: Configuration, to: ArrayLike<number>): number {
  const { planned: robot, given } = world;
  const [a, b] = [from, to].map((q) => {
    const state = new RobotState(robot);
    forwardKinematics(state, Float64Array.from(q));
    return state.T_world_link;
  });
  let most = 0;
  const attached = given.attached.map((object) => ({ ...object, touches: [] }));
  const alone = { ...stillScene(world), obstacles: [], allow: [], clearances: [], attached };
  const frames = (alone.constraints ?? []).filter(isRegion).map(({ frame }) => {
    const { link, T_link_frame: T } = tcpOf(robot, frame ?? alone.tcp);
    return { link, center: [T[3], T[7], T[11], 1], radius: 0 };
  });
  const parts = new CollisionModel(robot, alone).robotParts.map(({ link, T_link_part, shape }) => {
    const center = new Float64Array(3); // that of the sphere, which hulls have far from the origin of their frame
    transformPoint(center, T_link_part, shape.center);
    return { link, center: [...center, 1], radius: shape.outerRadius };
  });
  for (const { link, center, radius } of [...parts, ...frames]) {
    let [shift, turn] = [0, 0];
    for (let row = 0; row < 12; row += 4) {
      let sum = 0;
      for (let k = 0; k < 4; k++) {
        const d = a[link][row + k] - b[link][row + k];
        sum += d * center[k];
        if (k < 3) turn += d * d;
      }
      shift += sum * sum;
    }
    most = Math.max(most, Math.sqrt(shift) + Math.sqrt(turn) * radius);
  }
  return most;
}
