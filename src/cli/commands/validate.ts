import { checkers } from '../../narrowphase/index.ts';
import { loadScene } from '../../node/files.ts';
import { validateInThreads } from '../../node/validationThreads.ts';
import { linkBodies } from '../../tasks/robots/linkGeometry.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import { ValidationLines } from '../../tasks/validation/validationLines.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, flag, integer, text } from '../options.ts';
import { answerList } from '../processLines.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const validate = defineCommand({
  summary: 'is each of these states within limits and free of collision?',
  operands: [
    sceneOperand,
    {
      name: 'STATES',
      meaning: 'JSON lines ({"q": [...], "id": ...} or [...]) or CSV; - or nothing: stdin',
      optional: true,
    },
  ],
  options: {
    clearance: flag('add the least distance over all pairs in metres; below zero: the depth'),
    gradient: flag('add the clearance and its gradient by q, and whether it is differentiable there'),
    motions: flag('judge straight motions, pairs of states: proved free all the way, or where not'),
    all: flag('name every colliding pair, not the first one found'),
    checker: choice(checkers, 'growth-distance', 'narrow phase'),
    jobs: integer(1, 'threads; the answers are the same, in the same order', { least: 1, most: 256 }),
    model: choice(linkBodies, 'hulls', 'what stands for the links of the robot'),
    output: text('FILE', 'write there, whole or not at all, instead of stdout', 'o'),
  },
  details: `A line per state, in order, as soon as it is known:
{"id", "valid", "collisions": [[A, B], ...], "limits": [JOINT, ...], "clearance"}; a state without an id gets its line number.
--gradient adds "gradient", metres per radian (or metre) of each joint, and "differentiable": false where several pairs are nearest.
With --motions a line of STATES is {"from": [...], "to": [...], "id": ...} or [[...], [...]], and its answer
{"id", "valid", "verdict": "certified|collision|unresolved", "limits": [...], "contact": {"pair", "free_until", "time"}}, times from 0 to 1.
A line that cannot be read: {"id", "line", "error"} in its place; the rest is answered, exit code 2 at the end.
Exit code 0: all valid, 1: some are not.`,
  examples: [
    ["echo '[0, -1.57, 1.57, -1.57, -1.57, 0]' | elbowroom validate scenes/shelf.yaml", 'one state'],
    [
      "echo '[[0,-1.57,1.57,-1.57,-1.57,0],[0,-1.57,1.57,-1.57,-1.57,1]]' | elbowroom validate scenes/shelf.yaml --motions",
      'one motion',
    ],
  ],

  async run(io, [path, states], options) {
    const { scene, robot, warnings } = await loadScene(path!);
    io.warn(warnings);
    const bodied = linkBodies[options.model].of(robot);
    const streams = { input: states, output: options.output, what: options.motions ? 'motions' : 'states' };
    const { unreadable, invalid } = await answerList(io, streams, async (texts, name, out) => {
      const { clearance, gradient, motions, all, checker, jobs } = options;
      const asked = { clearance, gradient, motions, all, checker };
      if (jobs > 1) {
        const data = { robot: bodied, scene, options: asked };
        return validateInThreads(data, jobs, texts, name, (answers) => out.write(answers));
      }
      const lines = new ValidationLines(createSceneRobot({ scene, robot: bodied }), scene, asked, name);
      for await (const text of texts) await out.write(lines.to(text.split('\n')));
      return lines;
    });
    if (unreadable > 0) return ExitCode.BadInput;
    return invalid > 0 ? ExitCode.No : ExitCode.Ok;
  },
});
