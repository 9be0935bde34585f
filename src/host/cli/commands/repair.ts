import { startWarnings, withoutStart } from '../../../core/scene/configurationOf.ts';
import { durationOf, type Trajectory } from '../../../core/trajectory/trajectory.ts';
import { trajectoryLength } from '../../../core/trajectory/trajectoryLength.ts';
import { InputError } from '../../../errors.ts';
import { type AnyWriter, contentOf, motionFormats, readTrajectory } from '../../../formats/trajectories/index.ts';
import { describeFaults } from '../../../tasks/checking/describeFaults.ts';
import { isScript, moveProgramOf, pathOf } from '../../../tasks/checking/moves/readMoveProgram.ts';
import { statedWarnings } from '../../../tasks/checking/statedWarnings.ts';
import { uncheckedPairs } from '../../../tasks/checking/uncheckedCount.ts';
import { completeMotion } from '../../../tasks/programs/completeProgram.ts';
import { type RepairResult, repairDefaults, repairTrajectory } from '../../../tasks/repair/repairTrajectory.ts';
import { limitWarnings } from '../../../tasks/sceneRobot.ts';
import { readContent } from '../../node/files.ts';
import { checkOutputs } from '../../node/outputTarget.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { repairScript } from '../moves/repairScript.ts';
import { ANY_START, flag, integer, optionalChoice, quantity, text } from '../options.ts';
import { motionFile, saveMotion } from '../plan/motionFiles.ts';
import { faultAsWritten } from '../plan/verifyOutput.ts';
import { loadModel } from '../sceneMotion.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const repair = defineCommand({
  summary: 'trajectory repair: the smallest change that makes an invalid trajectory pass check',
  operands: [
    sceneOperand,
    { name: 'TRAJECTORY', meaning: 'trajectory or path in any format that plan writes, from any program' },
  ],
  options: {
    keepTimes: flag('repair of the geometry only: all times remain'),
    limitsOnly: flag('retiming only: the geometry remains, so a collision is not repaired'),
    anyStart: flag(ANY_START),
    seed: integer(repairDefaults.seed, 'seed of all random numbers; equal seeds give equal trajectories'),
    timeLimit: quantity(repairDefaults.timeLimit, 's', 'time limit of the repair', { min: 0, exclusive: true }),
    format: optionalChoice(motionFormats, 'json; a valid input is copied', 'trajectory format'),
    output: text(
      'FILE',
      'output file, written completely or not at all (default: stdout); for ros-goal: a folder',
      'o',
    ),
    stats: text('FILE', 'output file of one JSON line with status, changes and figures; - for stdout (needs -o)'),
  },
  details: `Intervals in collision, out of the joint limits, or violating a constraint are pushed along clearance
gradients; if that fails, a detour is searched between the nearest states that are valid. Then the motion is slowed
down where velocities or accelerations are too high; it stops where its velocity jumps, unless a small blend is valid.
Jumps of continuous joints by full turns are unwrapped, and repeated points of equal time and position dropped first. A
motion from the start of the scene to a first point after time 0 that is not valid becomes part of the trajectory.
The start and the end remain, and segments that are not next to an invalid one keep their curve. A path without times
remains one. A valid input is written as it is, byte for byte.
Among moving obstacles and other robots, the robot waits once until they have passed; if no single wait suffices, the
motion is planned again in joints and time from before the first contact. Of a program (a scene with steps), free
motions are repaired within their segments; lines, arcs and waits are slowed down only.
Of a UR program (.script), the text is changed: first blend radii become smaller, then blocked moves get way points
before them, or become joint moves; all targets, events, comments and other lines remain.
The result is proved valid, as by check, before it is written.
--stats: {"status": "good" | "repaired" | "failed", "reason", "changed": [[from, to], ...], "before",
"after": {"points", "length", "duration"}, "unchecked", "warnings"}; changed: times (waypoints for a path, lines of a
UR program) of the input.
Exit code 0: repaired or valid, 1: not repaired, and nothing is written.`,
  examples: [
    ['elbowroom repair scenes/table-top.yaml motion.json -o repaired.json', 'a motion that check refuses'],
    [
      'elbowroom repair scenes/table-top.yaml motion.json --limits-only --stats - -o slower.json',
      'the same curve, slower',
    ],
  ],

  async run(io, [scenePath, trajectoryPath], given) {
    if (given.keepTimes && given.limitsOnly)
      throw new InputError('--keep-times and --limits-only leave nothing that may change', 'Give at most one of them.');
    const writer = motionFormats[given.format ?? 'json'];
    checkOutputs([motionFile(writer, given.output), given.stats === '-' ? undefined : given.stats]);
    if (given.stats === '-' && given.output === undefined)
      throw new InputError('--stats - needs -o: the trajectory is written to stdout', 'Give -o FILE.');
    const { scene: stated, model, warnings } = await loadModel(scenePath!);
    const scene = given.anyStart ? withoutStart(stated) : stated;
    const bytes = await readContent(trajectoryPath!);
    const program = isScript(trajectoryPath!) ? moveProgramOf(bytes, trajectoryPath!, model, scene) : undefined;
    if (program && (given.format ?? 'urscript') === 'urscript') {
      io.warn([...warnings, ...(given.anyStart ? [] : startWarnings(scene)), ...limitWarnings(model, scene)]);
      return repairScript(io, { file: trajectoryPath!, bytes }, model, scene, given);
    }
    if (program && !pathOf(program, model, scene))
      throw new InputError(
        `--format ${given.format}: a program of moves is repaired as a script`,
        'Leave --format out, and convert the result.',
      );
    const read = await readTrajectory(bytes, trajectoryPath!, model);
    const { trajectory: motion, notes } = completeMotion(read, model, stated, trajectoryPath!);
    for (const note of notes) io.say(note);
    const unknown = given.anyStart ? [] : startWarnings(scene);
    io.warn([
      ...warnings,
      ...unknown,
      ...limitWarnings(model, scene),
      ...statedWarnings(motion, model, trajectoryPath!),
    ]);
    const hooks = { clock: io.clock };
    const found = io.compute('repairing the motion', () =>
      repairTrajectory(motion, model, scene, given, hooks, trajectoryPath),
    );
    const isCopy = found.status === 'good' && given.format === undefined;
    const result = isCopy ? found : await provedAsWritten(found, writer, { scene, model });
    if (result.status !== 'good') for (const fault of describeFaults(result.before)) io.say(`input: ${fault}`);
    io.say(`${result.status}: ${result.reason}`);
    if (result.changed.length > 0) io.say(`changed ${spansText(result.changed, durationOf(motion) !== undefined)}`);
    if (given.stats !== undefined) {
      const stats = { ...statsOf(motion, result), unchecked: uncheckedPairs(model, scene), warnings: io.warnings };
      await io.put(given.stats, `${JSON.stringify(stats)}\n`);
    }
    if (result.trajectory === undefined) return ExitCode.No;
    const { output } = given;
    if (isCopy) await io.put(output, bytes);
    else {
      const content = await contentOf(writer, result.trajectory, { robot: model, scene });
      await saveMotion(io, writer, output, result.trajectory, content);
    }
    return ExitCode.Ok;
  },
});

