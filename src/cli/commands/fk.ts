import { StateReader } from '../../formats/streams/states.ts';
import { createRobotModel } from '../../kinematics/createRobotModel.ts';
import { loadRobot } from '../../node/files.ts';
import { createForwardPoses } from '../../tasks/robots/forwardPoses.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { text } from '../options.ts';
import { processLines } from '../processLines.ts';
import { robotOperand, robotOptions, robotSources } from '../robot/robotOptions.ts';

export const fk = defineCommand({
  summary: 'forward kinematics: the pose of every link for each state',
  operands: [
    robotOperand,
    {
      name: 'STATES',
      meaning: 'JSON lines ({"q": [...], "id": ...} or [...]) or CSV; - or none: stdin',
      optional: true,
    },
  ],
  options: {
    ...robotOptions,
    output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
  },
  details: `q: one value per independent joint, in the order of the URDF; rad, m.
Writes one line per state: {"id", "links": {NAME: {"xyz": [m], "quat_wxyz": [...]}}}, in the frame of the root link.`,
  examples: [["echo '[0, -1.57, 1.57, -1.57, -1.57, 0]' | elbowroom fk ur5e", 'link poses of a UR5e']],

  async run(io, [robot, states], options) {
    const description = await loadRobot(robot!, { ...robotSources(options), bodies: false });
    io.warn(description.warnings);
    const model = createRobotModel(description);
    const posesAt = createForwardPoses(model);
    const joints = model.variables.map((joint) => joint.name);
    const { unreadable } = await processLines(
      io,
      { input: states, output: options.output, what: 'states' },
      (name) => new StateReader(joints, name),
      ({ q }) => `"links":${JSON.stringify(posesAt(q))}`,
    );
    return unreadable > 0 ? ExitCode.BadInput : ExitCode.Ok;
  },
});
