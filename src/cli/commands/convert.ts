import { InputError } from '../../errors.ts';
import { type ForeignScene, sceneText } from '../../formats/scenes/foreignScene.ts';
import { readMoveitScene } from '../../formats/scenes/moveitScene.ts';
import { readPlanningScene } from '../../formats/scenes/planningScene.ts';
import { readInputText, writeWhole } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { text } from '../options.ts';

export const convert = defineCommand({
  summary: 'make a scene of a MoveIt .scene file, or of a planning scene as YAML',
  operands: [
    { name: 'FILE', meaning: 'a .scene text, or a planning scene as ROS and MotionBenchMaker write it (.yaml, .json)' },
    { name: 'REQUEST', meaning: 'a motion request as YAML: start and goals', optional: true },
  ],
  options: {
    robot: text('ROBOT', "robot of the scene, as scenes name it; default: the file's own word for it"),
    output: text('FILE', 'write there instead of to stdout', 'o'),
  },
  details: `Boxes, spheres, cylinders and cones keep their sizes and poses, planes become half-spaces, and meshes their convex hulls. Attached bodies,
joint states, joint goals and allowed pairs with these bodies are carried over; what is left out is said on stderr. Without a robot the
scene can be included by others.`,
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
    else await writeWhole(output, written);
    return ExitCode.Ok;
  },
});

async function readForeign(file: string, request: string | undefined): Promise<ForeignScene> {
  const content = await readInputText(file);
  if (/\.(ya?ml|json)$/i.test(file)) {
    const wanted = request === undefined ? undefined : { text: await readInputText(request), file: request };
    return readPlanningScene(content, file, wanted);
  }
  if (!/\.scene$/i.test(file)) {
    const note = 'Read are .scene, and .yaml or .json of a planning scene.';
    throw new InputError(`${file}: the name tells no kind of scene`, note);
  }
  if (request !== undefined) throw new InputError(`${request}: a .scene file takes no request`);
  return readMoveitScene(content, file);
}
