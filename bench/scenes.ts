import { existsSync, readdirSync } from 'node:fs';
import { hasMoving } from '../src/core/scene/movingScene.ts';
import { loadScene } from '../src/host/node/files.ts';
import { createSceneRobot } from '../src/tasks/sceneRobot.ts';

/**
 * The bundled scenes with a goal in which nothing else moves, and the shared UR5e ones where they are present, with
 * their robots.
 */
export async function bundledScenes() {
  const folders = ['scenes', '../shared/data/problems/ur5e-own'].filter((folder) => existsSync(folder));
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => /\.(yaml|json)$/.test(file))
      .sort()
      .map((file) => `${folder}/${file}`),
  );
  const scenes = await Promise.all(
    files.map(async (file) => {
      const loaded = await loadScene(file);
      return {
        name: `${file.startsWith('..') ? 'shared ' : ''}${loaded.scene.name}`,
        scene: loaded.scene,
        robot: createSceneRobot(loaded),
      };
    }),
  );
  return scenes.filter(({ scene }) => scene.steps === undefined && !hasMoving(scene) && scene.goals.length > 0);
}