/** Returns the result, failed if its trajectory as the format stores it is not proved. */
async function provedAsWritten(
  result: RepairResult,
  writer: AnyWriter,
  setting: Parameters<typeof faultAsWritten>[1],
): Promise<RepairResult> {
  const fault = result.trajectory && (await faultAsWritten(result.trajectory, setting, writer));
  if (fault === undefined) return result;
  return { ...result, status: 'failed', reason: fault, changed: [], trajectory: undefined };
}

function statsOf(given: Trajectory, { status, reason, changed, trajectory }: RepairResult) {
  const figures = (one: Trajectory) => ({
    points: one.points.length,
    length: trajectoryLength(one),
    ...(durationOf(one) !== undefined && { duration: durationOf(one) }),
  });
  const isCurve = given.points.every(
    ({ time_from_start: t }, i) => !i || !(t! <= given.points[i - 1].time_from_start!),
  );
  return {
    status,
    reason,
    changed,
    ...(isCurve && { before: figures(given) }),
    ...(trajectory && { after: figures(trajectory) }),
  };
}

function spansText(spans: RepairResult['changed'], isTimed: boolean): string {
  const round = (t: number) => Number(t.toPrecision(6));
  const list = spans.map(([from, to]) => `${round(from)} to ${round(to)}`).join(', ');
  return isTimed ? `at ${list} s` : `at waypoints ${list}`;
}
