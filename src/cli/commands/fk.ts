import { StateReader } from '../../formats/streams/states.ts';
import { createRobotModel } from '../../kinematics/createRobotModel.ts';
import { loadRobot } from '../../node/files.ts';
import { createForwardPoses } from '../../tasks/robots/forwardPoses.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { text } from '../options.ts';
import { answerLines } from '../processLines.ts';
import { robotOperand, robotOptions, robotSources } from '../robot/robotOptions.ts';

export const fk = defineCommand({
  summary: 'pose of every link for each state',
  operands: [
    robotOperand,
    {
      name: 'STATES',
      meaning: 'JSON lines ({"q": [...], "id": ...} or [...]) or CSV; - or nothing: stdin',
      optional: true,
    },
  ],
  options: {
    ...robotOptions,
    output: text('FILE', 'write there, whole or not at all, instead of stdout', 'o'),
  },
  details: `q: one value for each joint that moves by itself, in the order of the URDF; rad, m.
A line per state: {"id", "links": {NAME: {"xyz": [m], "quat_wxyz": [...]}}}, in the frame of the root link.`,
  examples: [["echo '[0, -1.57, 1.57, -1.57, -1.57, 0]' | elbowroom fk ur5e", 'where the links of a UR5e are']],

  async run(io, [robot, states], options) {
    const description = await loadRobot(robot!, { ...robotSources(options), bodies: false });
    io.warn(description.warnings);
    const model = createRobotModel(description);
    const posesAt = createForwardPoses(model);
    const joints = model.variables.map((joint) => joint.name);
    const { unreadable } = await answerLines(
      io,
      { input: states, output: options.output, what: 'states' },
      (name) => new StateReader(joints, name),
      ({ q }) => `"links":${JSON.stringify(posesAt(q))}`,
    );
    return unreadable > 0 ? ExitCode.BadInput : ExitCode.Ok;
  },
});
