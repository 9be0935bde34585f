import { verifyCertificate } from '../../certificate/verify.ts';
import { readTrajectory } from '../../formats/trajectories/index.ts';
import { loadCertificate } from '../../node/certificates.ts';
import { loadScene, readContent } from '../../node/files.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const verify = defineCommand({
  summary: 'does this certificate prove the trajectory free of collision?',
  operands: [
    { name: 'CERTIFICATE', meaning: 'list of separating planes, as plan --certificate writes it' },
    sceneOperand,
    { name: 'TRAJECTORY', meaning: 'the trajectory or path that the certificate was written for' },
  ],
  options: {},
  details: `Every plane is proved anew over its whole span, by kinematics and bounds of verify's own: nothing of the planner, of
the narrow phase or of the program that wrote the certificate is used. Limits of the joints are the business of check.
A line of JSON on stdout, {"proved", "pairs", "spans", "least_gap", "problems": [...]}; least_gap: metres that every pair is
proved to stay apart. Exit code 0: proved, 1: not.`,

  async run(io, [certificatePath, scenePath, trajectoryPath]) {
    const certificate = await loadCertificate(certificatePath!);
    const { scene, robot, warnings } = await loadScene(scenePath!, { cache: false });
    const model = createSceneRobot({ scene, robot });
    const joints = model.variables.map((joint) => joint.name);
    const trajectory = await readTrajectory(await readContent(trajectoryPath!), trajectoryPath!, joints);
    io.warn(warnings);
    const { proved, problems, spans, leastGap } = io.compute(() =>
      verifyCertificate(certificate, model, scene, trajectory),
    );
    for (const problem of problems) io.say(`${certificatePath}: ${problem}`);
    const answer = { proved, pairs: certificate.pairs.length, spans, least_gap: leastGap ?? null, problems };
    await io.write(`${JSON.stringify(answer)}\n`);
    return proved ? ExitCode.Ok : ExitCode.No;
  },
});
