import { verifyCertificate } from '../../certificate/verify.ts';
import { verifyProgram } from '../../certificate/verifyProgram.ts';
import { readTrajectory } from '../../formats/trajectories/index.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { loadCertificate } from '../../node/certificates.ts';
import { loadScene, readContent } from '../../node/files.ts';
import type { Scene } from '../../scene/scene.ts';
import { createConstraintCheck } from '../../tasks/checking/constraintFaults.ts';
import { checkProgram } from '../../tasks/programs/checkProgram.ts';
import { completeProgram } from '../../tasks/programs/completeProgram.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
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
the planner, of the narrow phase or of the program that wrote the certificate is used. Joint limits are not checked: see check.
Path constraints of the scene are proved by the code of check.
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
    const verified = io.compute(() =>
      scene.steps === undefined
        ? verifyCertificate(certificate, model, scene, trajectory)
        : verifyProgram(certificate, model, scene, trajectory),
    );
    const { spans, leastGap } = verified;
    const violations = verified.proved ? io.compute(() => constraintProblems(model, scene, trajectory)) : [];
    const problems = [...verified.problems, ...violations];
    const proved = verified.proved && violations.length === 0;
    for (const problem of problems) io.say(`${certificatePath}: ${problem}`);
    const segments = certificate.segments ?? [certificate];
    const pairCount = segments.reduce((sum, { pairs }) => sum + pairs.length, 0);
    const result = { proved, pairs: pairCount, spans, least_gap: leastGap ?? null, problems };
    await io.write(`${JSON.stringify(result)}\n`);
    return proved ? ExitCode.Ok : ExitCode.No;
  },
});

/** Returns the constraints of a scene, or of the steps of its program, that a motion is not proved to satisfy. */
function constraintProblems(model: RobotModel, scene: Scene, trajectory: Trajectory): string[] {
  const motion = inJointOrder(
    trajectory,
    model.variables.map((joint) => joint.name),
  );
  if (scene.steps === undefined)
    return createConstraintCheck(
      model,
      scene,
    )(motion).map(({ label, time }) => `constraint "${label}" is not proved at ${time}`);
  const own = scene.steps.some((step) => 'constraints' in step && step.constraints.length > 0);
  if (!own && (scene.constraints ?? []).length === 0) return [];
  const { stepFaults, faults } = checkProgram(model, scene, motion, { checker: 'growth-distance' });
  if (faults.some(({ kind }) => kind === 'time')) return ['the constraints are not proved: the times do not increase'];
  return stepFaults.map(({ what }) => what);
}
