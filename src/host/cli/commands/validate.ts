import { checkers } from '../../../core/narrowphase/index.ts';
import { linkGeometries } from '../../../tasks/robots/linkGeometry.ts';
import { createSceneRobot } from '../../../tasks/sceneRobot.ts';
import { ValidationLines } from '../../../tasks/validation/validationLines.ts';
import { loadScene } from '../../node/files.ts';
import { textsOf } from '../../node/inputLines.ts';
import { validateInThreads } from '../../node/validationThreads.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, flag, integer, quantity, text } from '../options.ts';
import { processChunks } from '../processLines.ts';
import { sceneOperand } from '../sceneOperand.ts';
import { delayJit, restoreJit } from '../v8Flags.ts';

/** Input, characters, that is checked before optimized code pays off: about a hundred states. */
const SHORT_INPUT = 10_000;

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
  options: {
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
    model: choice(linkGeometries, 'hulls', 'collision geometry of the links'),
    output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
  },
  details: `Writes one line per state, in order, as soon as it is computed:
{"id", "valid", "collisions": [[A, B], ...], "limits": [JOINT, ...], "clearance"}; the default id is the line number.
If something else moves in the scene, a state is checked at its time: {"q", "t"}, seconds, default 0; in CSV, the column
t.
--gradient adds "gradient", metres per radian (or metre) of each joint, and "differentiable": false if several pairs are
nearest.
With --motions a line of STATES is {"from": [...], "to": [...], "id": ...} or [[...], [...]], and its result
{"id", "valid", "verdict": "certified|collision|unresolved", "limits": [...], "contact": {"pair", "free_until",
"time"}}, times from 0 to 1.
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

  async run(io, [path, states], options) {
    delayJit();
    const { scene, robot, warnings } = await loadScene(path!);
    io.warn(warnings);
    if (scene.torque)
      io.warn(['limits of torque are not judged: states and straight edges have no times; check judges motions']);
    if (options.startTolerance > 0)
      io.say(`joint values out of limits by at most ${options.startTolerance} are accepted, and checked as they are`);
    const description = linkGeometries[options.model].of(robot);
    const streams = { input: states, output: options.output, what: options.motions ? 'motions' : 'states' };
    const { unreadable, invalid } = await processChunks(io, streams, async (chunks, name, out) => {
      const { clearance, gradient, motions, all, checker, startTolerance, jobs } = options;
      const settings = { clearance, gradient, motions, all, checker, startTolerance };
      if (jobs > 1) {
        restoreJit();
        const data = { robot: description, scene, options: settings };
        return validateInThreads(data, jobs, textsOf(chunks), name, (results) => out.write(results));
      }
      const lines = new ValidationLines(createSceneRobot({ scene, robot: description }), scene, settings, name);
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
