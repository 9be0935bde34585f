import { basename } from 'node:path';
import { certifyMotion } from '../../../tasks/checkMotion.ts';
import { type ComparedMotion, pageWith, withMotions } from '../../../tasks/pictures/page.ts';
import { requireReplayable } from '../../../tasks/pictures/replay.ts';
import { World } from '../../../tasks/world.ts';
import { loadCertificate } from '../../node/certificates.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { readPageTemplate } from '../../node/pageTemplate.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { text } from '../options.ts';
import { loadModel, readMotion } from '../sceneMotion.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const report = defineCommand({
  summary: 'HTML report: one file that replays a motion, plots it and verifies its certificate',
  operands: [
    sceneOperand,
    {
      name: 'TRAJECTORY',
      meaning: 'trajectory or path in any format that plan writes, from any program; several are compared',
      many: true,
    },
  ],
  options: {
    certificate: text('FILE', 'certificate of the first trajectory (default: computed)'),
    output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
  },
  details: `The file is self-contained: it needs no network and no other file.
Exit code 0: written; the report shows whether the motion is proved collision-free.`,
  examples: [
    ['elbowroom report scenes/shelf.yaml shelf.json -o shelf.html', 'a report of a planned motion'],
    ['elbowroom report scenes/shelf.yaml a.json b.json -o both.html', 'two motions, compared'],
  ],

  async run(io, [scenePath, ...trajectoryPaths], given) {
    if (given.output !== undefined) checkOutput(given.output);
    const { scene, robot, model, warnings } = await loadModel(scenePath!);
    io.warn(warnings);
    const motions: ComparedMotion[] = [];
    for (const [i, path] of (trajectoryPaths as string[]).entries()) {
      const trajectory = await readMotion(io, path, model, scene);
      requireReplayable(model, scene, trajectory, path);
      const certificate =
        given.certificate === undefined || i > 0
          ? io.compute('certifying the motion', () => certifyMotion(new World(model, scene), trajectory, path))
          : await loadCertificate(given.certificate);
      motions.push({ label: basename(path), trajectory, ...(certificate ? { certificate } : {}) });
    }
    const page = pageWith(await readPageTemplate(), {
      format: 'elbowroom-page/1',
      title: scene.name,
      problem: { scene, robot },
      ...withMotions(motions),
    });
    await io.put(given.output, page);
    return ExitCode.Ok;
  },
});
