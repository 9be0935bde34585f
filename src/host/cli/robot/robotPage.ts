import { createRobotModel } from '../../../core/kinematics/createRobotModel.ts';
import { robotDefaults } from '../../../formats/scenes/robots/robotReference.ts';
import type { PageData } from '../../../tasks/pictures/page.ts';
import { examineRobot } from '../../../tasks/robots/examineRobot.ts';
import { loadRobotSources } from '../../node/robotSources.ts';
import type { RobotFiles } from '../../node/robots.ts';
import { loadVisuals } from '../../node/visuals.ts';
import { restConfiguration } from '../configurationOption.ts';

/** Data of the page of a robot without a scene, and warnings about its files. */
export async function robotPage(
  nameOrPath: string,
  files: RobotFiles,
): Promise<{ readonly data: PageData; readonly warnings: readonly string[] }> {
  const sources = await loadRobotSources(nameOrPath, files);
  const { robot, urdfFile } = sources;
  const { visuals, warnings } = await loadVisuals(urdfFile.file, files);
  const findings = await examineRobot(sources);
  const scene = {
    name: robot.name,
    robot: { urdf: urdfFile.file, ...robotDefaults },
    start: 'home' in robot.states ? 'home' : [...restConfiguration(createRobotModel(robot))],
    goals: [],
    equivalent: false,
    obstacles: [],
    attached: [],
    allow: [],
    padding: 0,
  };
  const data: PageData = {
    format: 'elbowroom-page/1',
    title: robot.name,
    problem: { scene, robot },
    visuals,
    inspection: { findings },
  };
  return { data, warnings: [...robot.warnings, ...warnings] };
}
