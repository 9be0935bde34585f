import { checkers } from '../../../core/narrowphase/index.ts';
import { isForceConstraint } from '../../../core/scene/constraints.ts';
import { InputError } from '../../../errors.ts';
import { createSceneRobot, type Problem } from '../../../tasks/sceneRobot.ts';
import { StateRows } from '../../../tasks/validation/stateRows.ts';
import { loadScene } from '../../node/files.ts';
import { textsOf } from '../../node/inputLines.ts';
import { linesOf, validateInThreads } from '../../node/validationThreads.ts';
import { defineCommand, type Values } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { choice, flag, integer, quantity, text } from '../options.ts';
import { processChunks } from '../processLines.ts';
import { sceneOperand } from '../sceneOperand.ts';
import { delayJit, restoreJit } from '../v8Flags.ts';

/** Input, characters, that is checked before optimized code pays off: about a hundred states. */
const SHORT_INPUT = 10_000;

const options = {
  clearance: flag('add the clearance: minimum distance over all checked pairs, m; negative: penetration depth'),
  gradient: flag('add the clearance, its gradient with respect to q, and whether it is differentiable'),
  motions: flag('motion validity: certify straight motions between pairs of states, or report the first contact'),
  all: flag('list all colliding pairs, not only the first one found'),
  checker: choice(checkers, 'growth-distance', 'narrow-phase algorithm'),
  startTolerance: quantity(
    0,
    'rad or m',
    'joint values out of limits by at most this are accepted, and checked as they are',
    {
      min: 0,
    },
  ),
  jobs: integer(1, 'number of threads; results and their order do not change', { min: 1, max: 256 }),
  format: choice(
    { json: true, f64: true },
    'json',
    'form of states and results: lines, or rows of doubles in and one byte out for each',
  ),
  output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
};

export const validate = defineCommand({
  summary: 'state and motion validity: joint limits and collisions of each state or straight motion',
  operands: [
    sceneOperand,
    {
      name: 'STATES',
      meaning: 'JSON lines ({"q": [...], "id": ..., "t": ...} or [...]) or CSV; - or none: stdin',
      optional: true,
    },
  ],
  options,
  details: `Writes one line per state, in order, as soon as it is computed:
{"id", "valid", "collisions": [[A, B], ...], "limits": [JOINT, ...], "clearance"}; the default id is the line number.
If something else moves in the scene, a state is checked at its time: {"q", "t"}, seconds, default 0; in CSV, the column
t.
--gradient adds "gradient", metres per radian (or metre) of each joint, and "differentiable": false if several pairs are
nearest.
With --motions a line of STATES is {"from": [...], "to": [...], "id": ...} or [[...], [...]], and its result
{"id", "valid", "verdict": "certified|collision|unresolved", "limits": [...], "contact": {"pair", "free_until",
"time"}}, times from 0 to 1.
--format f64: STATES are rows of little-endian doubles, one per planned joint, and the result of each is a byte: 1 valid,
0 not, 2 unreadable (not finite, or an incomplete row).
For a line that cannot be read: {"id", "line", "error"}; the other lines are processed, and the exit code is 2.
Exit code 0: all valid, 1: some are not.`,
  examples: [
    ["echo '[0, -1.57, 1.57, -1.57, -1.57, 0]' | elbowroom validate scenes/shelf.yaml", 'one state'],
    [
      "echo '[[0,-1.57,1.57,-1.57,-1.57,0],[0,-1.57,1.57,-1.57,-1.57,1]]' | elbowroom validate scenes/shelf.yaml " +
        '--motions',
      'one motion',
    ],
  ],

  async run(io, [path, states], given) {
    delayJit();
    const { scene, robot, warnings } = await loadScene(path!);
    io.warn(warnings);
    const forces = (scene.constraints ?? []).filter(isForceConstraint).map(({ type }) => type);
    const unjudged = [...(scene.torque ? ['torque'] : []), ...forces].join(' and ');
    if (unjudged !== '')
      io.warn([`limits of ${unjudged} are not judged: states and straight edges have no times; check judges motions`]);
    if (given.startTolerance > 0)
      io.say(`joint values out of limits by at most ${given.startTolerance} are accepted, and checked as they are`);
    if (given.format === 'f64') return validateRows(io, { scene, robot }, states, given);
    const streams = { input: states, output: given.output, what: given.motions ? 'motions' : 'states' };
    const { unreadable, invalid } = await processChunks(io, streams, async (chunks, name, out) => {
      const { clearance, gradient, motions, all, checker, startTolerance, jobs } = given;
      const settings = { clearance, gradient, motions, all, checker, startTolerance };
      const data = { robot, scene, options: settings, name };
      if (jobs > 1) {
        restoreJit();
        return validateInThreads(data, jobs, textsOf(chunks), (results) => out.write(results));
      }
      const lines = linesOf(data);
      let isShort = true;
      for await (const chunk of chunks) {
        if (isShort && (lines.read > 0 || chunk.length > SHORT_INPUT)) {
          restoreJit();
          isShort = false;
        }
        await out.write(typeof chunk === 'string' ? lines.to(chunk.split('\n')) : lines.toBytes(chunk));
      }
      return lines;
    });
    if (unreadable > 0) return ExitCode.BadInput;
    return invalid > 0 ? ExitCode.No : ExitCode.Ok;
  },
});

/** Validates rows of doubles. */
async function validateRows(
  io: Io,
  problem: Problem,
  states: string | undefined,
  { output, checker, startTolerance, ...others }: Values<typeof options>,
): Promise<ExitCode> {
  const refused = (['clearance', 'gradient', 'motions', 'all'] as const).find((name) => others[name]);
  if (refused !== undefined || others.jobs > 1)
    throw new InputError(`--format f64 with --${refused ?? 'jobs'}`, 'It writes validity alone, in one thread.');
  const rows = new StateRows(createSceneRobot(problem), problem.scene, { checker, startTolerance });
  const streams = { input: states, output, what: 'states', width: rows.width };
  await processChunks(io, streams, async (chunks, _, out) => {
    for await (const chunk of chunks) await out.write(rows.process(chunk as Buffer));
    return rows;
  });
  if (rows.unreadable > 0) return ExitCode.BadInput;
  return rows.invalid > 0 ? ExitCode.No : ExitCode.Ok;
}
