import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import type { MoveProgram } from '../../core/scene/moves/moveProgram.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { restsBefore } from '../../core/trajectory/leadIn/leadIn.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { readTrajectory } from '../../formats/trajectories/index.ts';
import type { MoveExecution } from '../../formats/trajectories/urscriptReader.ts';
import { isScript, moveExecutionsOf, moveProgramOf } from '../../tasks/checking/moves/readMoveProgram.ts';
import { completeMotion } from '../../tasks/programs/completeProgram.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import { readContent } from '../node/readFiles.ts';
import { type LoadedScene, loadScene, type SceneOptions } from '../node/scenes.ts';
import type { Io } from './io.ts';

/** Loads a scene, and creates the model of its robot. */
export async function loadModel(
  path: string,
  options?: SceneOptions,
): Promise<LoadedScene & { readonly model: RobotModel }> {
  const loaded = await loadScene(path, options);
  return { ...loaded, model: createSceneRobot(loaded) };
}

/**
 * Reads a motion as its controller executes it (`completeMotion`); notes about that go to stderr.
 * @param known the motion, if it has been read
 */
export async function readMotion(
  io: Io,
  file: string,
  model: RobotModel,
  scene: Scene,
  known?: Trajectory,
): Promise<Trajectory> {
  const read = known ?? (await readTrajectory(await readContent(file), file, model));
  const { trajectory, notes } = completeMotion(read, model, scene, file);
  for (const note of notes) io.say(note);
  return trajectory;
}

/** Warns of a motion that is changed from its first point on, if the robot has to move to that point before. */
export function beginningWarnings(trajectory: Trajectory, model: RobotModel, scene: Scene, file: string): string[] {
  if (restsBefore(trajectory, startStateOf(model, scene))) return [];
  return [`${file}: it does not begin at the start of the scene, and the motion to its first point is not proved`];
}

/** Reads a program of moves, as `moveProgramOf`; undefined if the file is none. */
export async function readMoves(
  file: string,
  model: RobotModel,
  scene: Pick<Scene, 'tcp' | 'start'>,
): Promise<MoveProgram | undefined> {
  return isScript(file) ? moveProgramOf(await readContent(file), file, model, scene) : undefined;
}

/** Reads the executions of a program of moves, as `moveExecutionsOf`; undefined if the file is none. */
export async function readExecutions(
  file: string,
  model: RobotModel,
  scene: Pick<Scene, 'tcp' | 'start'>,
): Promise<readonly MoveExecution[] | undefined> {
  return isScript(file) ? moveExecutionsOf(await readContent(file), file, model, scene) : undefined;
}
