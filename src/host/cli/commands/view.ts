import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { OtherRobot } from '../../../core/scene/movingScene.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError, nearestName } from '../../../errors.ts';
import { isRobotFileName } from '../../../formats/robots/index.ts';
import { readTrajectory } from '../../../formats/trajectories/index.ts';
import {
  type ComparedMotion,
  type PageData,
  pageWith,
  type SceneSource,
  withMotions,
} from '../../../tasks/pictures/page.ts';
import { requireReplayable } from '../../../tasks/pictures/replay.ts';
import { completeMotion } from '../../../tasks/programs/completeProgram.ts';
import { motionOfMoves } from '../../../tasks/programs/moves/motionOfMoves.ts';
import { createSceneRobot, otherRobotModel } from '../../../tasks/sceneRobot.ts';
import { World } from '../../../tasks/world.ts';
import { type LoadedScene, loadScene, readContent, readText } from '../../node/files.ts';
import { builtInScenes } from '../../node/packageFolder.ts';
import { readPageTemplate } from '../../node/pageTemplate.ts';
import { builtInRobots } from '../../node/robots.ts';
import { loadSceneVisuals } from '../../node/visuals.ts';
import { SceneEditor } from '../../service/editing/sceneEditor.ts';
import { type ViewContent, ViewServer } from '../../service/viewServer.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag, integer, robotOptions } from '../options.ts';
import { robotPage } from '../robot/robotPage.ts';
import { readMoves } from '../sceneMotion.ts';
import { sceneOperand } from '../sceneOperand.ts';

/** Scene that is shown if none is given. */
const DEFAULT_SCENE = 'table-top';

/** How the page is served. */
interface ServeOptions {
  readonly port: number;
  readonly noOpen: boolean;
}

/** Values of the options that concern a robot without a scene. */
interface RobotFileOptions {
  readonly srdf: string | undefined;
  readonly limits: string | undefined;
  readonly calibration: string | undefined;
  readonly package: Readonly<Record<string, string>>;
  readonly arg: Readonly<Record<string, string>>;
}

/** Options that concern a robot without a scene. */
const { srdf, limits, calibration, package: packages, arg } = robotOptions;

export const view = defineCommand({
  summary: 'viewer: a page with robot, scene and motion, with live collision checks and planning',
  operands: [
    {
      ...sceneOperand,
      meaning: `${sceneOperand.meaning}; default: all bundled scenes. Or a robot: a built-in name, or its file`,
      optional: true,
    },
    {
      name: 'TRAJECTORY',
      meaning: 'trajectory or UR program to replay, in any format that plan writes; several are compared',
      optional: true,
      many: true,
    },
  ],
  options: {
    port: integer(0, 'port on 127.0.0.1; 0: any free port', { min: 0 }),
    write: flag('let the page save the opened scene into its file'),
    noOpen: flag('print the address of the page, but open no browser'),
    playground: flag('no scene: two planar shapes to drag, and the iterations of GJK and growth distance'),
    srdf,
    limits,
    calibration,
    package: packages,
    arg,
  },
  details: `The address of the page contains scene, seed, planner, start and goal, so that a copied address reproduces
the motion and its hash.

A robot is shown without a scene: joints, frames, collision and visual geometry, limits, pairs of links that may touch,
and what --doctor of the command robot finds.

Ctrl-C stops the server.`,
  examples: [
    ['elbowroom view scenes/shelf.yaml', 'drag joints and obstacles, plan, replay'],
    ['elbowroom view scenes/shelf.yaml a.json b.json', 'compare two motions of the scene'],
    ['elbowroom view --playground', 'GJK and growth distance, step by step'],
    ['elbowroom view arm.urdf', 'a robot without a scene: joints, limits, diagnostics'],
  ],

  async run(io, [scenePath, ...paths], { port, noOpen, write, playground, ...given }) {
    if (playground) {
      if (scenePath !== undefined || write)
        throw new InputError('the playground has no scene', 'Give no SCENE, no --write.');
      requireNoFiles(given);
      return servePlayground(io, { port, noOpen });
    }
    const own = builtInScenes();
    if (scenePath !== undefined && isRobot(scenePath, own)) {
      if (paths[0] !== undefined || write)
        throw new InputError(`${scenePath}: a robot has no ${write ? 'file to write' : 'trajectory'}`, 'Give a scene.');
      return serveRobot(io, scenePath, given, { port, noOpen });
    }
    requireNoFiles(given);
    const motionPaths = paths.filter((one) => one !== undefined);
    const open = () => openScene(io, scenePath ?? own[DEFAULT_SCENE], motionPaths);
    const first = await open();
    const { loaded, data } = first;
    const isBundled = Object.values(own).some(
      (file) => existsSync(loaded.file) && realpathSync(file) === realpathSync(loaded.file),
    );
    if (write && (isBundled || loaded.suite !== undefined))
      throw new InputError(
        `${loaded.file}: ${isBundled ? 'a scene of the package' : 'a suite'} is not written`,
        'Copy the scene into a file of its own, and open that.',
      );
    const files = { ...own, ...(loaded.suite === undefined ? { [data.title]: loaded.file } : {}) };
    const editor = new SceneEditor(files, write ? data.title : undefined, (one) => withPlacedRobots(one).scene);
    const source = loaded.suite === undefined ? await editor.sourceOf(data.title) : undefined;
    if (write && !source)
      throw new InputError(`${loaded.file}: its text cannot be edited`, 'It must be a file with one scene.');
    const template = await readPageTemplate();
    const pageOf = ({ data, motions }: typeof first, source: SceneSource | undefined) =>
      pageWith(template, {
        ...data,
        ...withMotions(motions),
        ...(source ? { source } : {}),
        scenes: [...new Set([data.title, ...Object.keys(own)])],
      });
    let shown = { text: source?.text, page: pageOf(first, source) };
    // The page of a scene that was edited or saved since shows the file as it is now.
    const freshPage = async () => {
      const text = await readText(loaded.file);
      if (text === shown.text) return shown.page;
      const again = await open();
      const now = await editor.sourceOf(again.data.title);
      shown = { text: now?.text, page: pageOf(again, now) };
      return shown.page;
    };
    const scene = async (name: string) => {
      if (!Object.hasOwn(own, name)) return undefined;
      const { data } = await pageDataOf(await loadScene(own[name]));
      const text = files[name] === own[name] ? await editor.sourceOf(name) : undefined;
      return JSON.stringify({ ...data, ...(text ? { source: text } : {}) });
    };
    const [edit, save] = [(one: unknown) => editor.edit(one), (one: unknown) => editor.save(one)];
    const posts = { '/edit': edit, '/save': save };
    return serve(io, data.title, { page: source ? freshPage : shown.page, scene, posts }, { port, noOpen });
  },
});

