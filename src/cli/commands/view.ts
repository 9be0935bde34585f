import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readTrajectory } from '../../formats/trajectories/index.ts';
import { type LoadedScene, loadScene, readContent } from '../../node/files.ts';
import { builtInScenes } from '../../node/packageFolder.ts';
import { readPageTemplate } from '../../node/pageTemplate.ts';
import { loadSceneVisuals } from '../../node/visuals.ts';
import { ViewServer } from '../../service/viewServer.ts';
import { type PageData, pageWith } from '../../tasks/pictures/page.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { flag, integer } from '../options.ts';
import { sceneOperand } from '../sceneOperand.ts';

/** What `view` shows when nothing is named. */
const FIRST_SCENE = 'table-top';

export const view = defineCommand({
  summary: 'a page with the robot, the scene and the motion, judged live, that can plan',
  operands: [
    { ...sceneOperand, meaning: `${sceneOperand.meaning}; none: all of these`, optional: true },
    { name: 'TRAJECTORY', meaning: 'a motion to replay, in any format that plan writes', optional: true },
  ],
  options: {
    port: integer(0, 'port on 127.0.0.1; 0: any that is free', { least: 0 }),
    noOpen: flag('say where the page is, and open no browser'),
  },
  details: `The page keeps scene, seed, planner and ends in its address: whoever opens it plans the same motion, and sees the same hash.
Ctrl-C ends it.`,
  examples: [['elbowroom view scenes/shelf.yaml', 'drag joints and obstacles, plan, replay']],

  async run(io, [scenePath, trajectoryPath], { port, noOpen }) {
    const own = builtInScenes();
    const loaded = await loadScene(scenePath ?? own[FIRST_SCENE]);
    io.warn(loaded.warnings);
    const { data, warnings } = await pageDataOf(loaded);
    io.warn(warnings);
    const trajectory = trajectoryPath === undefined ? undefined : await readMotion(loaded, trajectoryPath);
    const page = pageWith(await readPageTemplate(), {
      ...data,
      ...(trajectory ? { trajectory } : {}),
      scenes: [...new Set([data.title, ...Object.keys(own)])],
    });
    const scene = async (name: string) =>
      Object.hasOwn(own, name) ? JSON.stringify((await pageDataOf(await loadScene(own[name]))).data) : undefined;
    const server = new ViewServer({ page, scene });
    const address = await server.listen(port);
    io.say(`${data.title}: ${address} (Ctrl-C ends it)`);
    if (!noOpen) openBrowser(address);
    await once(process, 'SIGTERM');
    await server.close();
    return ExitCode.Ok;
  },
});

async function pageDataOf(loaded: LoadedScene): Promise<{ data: PageData; warnings: readonly string[] }> {
  const { scene, robot } = loaded;
  const { visuals, warnings } = await loadSceneVisuals(loaded);
  return { data: { format: 'elbowroom-page/1', title: scene.name, problem: { scene, robot }, visuals }, warnings };
}

async function readMotion(loaded: LoadedScene, path: string) {
  const joints = createSceneRobot(loaded).variables.map((joint) => joint.name);
  return readTrajectory(await readContent(path), path, joints);
}

/** The system's own way to open an address. Where there is none, the person has the address on the screen. */
function openBrowser(address: string): void {
  const [command, ...before] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const child = spawn(command, [...before, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
