import { dirname, resolve } from 'node:path';
import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { InputError } from '../../../errors.ts';
import { type ForeignScene, sceneText } from '../../../formats/scenes/moveit/foreignScene.ts';
import { readMoveitScene } from '../../../formats/scenes/moveit/moveitScene.ts';
import { readPlanningScene } from '../../../formats/scenes/moveit/planningScene.ts';
import { isRobotPath } from '../../../formats/scenes/robots/robotReference.ts';
import { readInputText } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { loadRobot } from '../../node/robots.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { text } from '../options.ts';

export const convert = defineCommand({
  summary: 'scene conversion: a scene from a MoveIt .scene file or from a planning scene (YAML, JSON)',
  operands: [
    {
      name: 'FILE',
      meaning: 'MoveIt .scene file, or planning scene as ROS and MotionBenchMaker write it (.yaml, .json)',
    },
    { name: 'REQUEST', meaning: 'motion plan request (start and goals), or goal pose (PoseStamped)', optional: true },
  ],
  options: {
    robot: text(
      'ROBOT',
      'robot of the written scene: bundled name, or path relative to that scene (default: that of the input)',
    ),
    srdf: text('FILE', 'SRDF file of the robot, relative to the written scene; planning groups are read from it'),
    limits: text('FILE', 'joint_limits.yaml of the robot, relative to the written scene'),
    output: text('FILE', 'output file (default: stdout)', 'o'),
  },
  details: `Boxes, spheres, cylinders and cones keep their sizes and poses, planes become half-spaces, meshes become
convex hulls, and octomaps become boxes. Attached objects, joint states, goals (joints or poses) and allowed pairs with
these objects are converted. Content that a scene cannot express is an error; ignored content that changes no result is
reported on stderr. A scene without a robot can be included by other scenes.`,
  examples: [
    ['elbowroom convert kitchen.scene --robot ur5e -o kitchen.yaml', 'a scene of MoveIt for the UR5e'],
    ['elbowroom convert scene0001.yaml request0001.yaml --robot ur5.urdf', 'a problem of MotionBenchMaker'],
    ['elbowroom convert scene.yaml pose.yaml --robot ur5e', 'a goal pose (PoseStamped) of the tool center point'],
  ],

  async run(io, [file, request], { robot, srdf, limits, output }) {
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
