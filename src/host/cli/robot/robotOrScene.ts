import { createRobotModel } from '../../../core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { loadRobot, type RobotFiles } from '../../node/robots.ts';
import type { Values } from '../command.ts';
import { type robotOptions, robotSources } from '../options.ts';

/** Options of a command about a robot, alone or in a scene. */
type RobotOrSceneOptions = Values<typeof robotOptions> & { readonly scene: string | undefined };

/** A robot, with its scene if `--scene` names one. */
interface RobotInScene {
  readonly model: RobotModel;
  readonly scene: Scene | undefined;
  readonly warnings: readonly string[];
}

/**
 * Loads the robot that the operand ROBOT names, or else that of `--scene`. Throws `InputError` unless one of them is
 * given, and for options of a robot beside `--scene`.
 * @param files differences from the files that the options name
 */
export async function robotOrScene(
  command: string,
  robot: string | undefined,
  given: RobotOrSceneOptions,
  files: RobotFiles = {},
): Promise<RobotInScene> {
  if (given.scene === undefined) {
    if (robot === undefined)
      throw new InputError(`${command}: ROBOT is missing`, 'Name a robot, or a scene with --scene.');
    const description = await loadRobot(robot, { ...robotSources(given), ...files });
    return { model: createRobotModel(description), scene: undefined, warnings: description.warnings };
  }
  const excluded = {
    ROBOT: robot,
    '--srdf': given.srdf,
    '--limits': given.limits,
    '--calibration': given.calibration,
    '--geometry': given.geometry === 'collision' ? undefined : given.geometry,
    '--package': Object.keys(given.package)[0],
    '--arg': Object.keys(given.arg)[0],
  };
  const [other] = Object.entries(excluded).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined)
    throw new InputError(
      `${command}: ${other} and --scene are both given`,
      'The scene names its robot: omit the other option.',
    );
  const { loadModel } = await import('../sceneMotion.ts');
  return loadModel(given.scene);
}

/**
 * As `robotOrScene`, for a command about lists of states, which are the last operand. Returns their path, too;
 * undefined: stdin.
 */
export async function robotWithStates(
  command: string,
  [first, second]: readonly (string | undefined)[],
  given: RobotOrSceneOptions,
  files?: RobotFiles,
): Promise<RobotInScene & { readonly states: string | undefined }> {
  const isAlone = given.scene !== undefined && second === undefined; // the states alone
  const found = await robotOrScene(command, isAlone ? undefined : first, given, files);
  return { ...found, states: isAlone ? first : second };
}
