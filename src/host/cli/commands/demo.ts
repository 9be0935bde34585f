import { join } from 'node:path';
import { verifyCertificate } from '../../../core/certificate/verify.ts';
import { InputError } from '../../../errors.ts';
import { writers } from '../../../formats/trajectories/index.ts';
import { pageWith } from '../../../tasks/pictures/page.ts';
import { planMotion } from '../../../tasks/planning/planMotion.ts';
import { builtInScenes } from '../../node/packageFolder.ts';
import { readPageTemplate } from '../../node/pageTemplate.ts';
import { certificateTextFor } from '../../node/scenes/resolved/resolvedScene.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { text } from '../options.ts';
import { loadModel } from '../sceneMotion.ts';

const SCENE = 'shelf';

export const demo = defineCommand({
  summary: 'demonstration: plan, certify, verify and show one motion',
  operands: [],
  options: {
    output: text('DIR', 'output folder of the motion, its certificate and its report (default: elbowroom-demo)', 'o'),
  },

  async run(io, _, { output: folder = 'elbowroom-demo' }) {
    const path = builtInScenes()[SCENE];
    if (path === undefined) throw new InputError('the scenes of the package are missing', 'Install the package again.');
    const { scene, robot, model } = await loadModel(path);
    io.say(`A ${model.dof}-joint arm (${robot.name}), ${scene.obstacles.length} obstacles: ${scene.description}`);
    io.say('');

    const problem = { scene, robot, model };
    const result = io.compute('planning', () => planMotion(problem, { certificate: true }, { clock: io.clock }));
    const { trajectory, certificate, stats } = result;
    if (!trajectory || !certificate) throw new Error(`the demonstration has no motion: ${result.reason}`);
    const ms = stats.planning_ms + stats.shortcut_ms + stats.timing_ms + stats.check_ms;
    io.say(
      `  plan      ${stats.duration?.toFixed(2)} s of motion, ${stats.path_length?.toFixed(2)} rad, found in ` +
        `${ms.toFixed(0)} ms`,
    );

    const verdict = io.compute('verifying the certificate', () =>
      verifyCertificate(certificate, model, scene, trajectory),
    );
    if (!verdict.proved) throw new Error(`the certificate of the demonstration fails: ${verdict.problems[0]}`);
    const pairs = certificate.pairs.length;
    io.say(`  prove     ${pairs} pairs of collision objects separated at every instant, by ${verdict.spans} planes`);
    io.say('  verify    every plane is confirmed by a checker with kinematics and bounds of its own');

    const page = pageWith(await readPageTemplate(), {
      format: 'elbowroom-page/1',
      title: scene.name,
      problem: { scene, robot },
      trajectory,
      certificate,
      stats,
    });
    const files = {
      'motion.json': writers['json'].write(trajectory),
      'certificate.json': await certificateTextFor(certificate, path),
      'report.html': page,
    };
    for (const [name, content] of Object.entries(files)) io.save(join(folder, name), content);
    io.say(`  show      ${join(folder, 'report.html')}: open it in a browser; the page verifies the certificate again`);
    io.say('');
    io.say(`Next: elbowroom plan ${SCENE} --seed 2 -o motion.json, or elbowroom view ${SCENE}`);
    return ExitCode.Ok;
  },
});
