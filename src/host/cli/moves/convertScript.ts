import { startWarnings } from '../../../core/scene/configurationOf.ts';
import { durationOf } from '../../../core/trajectory/trajectory.ts';
import { InputError } from '../../../errors.ts';
import { type AnyWriter, contentOf } from '../../../formats/trajectories/index.ts';
import { describeFaults } from '../../../tasks/checking/describeFaults.ts';
import { checkMotion } from '../../../tasks/checkMotion.ts';
import { motionOfMoves } from '../../../tasks/programs/moves/motionOfMoves.ts';
import { movesReport } from '../../../tasks/reports/movesReport.ts';
import { limitWarnings } from '../../../tasks/sceneRobot.ts';
import { World } from '../../../tasks/world.ts';
import { checkOutputs } from '../../node/outputTarget.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { motionFile, saveMotion } from '../plan/motionFiles.ts';
import { faultAsWritten } from '../plan/verifyOutput.ts';
import { loadModel, readMoves } from '../sceneMotion.ts';

/**
 * Writes a program of moves as a timed trajectory. Nothing is written unless every motion of the program is proved, the
 * manual states its times, and the trajectory is proved as the format stores it.
 */
export async function convertScript(
  io: Io,
  scenePath: string,
  file: string,
  writer: AnyWriter,
  output: string | undefined,
): Promise<ExitCode> {
  checkOutputs([motionFile(writer, output)]);
  const { scene, model, warnings } = await loadModel(scenePath);
  const program = await readMoves(file, model, scene);
  if (program === undefined)
    throw new InputError(`${file}: no program of moves`, 'Streams of servoj are converted by repair --format.');
  io.warn([...warnings, ...startWarnings(scene), ...limitWarnings(model, scene)]);
  const refuse = (reasons: readonly string[]) => {
    for (const reason of reasons) io.say(`${file}: ${reason}`);
    io.say(`${file}: not converted`);
    return ExitCode.No;
  };
  const { report } = io.compute('checking the moves', () =>
    movesReport(model, scene, program, { checker: 'growth-distance', place: file }),
  );
  if (!report.valid) return refuse(report.faults);
  const world = new World(model, scene);
  const { trajectory, open } = io.compute('timing the moves', () => motionOfMoves(world, program, file));
  if (open.length > 0) return refuse(open);
  const { result } = io.compute('checking the motion', () => checkMotion(world, trajectory, file));
  if (!result.valid) return refuse(describeFaults(result));
  const fault = await faultAsWritten(trajectory, { scene, model }, writer);
  if (fault !== undefined) return refuse([fault]);
  io.say(`${file}: ${durationOf(trajectory)!.toFixed(3)} s of motion`);
  const content = await contentOf(writer, trajectory, { robot: model, scene });
  await saveMotion(io, writer, output, trajectory, content);
  return ExitCode.Ok;
}
