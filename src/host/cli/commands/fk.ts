import { tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import { StateReader } from '../../../formats/streams/states.ts';
import { createForwardPoses } from '../../../tasks/robots/forwardPoses.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { flag, robotOperand, robotOptions, text } from '../options.ts';
import { processLines } from '../processLines.ts';
import { robotWithStates } from '../robot/robotOrScene.ts';

const options = {
  tcp: flag('add the pose of the tool center point: "tcp"'),
  scene: text('SCENE', 'scene whose robot, planned joints and tool center point are used; omit ROBOT'),
  ...robotOptions,
  output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
};

export const fk = defineCommand({
  summary: 'forward kinematics: the pose of every link for each state',
  operands: [
    { ...robotOperand, optional: true },
    {
      name: 'STATES',
      meaning: 'JSON lines ({"q": [...], "id": ...} or [...]) or CSV; - or none: stdin',
      optional: true,
    },
  ],
  options,
  details: `q: one value per independent joint, in the order of the URDF; with --scene one per planned joint; rad, m.
Writes one line per state: {"id", "links": {NAME: {"xyz": [m], "quat_wxyz": [...]}}}, in the frame of the root link,
with --scene in the world.
--tcp adds "tcp": {"xyz", "quat_wxyz"}, the tool center point: that of the scene, or else the frame of the last link of
the planned chain.`,
  examples: [
    ["echo '[0, -1.57, 1.57, -1.57, -1.57, 0]' | elbowroom fk ur5e", 'link poses of a UR5e'],
    [
      "echo '[0, -1.57, 1.57, -1.57, -1.57, 0]' | elbowroom fk --scene shelf --tcp",
      'the tool center point in a scene as well',
    ],
  ],

  async run(io, operands, given) {
    const { model, scene, states, warnings } = await robotWithStates('fk', operands, given, { bodies: false });
    io.warn(warnings);
    const posesAt = createForwardPoses(model, given.tcp ? tcpOf(model, scene?.tcp) : undefined);
    const joints = model.variables.map((joint) => joint.name);
    const { unreadable } = await processLines(
      io,
      { input: states, output: given.output, what: 'states' },
      (name) => new StateReader(joints, name),
      ({ q }) => {
        const { links, tcp: tool } = posesAt(q);
        return `"links":${JSON.stringify(links)}${tool === undefined ? '' : `,"tcp":${JSON.stringify(tool)}`}`;
      },
    );
    return unreadable > 0 ? ExitCode.BadInput : ExitCode.Ok;
  },
});
