import { readTrajectory } from '../../formats/trajectories/index.ts';
import { loadCertificate } from '../../node/certificates.ts';
import { loadScene, readContent } from '../../node/files.ts';
import { completeProgram } from '../../tasks/programs/completeProgram.ts';
import { verifyReport } from '../../tasks/reports/verifyReport.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const verify = defineCommand({
  summary: 'certificate verification: does the certificate prove the trajectory collision-free?',
  operands: [
    { name: 'CERTIFICATE', meaning: 'certificate (separating planes), as plan --certificate writes it' },
    sceneOperand,
    { name: 'TRAJECTORY', meaning: 'trajectory or path of the certificate' },
  ],
  options: {},
  details: `Every plane is proved again over its whole time interval with an independent implementation of kinematics and bounds: no code of
the planner, of the narrow phase or of the program that wrote the certificate is used. Path constraints of the scene and of steps are
proved likewise. Joint limits, goals and lines are not checked: see check.
Writes one line of JSON, {"proved", "pairs", "spans", "least_gap", "problems": [...]}; least_gap: proved lower bound on the distance
of every pair, metres. Exit code 0: proved, 1: not proved.`,

  async run(io, [certificatePath, scenePath, trajectoryPath]) {
    const certificate = await loadCertificate(certificatePath!);
    const { scene, robot, warnings } = await loadScene(scenePath!, { cache: false });
    const model = createSceneRobot({ scene, robot });
    const joints = model.variables.map((joint) => joint.name);
    const read = await readTrajectory(await readContent(trajectoryPath!), trajectoryPath!, joints);
    const trajectory = completeProgram(read, model, scene, trajectoryPath!);
    io.warn(warnings);
    const report = io.compute(() => verifyReport(certificate, model, scene, trajectory));
    for (const problem of report.problems) io.say(`${certificatePath}: ${problem}`);
    await io.write(`${JSON.stringify(report)}\n`);
    return report.proved ? ExitCode.Ok : ExitCode.No;
  },
});
