import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { loadProblems } from '../src/host/node/files.ts';
import { createSceneRobot } from '../src/tasks/sceneRobot.ts';

const folder = '../shared/data/problems';

/**
 * The MotionBenchMaker suites, where they are present: problems with free ends, and the length of a reference path for
 * each.
 */
export async function sharedSuites() {
  const names = ['mbm-ur5', 'mbm-panda'].filter((name) => existsSync(`${folder}/${name}/reference.json`));
  return Promise.all(
    names.map(async (name) => {
      const reference: Record<string, Record<string, unknown>> = JSON.parse(
        readFileSync(`${folder}/${name}/reference.json`, 'utf8'),
      );
      const problems = [];
      for (const file of readdirSync(`${folder}/${name}`).sort()) {
        if (file === 'reference.json') continue;
        for (const loaded of await loadProblems(`${folder}/${name}/${file}`)) {
          const length = reference[loaded.scene.name]?.['simplified_path_length_rad'];
          problems.push({
            name: loaded.scene.name,
            scene: loaded.scene,
            robot: createSceneRobot(loaded),
            reference: typeof length === 'number' ? length : undefined,
          });
        }
      }
      return { name, problems };
    }),
  );
}
