import { dirname, resolve } from 'node:path';
import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { InputError } from '../../../errors.ts';
import { type ForeignScene, sceneText } from '../../../formats/scenes/moveit/foreignScene.ts';
import { readMoveitScene } from '../../../formats/scenes/moveit/moveitScene.ts';
import { readPlanningScene } from '../../../formats/scenes/moveit/planningScene.ts';
import { isRobotPath } from '../../../formats/scenes/robots/robotReference.ts';
import { motionFormats } from '../../../formats/trajectories/index.ts';
import { isScript } from '../../../tasks/checking/moves/readMoveProgram.ts';
import { readInputText } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { loadRobot } from '../../node/robots.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { optionalChoice, text } from '../options.ts';

export const convert = defineCommand({
  summary: 'conversion: a scene from files of MoveIt, or a trajectory from a UR program',
  operands: [
    {
      name: 'FILE',
      meaning:
        'MoveIt .scene file, or planning scene as ROS and MotionBenchMaker write it (.yaml, .json); for a UR ' +
        'program: its scene',
    },
    {
      name: 'REQUEST',
      meaning: 'motion plan request (start and goals), goal pose (PoseStamped), or UR program (.script)',
      optional: true,
    },
  ],
  options: {
    robot: text(
      'ROBOT',
      'robot of the written scene: bundled name, or path relative to that scene (default: that of the input)',
    ),
    srdf: text('FILE', 'SRDF file of the robot, relative to the written scene; planning groups are read from it'),
    limits: text('FILE', 'joint_limits.yaml of the robot, relative to the written scene'),
    format: optionalChoice(motionFormats, 'json', 'trajectory format of a UR program'),
    output: text('FILE', 'output file (default: stdout); for ros-goal: a folder', 'o'),
  },
  details: `Boxes, spheres, cylinders and cones keep their sizes and poses, planes become half-spaces, and meshes
become convex hulls. Octomaps are refused. Attached objects, joint states, goals (joints or poses) and allowed pairs with
these objects are converted. Content that a scene cannot express is an error; ignored content that changes no result is
reported on stderr. A scene without a robot can be included by other scenes.
A UR program of movej, movel, movec and movep becomes a timed trajectory: each move from rest to rest with the
trapezoidal profile of its a and v. The program is checked, and so is the trajectory. Programs whose motion or times the
manual leaves open are not converted: blends, lines that turn the tool, moves with a time t, popups (docs/urscript.md).
Exit code 0: converted, 1: the UR program is not valid, or its times are not known; nothing is written.`,
  examples: [
    ['elbowroom convert kitchen.scene --robot ur5e -o kitchen.yaml', 'a scene of MoveIt for the UR5e'],
    ['elbowroom convert scene0001.yaml request0001.yaml --robot ur5.urdf', 'a problem of MotionBenchMaker'],
    ['elbowroom convert cell.yaml motion.script --format csv', 'a UR program as a timed trajectory'],
    ['elbowroom convert scene.yaml pose.yaml --robot ur5e', 'a goal pose (PoseStamped) of the tool center point'],
  ],

  async run(io, [file, request], { robot, srdf, limits, format, output }) {
    if (request !== undefined && isScript(request)) {
      if ((robot ?? srdf ?? limits) !== undefined)
        throw new InputError(`${request}: the robot of a UR program is that of its scene`, 'Give a scene alone.');
      const { convertScript } = await import('../moves/convertScript.ts');
      return convertScript(io, file!, request, motionFormats[format ?? 'json'], output);
    }
    if (format !== undefined) throw new InputError('--format: for a UR program (.script)', 'Scenes are YAML.');
    if (output !== undefined) checkOutput(output);
    const folder = output === undefined ? '.' : dirname(output);
    const scene = await readForeign(file!, request, { robot, srdf, folder });
    io.warn(scene.notes);
    const written = sceneText(
      { ...scene, ...(srdf && { srdf }), ...(limits && { joint_limits: limits }) },
      robot ?? scene.robot,
    );
    await io.put(output, written);
    return ExitCode.Ok;
  },
});

interface StatedRobot {
  readonly robot: string | undefined;
  readonly srdf: string | undefined;
  /** Folder of the scene that is written, to which their paths are relative. */
  readonly folder: string;
}

async function readForeign(file: string, request: string | undefined, stated: StatedRobot): Promise<ForeignScene> {
  const content = await readInputText(file);
  if (/\.(ya?ml|json)$/i.test(file)) {
    const requestFile = request === undefined ? undefined : { text: await readInputText(request), file: request };
    return readPlanningScene(content, file, { request: requestFile, robot: await robotOf(stated) });
  }
  if (!/\.scene$/i.test(file)) {
    const note = 'Supported: .scene, and .yaml or .json of a planning scene.';
    throw new InputError(`${file}: unknown kind of scene file`, note);
  }
  if (request !== undefined) throw new InputError(`${request}: a .scene file cannot be combined with a request`);
  return readMoveitScene(content, file);
}

/** Loads the robot that is stated; undefined if none is. */
async function robotOf({ robot, srdf, folder }: StatedRobot): Promise<RobotDescription | undefined> {
  if (robot === undefined) return undefined;
  const located = (name: string) => resolve(folder, name);
  const files = { bodies: false, ...(srdf === undefined ? {} : { srdf: located(srdf) }) };
  return loadRobot(isRobotPath(robot) ? located(robot) : robot, files);
}