/** Loads a scene and its motions for the page. */
async function openScene(io: Io, scenePath: string, paths: readonly string[]) {
  const loaded = await loadScene(scenePath);
  io.warn(loaded.warnings);
  const { data, warnings } = await pageDataOf(loaded);
  io.warn(warnings);
  const motions: ComparedMotion[] = [];
  for (const path of paths) motions.push({ label: basename(path), trajectory: await readMotion(io, loaded, path) });
  return { loaded, data, motions };
}

/** Serves the page of a robot without a scene. */
async function serveRobot(
  io: Io,
  robot: string,
  { srdf, limits, calibration, package: packages, arg: args }: RobotFileOptions,
  options: ServeOptions,
): Promise<ExitCode> {
  const { data, warnings } = await robotPage(robot, {
    packages,
    args,
    limits,
    calibration,
    ...(srdf === undefined ? {} : { srdf }),
  });
  io.warn(warnings);
  const page = pageWith(await readPageTemplate(), data);
  return serve(io, data.title, { page, scene: async () => undefined }, options);
}

/** Serves a page until a signal stops the process. */
async function serve(io: Io, title: string, content: ViewContent, { port, noOpen }: ServeOptions): Promise<ExitCode> {
  const server = new ViewServer(content);
  const address = await server.listen(port);
  io.say(`${title}: ${address} (press Ctrl-C to stop)`);
  if (!noOpen) openBrowser(address);
  await once(process, 'SIGTERM');
  await server.close();
  return ExitCode.Ok;
}

/** Serves the page that steps through the algorithms of the narrow phase. */
async function servePlayground(io: Io, options: ServeOptions): Promise<ExitCode> {
  const page = await readPageTemplate('playground');
  return serve(io, 'playground', { page, scene: async () => undefined }, options);
}

/** Returns whether an operand is the file of a robot, or closer to the name of a built-in robot than of a scene. */
function isRobot(operand: string, scenes: Readonly<Record<string, string>>): boolean {
  if (isRobotFileName(operand)) return true;
  if (Object.hasOwn(scenes, operand) || existsSync(operand) || !/^[\w-]+$/.test(operand)) return false;
  const robots = builtInRobots();
  return robots.includes(nearestName(operand, [...robots, ...Object.keys(scenes)]) ?? '');
}

/** Throws `InputError` for options of a robot: a scene states its robot itself. */
function requireNoFiles(files: RobotFileOptions): void {
  const given = Object.entries(files).find(
    ([, value]) => value !== undefined && Object.keys(value as object).length > 0,
  );
  if (given) throw new InputError(`--${given[0]} needs a robot`, 'A scene states the files of its robot itself.');
}

async function pageDataOf(loaded: LoadedScene): Promise<{ data: PageData; warnings: readonly string[] }> {
  const { robot } = loaded;
  const { scene, unplaced } = withPlacedRobots(loaded.scene);
  const { visuals, warnings } = await loadSceneVisuals(loaded);
  const data: PageData = { format: 'elbowroom-page/1', title: scene.name, problem: { scene, robot }, visuals };
  const notes = unplaced.map((name) => `robot "${name}" has no trajectory: it is shown with its joints at 0`);
  return { data, warnings: [...warnings, ...notes] };
}

/** Returns a scene in which joints of robots without trajectory and state are at 0, or at the limit nearest to it. */
function withPlacedRobots(scene: Scene): { readonly scene: Scene; readonly unplaced: readonly string[] } {
  const { robots } = scene;
  if (robots === undefined) return { scene, unplaced: [] };
  const unplaced = robots.filter(({ trajectory, q }) => trajectory === undefined && q === undefined);
  const placed = robots.map((other): OtherRobot => {
    if (!unplaced.includes(other)) return other;
    const { variables } = otherRobotModel(other);
    return { ...other, q: variables.map(({ limits }) => Math.min(limits.upper, Math.max(limits.lower, 0))) };
  });
  return { scene: { ...scene, robots: placed }, unplaced: unplaced.map(({ name }) => name) };
}

async function readMotion(io: Io, loaded: LoadedScene, path: string) {
  const model = createSceneRobot(loaded);
  const { scene } = loaded;
  const program = await readMoves(path, model, scene);
  const { trajectory, open } = program
    ? motionOfMoves(new World(model, scene), program, path)
    : { ...completeMotion(await readTrajectory(await readContent(path), path, model), model, scene, path), open: [] };
  for (const what of open) io.say(`${path}: one of several motions is shown: ${what}`);
  requireReplayable(model, scene, trajectory, path);
  return trajectory;
}

/** Opens the address in the default browser. Failures are ignored, since the address is on stderr. */
function openBrowser(address: string): void {
  const [command, ...before] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const child = spawn(command, [...before, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
