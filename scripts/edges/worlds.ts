import { existsSync, readdirSync } from 'node:fs';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { RobotJointSpace } from '../../src/core/collision/validators/robotJointSpace.ts';
import type { RobotDescription, RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { hasMoving } from '../../src/core/scene/movingScene.ts';
import type { Scene } from '../../src/core/scene/scene.ts';
import { loadProblems, loadRobot } from '../../src/host/node/files.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';

/** One scene, or one problem of a suite. */
export interface World {
  readonly name: string;
  readonly scene: Scene;
  readonly robot: RobotModel;
  readonly model: CollisionModel;
  readonly space: RobotJointSpace;
}

/** What a run found: lines for people, and a line for each thing that should not be. */
export interface Findings {
  readonly lines: readonly string[];
  readonly wrong: readonly string[];
}

const FOLDERS = [
  'scenes',
  ...['ur5e-own', 'features', 'states-only', 'mbm-ur5', 'mbm-panda'].map((name) => `../shared/data/problems/${name}`),
];

/** All scenes at rest that come with the project, and the shared ones where they are present. */
export async function loadWorlds(): Promise<World[]> {
  const worlds: World[] = [];
  for (const folder of FOLDERS.filter((one) => existsSync(one))) {
    for (const file of readdirSync(folder).sort()) {
      if (!/\.(yaml|json)$/.test(file) || file === 'reference.json') continue;
      for (const problem of await loadProblems(`${folder}/${file}`))
        if (!hasMoving(problem.scene)) worlds.push(worldOf(problem));
    }
  }
  return worlds;
}

/** The robots that come with the project, and the shared ones where they are present. */
export async function loadRobots(): Promise<RobotDescription[]> {
  const bundled = readdirSync('robots').filter((name) => existsSync(`robots/${name}/${name}.urdf`));
  const shared = ['kinova_gen3', 'mbm_ur5', 'mbm_panda'].flatMap((name) => {
    const folder = `../shared/data/robots/${name}`;
    const urdf = existsSync(folder) ? readdirSync(folder).find((file) => file.endsWith('.urdf')) : undefined;
    return urdf === undefined ? [] : [`${folder}/${urdf}`];
  });
  return Promise.all([...bundled, ...shared].map((name) => loadRobot(name)));
}

function worldOf(problem: Awaited<ReturnType<typeof loadProblems>>[number]): World {
  const { scene, suite, file } = problem;
  const robot = createSceneRobot(problem);
  const model = new CollisionModel(robot, scene);
  const name = suite === undefined ? file : `${file}#${scene.name}`;
  return { name, scene, robot, model, space: new RobotJointSpace(robot) };
}

/** How many of `count` fall to world i of n: as equally as can be, the first ones first. */
export const shareOf = (count: number, i: number, n: number): number => Math.floor((count + n - 1 - i) / n);
