import { moveCertificateText } from '../../../core/certificate/moves/moveCertificate.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { checkers } from '../../../core/narrowphase/index.ts';
import { startWarnings, withoutStart } from '../../../core/scene/configurationOf.ts';
import type { MoveProgram } from '../../../core/scene/moves/moveProgram.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import type { MoveExecution } from '../../../formats/trajectories/urscriptReader.ts';
import { pathOf, unjudgedMoveWarnings, unjudgedSpeedWarnings } from '../../../tasks/checking/moves/readMoveProgram.ts';
import { statedWarnings } from '../../../tasks/checking/statedWarnings.ts';
import { withStartTolerance } from '../../../tasks/planning/startTolerance.ts';
import { isRepairImpossible } from '../../../tasks/repair/repairRefusal.ts';
import { checkReport } from '../../../tasks/reports/checkReport.ts';
import {
  executionsReport,
  type MovesReportOptions,
  movesReport,
  withMoves,
} from '../../../tasks/reports/movesReport.ts';
import { limitWarnings } from '../../../tasks/sceneRobot.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { certificateTextFor, sceneIdentity } from '../../node/scenes/resolved/resolvedScene.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { ANY_START, choice, flag, quantity, text } from '../options.ts';
import { missingCertificateReason } from '../plan/verifyOutput.ts';
import { loadModel, readExecutions, readMotion } from '../sceneMotion.ts';
import { sceneOperand } from '../sceneOperand.ts';
import { shellWord } from '../shellWord.ts';

export const check = defineCommand({
  summary: 'trajectory validation: collisions over continuous time, and limits',
  operands: [
    sceneOperand,
    { name: 'TRAJECTORY', meaning: 'trajectory or path in any format that plan writes, from any program' },
  ],
  options: {
    startTolerance: quantity(
      0,
      'rad or m',
      'joint values out of limits by at most this are accepted, and checked as they are',
      {
        min: 0,
      },
    ),
    checker: choice(checkers, 'growth-distance', 'narrow-phase algorithm'),
    certificate: text('FILE', 'output file of the certificate of a valid trajectory (separating planes), for verify'),
    stopping: flag('worst time and distances of stops along the path, from any instant of a valid motion'),
    anyStart: flag(ANY_START),
  },
  details: `Checks the curve that a joint trajectory controller executes, segment by segment, or the curve that the file
states (interpolation):
linear for positions only, cubic with velocities at both ends, quintic with velocities and accelerations at both ends.
Velocity jumps, and a start or end that is not at rest, are faults (except for servoj set points at most 8 ms apart).
If something else moves in the scene, the trajectory needs times, and the proof continues after its end until all is at
rest.
If the first point is later than time 0, the motion of the controller from the start of the scene to it is checked as
part of the trajectory (lead_in); so is the line from the start to the first waypoint of a path. A first point at time 0
that is not the start is a fault.
A UR program (.script) of movej, movel, movec and movep is judged for every motion that the manual allows for it
(docs/urscript.md), and for all values of inputs that its conditions depend on, "executions":
{"valid", "verdict": "valid|invalid|undecided", "executions", "moves": [{"line", "kind", "verdict", "pair",
"constraint"}], "constraints", "faults", "unchecked"}.
Of others, writes one line of JSON, {"valid", "points", "duration", "limit_ratios": {"velocity", "acceleration", "jerk"},
"lead_in": {"valid", "pair", "time"}, "contacts": [{"pair", "from", "until", "depth"}], "constraints": [...], "margins": {...}, "faults": [...],
"unchecked": {"pairs", "reasons"}};
contacts: the first contact, its beginning, its end (seconds; waypoints for a path) and its greatest depth (metres);
constraints: names of the violated constraints, limits of the cell and clearances; margins: the least margin of each;
limit_ratios: maximum over time of value / limit, at most 1 if all limits are kept, null if infinite; absent for a path
without times; stopping (--stopping): {"time", "at", "tcp_distance", "tcp_at", "elbow_distance", "elbow_at"}, seconds and
metres, null if a stop within the limits of acceleration and torque is not proved for some instant (docs/forces.md);
unchecked: number of pairs of links and objects that are not checked, by reason (docs/robots.md).
The command that repairs an invalid motion is printed on stderr, unless repair refuses it: programs among moving
obstacles, and motions whose first or last state is not valid.
Exit code 0: valid, 1: not valid.`,

  async run(io, [scenePath, trajectoryPath], { checker, certificate, startTolerance, stopping, anyStart }) {
    if (certificate !== undefined) checkOutput(certificate);
    const { scene: stated, model: own, warnings } = await loadModel(scenePath!, { cache: false });
    const judged = anyStart ? withoutStart(stated) : stated;
    const executions = await readExecutions(trajectoryPath!, own, judged);
    const isSeveral = executions?.some(({ choices }) => choices.length > 0) === true;
    const program = executions?.[0].program;
    const path = program && !isSeveral ? pathOf(program, own, judged) : undefined;
    const unknown = anyStart ? [] : startWarnings(judged);
    if (program && !path) {
      refuseOfMoves(startTolerance, stopping);
      io.warn([
        ...warnings,
        ...unjudgedMoveWarnings(judged, trajectoryPath!),
        ...unknown,
        ...limitWarnings(own, judged),
      ]);
      const given = { checker, place: trajectoryPath!, certificate, scenePath: scenePath! };
      if (isSeveral) return checkExecutions(io, own, judged, executions!, given);
      return checkMoves(io, own, judged, program, given, repairHint(scenePath!, trajectoryPath!, anyStart, 'script'));
    }
    const trajectory = await readMotion(io, trajectoryPath!, own, stated, path);
    const unjudged = unjudgedSpeedWarnings(trajectory, judged, trajectoryPath!);
    const { robot: model, scene, notes } = withStartTolerance(own, judged, trajectory, startTolerance, checker);
    for (const note of notes) io.say(note);
    io.warn([
      ...warnings,
      ...unjudged,
      ...unknown,
      ...limitWarnings(model, scene),
      ...statedWarnings(trajectory, model, trajectoryPath!),
    ]);
    const {
      report,
      certify,
      model: pairs,
    } = io.compute('checking the motion', () =>
      checkReport(model, scene, trajectory, { checker, place: trajectoryPath!, stopping }),
    );
    const { valid, faults } = report;
    for (const fault of faults) io.say(fault);
    const hint = repairHint(scenePath!, trajectoryPath!, anyStart, program ? 'script' : 'json');
    if (
      !valid &&
      hint !== undefined &&
      !io.compute('checking whether it can be repaired', () => isRepairImpossible(trajectory, model, scene))
    )
      io.say(hint);
    if (valid && certificate !== undefined) {
      const proof = io.compute('certifying the motion', certify);
      if (proof) io.save(certificate, await certificateTextFor(proof, scenePath!));
      else io.warn([missingCertificateReason(pairs)]);
    }
    await io.write(`${JSON.stringify(program ? withMoves(report, model, scene, program, checker) : report)}\n`);
    return valid ? ExitCode.Ok : ExitCode.No;
  },
});

