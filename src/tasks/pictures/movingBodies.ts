import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { hasMoving } from '../../core/scene/movingScene.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { createSceneWorld } from '../../core/world/sceneWorld.ts';
import { snapshot } from '../../core/world/snapshot.ts';
import type { PictureBody } from '../../formats/picture/picture.ts';
import { sourcePositions } from '../checking/worldMotions.ts';
import { partsOf } from './placing.ts';

/** Moving obstacles and links of other robots over the time of a scene, for pictures. */
export interface MovingBodies {
  /** The scene without moving obstacles and other robots. */
  readonly still: Scene;
  /** Returns their poses at a time, seconds: of objects with a motion, and of robots without a trajectory. */
  readonly at: (time: number) => { readonly moving: PictureBody[]; readonly resting: PictureBody[] };
}

/** Separates the moving obstacles and other robots from the static part of a scene. */
export function movingBodiesOf(robot: RobotModel, scene: Scene): MovingBodies {
  if (!hasMoving(scene)) return { still: scene, at: () => ({ moving: [], resting: [] }) };
  const world = createSceneWorld(robot, scene);
  const setSources = sourcePositions(world);
  const q = new Float64Array(world.robot.dof);
  const resting = new Set((scene.robots ?? []).flatMap(({ name, trajectory }) => (trajectory ? [] : [name])));
  const robotNames = (scene.robots ?? []).map(({ name }) => name);
  return {
    still: world.scene,
    at(time) {
      setSources(q, robot.dof, time);
      const bodies = snapshot(world, q).obstacles.slice(world.scene.obstacles.length);
      const drawn = bodies.map((body): PictureBody & { readonly family: string } => {
        const family = robotNames.find((name) => body.name.startsWith(`${name}/`)) ?? body.name;
        return { name: body.name, kind: 'obstacle', parts: partsOf(body), family };
      });
      return {
        moving: drawn.filter(({ family }) => !resting.has(family)),
        resting: drawn.filter(({ family }) => resting.has(family)),
      };
    },
  };
}
