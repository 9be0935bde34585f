import { type Certificate, certificateOf } from '../../../core/certificate/certificate.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { inJointOrder, type Trajectory } from '../../../core/trajectory/trajectory.ts';
import { InputError, InputErrors } from '../../../errors.ts';
import { type Diagnostic, placeOf, type SourceText } from '../../../formats/text/sourceText.ts';
import { readTrajectoryAs } from '../../../formats/trajectories/index.ts';
import { recordOf } from '../../../formats/trajectories/trajectoryRecord.ts';
import { unjudgedSpeedWarnings } from '../../../tasks/checking/moves/readMoveProgram.ts';
import { statedWarnings } from '../../../tasks/checking/statedWarnings.ts';
import { completeMotion } from '../../../tasks/programs/completeProgram.ts';

const PLACE = 'params.trajectory';

/** A trajectory of a request, with warnings about it. */
export interface GivenMotion {
  readonly trajectory: Trajectory;
  readonly warnings: readonly string[];
}

/**
 * Reads the parameter `trajectory`: an object of the JSON format, or `{text, format}`. Throws `InputError` that names
 * the place of each problem, and for joints that are not the robot's.
 */
export async function readMotion(given: object, robot: RobotModel, scene: Scene): Promise<GivenMotion> {
  const joints = robot.variables.map(({ name }) => name);
  const read = Object.hasOwn(given, 'text') ? await readText(given, robot) : await readObject(given, robot);
  const { trajectory, notes } = completeMotion(read, robot, scene, PLACE);
  const unjudged = unjudgedSpeedWarnings(trajectory, scene, PLACE);
  inJointOrder(trajectory, joints, PLACE);
  return { trajectory, warnings: [...notes, ...unjudged, ...statedWarnings(trajectory, robot, PLACE)] };
}

/** Reads the parameter `certificate`. Throws `InputErrors` that name each place. */
export const readCertificateOf = (given: object): Certificate => certificateOf(given, 'params.certificate');

async function readText(given: object, robot: RobotModel): Promise<Trajectory> {
  const { text, format, ...others } = given as { readonly text: unknown; readonly format?: unknown };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new InputError(`${PLACE}: it has the key ${JSON.stringify(unknown)} beside text`, 'Give text and format.');
  if (typeof text !== 'string') throw new InputError(`${PLACE}.text: it must be a text`);
  if (typeof format !== 'string')
    throw new InputError(`${PLACE}.format: it must be a text`, 'Give for example "format": "csv".');
  try {
    return await readTrajectoryAs(format, text, `${PLACE}.text`, robot);
  } catch (error) {
    if (!(error instanceof InputError) || error.message.startsWith('params')) throw error;
    throw new InputError(`${PLACE}.format: ${error.message}`, error.note);
  }
}

async function readObject(data: object, robot: RobotModel): Promise<Trajectory> {
  const errors = async (diagnostics: readonly Diagnostic[]) =>
    new InputErrors(
      diagnostics.map(
        ({ path, what, note }) => new InputError(`${placeOf(['params', 'trajectory', ...path])}${what}`, note),
      ),
    );
  const source: SourceText = { file: PLACE, data, errors };
  return recordOf(source, PLACE, robot);
}
