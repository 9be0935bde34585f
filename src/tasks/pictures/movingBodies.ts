import type { Scene } from '../../core/scene/scene.ts';
import type { PictureBody } from '../../formats/picture/picture.ts';
import type { World } from '../world.ts';
import { partsOf } from './placing.ts';

/** Moving obstacles and links of other robots over the time of a scene, for pictures. */
export interface MovingBodies {
  /** The scene without moving obstacles and other robots. */
  readonly still: Scene;
  /** Returns their poses at a time, seconds: of objects with a motion, and of robots without a trajectory. */
  readonly at: (time: number) => { readonly moving: PictureBody[]; readonly resting: PictureBody[] };
}

/** Separates the moving obstacles and other robots from the static part of a world. */
export function movingBodiesOf(world: World): MovingBodies {
  const { scene } = world;
  const resting = new Set((scene.robots ?? []).flatMap(({ name, trajectory }) => (trajectory ? [] : [name])));
  const robotNames = (scene.robots ?? []).map(({ name }) => name);
  return {
    still: world.tree.scene,
    at(time) {
      const bodies = world.at(time).scene.obstacles.slice(world.tree.scene.obstacles.length);
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
