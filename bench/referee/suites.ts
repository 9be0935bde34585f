import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { hasMoving } from '../../src/core/scene/movingScene.ts';
import { InputError } from '../../src/errors.ts';
import { type LoadedScene, loadProblems } from '../../src/host/node/files.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';

/** Environment variables: folders with suites, separated by the path delimiter; the number of problems of each. */
const FOLDERS = 'REFEREE_SUITES';
const LIMIT = 'REFEREE_PROBLEMS';

/**
 * Loads the suites of the folders that the environment variable REFEREE_SUITES lists: problems with a goal in which
 * nothing else moves, REFEREE_PROBLEMS of each folder (default 30), evenly spaced.
 */
export async function loadedSuites() {
  const folders = (process.env[FOLDERS] ?? '').split(path.delimiter).filter(Boolean);
  if (folders.length === 0)
    throw new InputError(`${FOLDERS} names no folder`, `Write ${FOLDERS}=DIR npm run bench -- referee:suites.`);
  const most = Number(process.env[LIMIT] ?? 30);
  return Promise.all(
    folders.map(async (folder) => {
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        throw new InputError(`${FOLDERS}: ${folder} is not a folder`);
      const problems: LoadedScene[] = [];
      for (const file of readdirSync(folder)
        .filter((name) => /\.(yaml|json)$/.test(name) && name !== 'reference.json')
        .sort()) {
        for (const loaded of await loadProblems(path.join(folder, file))) {
          const { scene } = loaded;
          if (scene.steps !== undefined || hasMoving(scene) || scene.goals.length === 0) continue;
          problems.push(loaded);
        }
      }
      const stride = Math.max(1, problems.length / most);
      const chosen = Array.from(
        { length: Math.min(most, problems.length) },
        (_, i) => problems[Math.floor(i * stride)],
      );
      return {
        name: path.basename(folder),
        problems: chosen.map((loaded) => ({
          name: loaded.scene.name,
          scene: loaded.scene,
          robot: createSceneRobot(loaded),
        })),
      };
    }),
  );
}