function refuseOfMoves(startTolerance: number, stopping: boolean): void {
  if (startTolerance > 0)
    throw new InputError('--start-tolerance: not for a program of moves', 'Leave it out: its start has no tolerance.');
  if (stopping) throw new InputError('--stopping: the times of a program of moves are not known', 'Leave it out.');
}

/** Returns the line that names the command to repair a motion; undefined if it is not of files. */
const repairHint = (scene: string, motion: string, isAnyStart: boolean, ending: string): string | undefined =>
  scene === '-' || motion === '-'
    ? undefined
    : `to repair it: elbowroom repair ${shellWord(scene)} ${shellWord(motion)}` +
      `${isAnyStart ? ' --any-start' : ''} -o repaired.${ending}`;

/** How a program of moves is checked, and the file that its certificate is written to. */
interface MovesCheck extends MovesReportOptions {
  readonly certificate: string | undefined;
  readonly scenePath: string;
}

/** Checks a program of moves for every motion that it may be executed by. */
async function checkMoves(
  io: Io,
  model: RobotModel,
  scene: Scene,
  program: MoveProgram,
  { certificate, scenePath, ...options }: MovesCheck,
  hint: string | undefined,
): Promise<ExitCode> {
  const {
    report,
    certify,
    model: pairs,
  } = io.compute('checking the moves', () => movesReport(model, scene, program, options));
  for (const fault of report.faults) io.say(fault);
  if (!report.valid && hint !== undefined) io.say(hint);
  if (report.valid && certificate !== undefined) {
    const proof = io.compute('certifying the moves', certify);
    if (proof) io.save(certificate, moveCertificateText({ ...proof, ...(await sceneIdentity(scenePath)) }));
    else io.warn([missingCertificateReason(pairs)]);
  }
  await io.write(`${JSON.stringify(report)}\n`);
  return report.valid ? ExitCode.Ok : ExitCode.No;
}

/** Checks all executions of a program of moves whose conditions are not known before it runs. */
async function checkExecutions(
  io: Io,
  model: RobotModel,
  scene: Scene,
  executions: readonly MoveExecution[],
  { certificate, scenePath: _, ...options }: MovesCheck,
): Promise<ExitCode> {
  const [{ line, text: what }] = executions.flatMap(({ choices }) => choices);
  if (certificate !== undefined)
    throw new InputError(
      `--certificate: ${options.place}:${line}: the program has several executions (${what})`,
      'Write the value of the condition out, and certify the program for each of them.',
    );
  const report = io.compute('checking the moves', () => executionsReport(model, scene, executions, options));
  for (const fault of report.faults) io.say(fault);
  await io.write(`${JSON.stringify(report)}\n`);
  return report.valid ? ExitCode.Ok : ExitCode.No;
}
