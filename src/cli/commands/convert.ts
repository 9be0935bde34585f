import { InputError } from '../../errors.ts';
import { type ForeignScene, sceneText } from '../../formats/scenes/foreignScene.ts';
import { readMoveitScene } from '../../formats/scenes/moveitScene.ts';
import { readPlanningScene } from '../../formats/scenes/planningScene.ts';
import { readInputText, writeAtomically } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
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
    { name: 'REQUEST', meaning: 'motion plan request (YAML): start and goals', optional: true },
  ],
  options: {
    robot: text('ROBOT', "robot of the scene, as scene files name it (default: the file's own name)"),
    output: text('FILE', 'output file (default: stdout)', 'o'),
  },
  details: `Boxes, spheres, cylinders and cones keep their sizes and poses, planes become half-spaces, and meshes their
convex hulls. Attached objects,
joint states, joint goals and allowed pairs with these objects are converted; omissions are reported on stderr. A scene
without a robot can be included by other scenes.`,
  examples: [
    ['elbowroom convert kitchen.scene --robot ur5e -o kitchen.yaml', 'a scene of MoveIt for the UR5e'],
    ['elbowroom convert scene0001.yaml request0001.yaml --robot ur5.urdf', 'a problem of MotionBenchMaker'],
  ],

  async run(io, [file, request], { robot, output }) {
    if (output !== undefined) checkOutput(output);
    const scene = await readForeign(file!, request);
    io.warn(scene.notes);
    const written = sceneText(scene, robot ?? scene.robot);
    if (output === undefined) await io.write(written);
    else await writeAtomically(output, written);
    return ExitCode.Ok;
  },
});

async function readForeign(file: string, request: string | undefined): Promise<ForeignScene> {
  const content = await readInputText(file);
  if (/\.(ya?ml|json)$/i.test(file)) {
    const requestFile = request === undefined ? undefined : { text: await readInputText(request), file: request };
    return readPlanningScene(content, file, requestFile);
  }
  if (!/\.scene$/i.test(file)) {
    const note = 'Supported: .scene, and .yaml or .json of a planning scene.';
    throw new InputError(`${file}: unknown kind of scene file`, note);
  }
  if (request !== undefined) throw new InputError(`${request}: a .scene file cannot be combined with a request`);
  return readMoveitScene(content, file);
}
