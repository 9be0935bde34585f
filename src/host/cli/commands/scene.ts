import { InputError } from '../../../errors.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { resolveSceneChecked } from '../../node/scenes/resolved/resolvedScene.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { flag, text } from '../options.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const scene = defineCommand({
  summary: 'scene archive: one JSON file with everything that a scene refers to, and hashes of the files',
  operands: [sceneOperand],
  options: {
    resolved: flag('write the scene without includes, names of files, units and named states'),
    output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
  },
  details: `The robot is inlined as URDF text (xacro is expanded) with its SRDF; meshes and other files are embedded in
base64 under their SHA-256. "hashes" lists all files that were read. The written scene is read again before it is
written: it is the same scene to the last digit, and plans of both are byte-identical. Certificates name its hashes,
"scene_hash" and "robot_hash".
Refused: robots in SDF or MJCF, meshes in several files, objects that have not been dropped yet.`,
  examples: [['elbowroom scene shelf --resolved -o shelf.json', 'an archive of a scene; then: plan shelf.json']],

  async run(io, [path], { resolved, output }) {
    if (!resolved) throw new InputError('scene needs --resolved', 'elbowroom scene SCENE --resolved -o FILE');
    if (output !== undefined) checkOutput(output);
    const { text: content } = await resolveSceneChecked(path!);
    await io.put(output, content);
    return ExitCode.Ok;
  },
});
