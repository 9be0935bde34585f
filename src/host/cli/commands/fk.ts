import { createRobotModel } from '../../../core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { type LinkFrame, tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import { InputError } from '../../../errors.ts';
import { StateReader } from '../../../formats/streams/states.ts';
import { createForwardPoses } from '../../../tasks/robots/forwardPoses.ts';
import { loadRobot } from '../../node/robots.ts';
import { defineCommand, type Values } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { flag, robotOperand, robotOptions, robotSources, text } from '../options.ts';
import { processLines } from '../processLines.ts';
import { refuseRobotOptions } from '../robot/sceneRobotOptions.ts';

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
    const { model, tcp, states, warnings } = await settingOf(operands, given);
    io.warn(warnings);
    const posesAt = createForwardPoses(model, tcp);
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

interface Setting {
  readonly model: RobotModel;
  /** Undefined without `--tcp`. */
  readonly tcp: LinkFrame | undefined;
  /** Path of the states; undefined: stdin. */
  readonly states: string | undefined;
  readonly warnings: readonly string[];
}

/** Loads the robot, or that of the scene; the only operand is then the states. */
async function settingOf(operands: readonly (string | undefined)[], given: Values<typeof options>): Promise<Setting> {
  const [first, second] = operands;
  if (given.scene === undefined) {
    if (first === undefined) throw new InputError('fk: ROBOT is missing', 'Name a robot, or a scene with --scene.');
    const description = await loadRobot(first, { ...robotSources(given), bodies: false });
    const model = createRobotModel(description);
    return { model, tcp: given.tcp ? tcpOf(model) : undefined, states: second, warnings: description.warnings };
  }
  refuseRobotOptions('fk', second === undefined ? undefined : first, given);
  const { loadModel } = await import('../sceneMotion.ts');
  const loaded = await loadModel(given.scene);
  const { model } = loaded;
  const tcp = given.tcp ? tcpOf(model, loaded.scene.tcp) : undefined;
  return { model, tcp, states: first, warnings: loaded.warnings };
}
