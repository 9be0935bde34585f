import { type MotionLine, MotionReader } from '../../formats/motions.ts';
import { type StateLine, StateReader } from '../../formats/states.ts';
import { checkers } from '../../narrowphase/index.ts';
import { loadScene } from '../../node/files.ts';
import { linkBodies } from '../../tasks/linkBodies.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import { createMotionValidator, type MotionAnswer } from '../../tasks/validateMotions.ts';
import { createStateValidator, type StateVerdict } from '../../tasks/validateStates.ts';
import { answerLines } from '../answerLines.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, flag, text } from '../options.ts';

export const validate = defineCommand({
  summary: 'is each of these states within limits and free of collision?',
  operands: [
    { name: 'SCENE', meaning: 'scene file (YAML or JSON), or SUITE#PROBLEM' },
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
      "echo '[[0, -1.57, 1.57, -1.57, -1.57, 0], [0, -1.57, 1.57, -1.57, -1.57, 1]]' | elbowroom validate scenes/shelf.yaml --motions",
      'one motion',
    ],
  ],

  async run(io, [path, states], options) {
    const { scene, robot, warnings } = await loadScene(path!);
    io.warn(warnings);
    const model = createSceneRobot({ scene, robot: linkBodies[options.model].of(robot) });
    const joints = model.variables.map((joint) => joint.name);
    let invalid = 0;
    const count = <Verdict extends { readonly valid: boolean }>(verdict: Verdict): Verdict => {
      if (!verdict.valid) invalid++;
      return verdict;
    };
    const streams = { input: states, output: options.output };
    let unreadable: number;
    if (options.motions) {
      const judge = createMotionValidator(model, scene, options);
      const answer = ({ qFrom, qTo }: MotionLine) => motionText(count(judge(qFrom, qTo)));
      const createReader = () => new MotionReader(joints);
      ({ unreadable } = await answerLines(io, { ...streams, what: 'motions' }, createReader, answer));
    } else {
      const judge = createStateValidator(model, scene, options);
      const answer = ({ q }: StateLine) => verdictText(count(judge(q)));
      const createReader = (name: string) => new StateReader(joints, name);
      ({ unreadable } = await answerLines(io, { ...streams, what: 'states' }, createReader, answer));
    }
    if (unreadable > 0) return ExitCode.BadInput;
    return invalid > 0 ? ExitCode.No : ExitCode.Ok;
  },
});

/** The fields behind the id. */
function motionText({ valid, verdict, limits, contact }: MotionAnswer): string {
  const where = contact && { pair: contact.pair, free_until: contact.freeUntil, time: contact.time };
  return JSON.stringify({ valid, verdict, limits, contact: where }).slice(1, -1);
}

/** The fields behind the id. Written out by hand: most states of a long list are valid. */
function verdictText({ valid, collisions, limits, clearance, gradient, differentiable }: StateVerdict): string {
  const verdict = valid
    ? '"valid":true,"collisions":[],"limits":[]'
    : `"valid":false,"collisions":${JSON.stringify(collisions)},"limits":${JSON.stringify(limits)}`;
  if (clearance === undefined) return verdict;
  const known = `${verdict},"clearance":${Number.isFinite(clearance) ? clearance : null}`;
  return gradient ? `${known},"gradient":${JSON.stringify(gradient)},"differentiable":${differentiable}` : known;
}
