import { certificateText } from '../../certificate/certificate.ts';
import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { readTrajectory } from '../../formats/trajectories/index.ts';
import { checkers } from '../../narrowphase/index.ts';
import { loadScene, readContent, writeAtomically } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { certifyTrajectory } from '../../tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker, describeFaults } from '../../tasks/checking/checkTrajectory.ts';
import { certifyProgram } from '../../tasks/programs/certifyProgram.ts';
import { checkProgram } from '../../tasks/programs/checkProgram.ts';
import { completeProgram } from '../../tasks/programs/completeProgram.ts';
import { createSceneRobot, limitWarnings } from '../../tasks/sceneRobot.ts';
import { trajectoryHash } from '../../trajectory/trajectoryHash.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, text } from '../options.ts';
import { missingCertificateReason } from '../plan/verifyOutput.ts';
import { sceneOperand } from '../sceneOperand.ts';
import { shellWord } from '../shellWord.ts';

export const check = defineCommand({
  summary: 'trajectory validation: collisions over continuous time, and limits',
  operands: [
    sceneOperand,
    { name: 'TRAJECTORY', meaning: 'trajectory or path in any format that plan writes, from any program' },
  ],
  options: {
    checker: choice(checkers, 'growth-distance', 'narrow-phase algorithm'),
    certificate: text('FILE', 'output file of the certificate of a valid trajectory (separating planes), for verify'),
  },
  details: `Checks the curve that a joint trajectory controller executes, segment by segment, or the curve that the file states (interpolation):
linear for positions only, cubic with velocities at both ends, quintic with velocities and accelerations at both ends.
Velocity jumps, and a start or end that is not at rest, are faults (except for servoj set points at most 8 ms apart).
Writes one line of JSON, {"valid", "points", "duration", "limit_ratios": {"velocity", "acceleration", "jerk"}, "faults": [...]};
limit_ratios: maximum over time of value / limit, at most 1 if all limits are kept, null if infinite; absent for a path without times.
If a single motion is not valid, the command that repairs it is printed on stderr.
Exit code 0: valid, 1: not valid.`,

  async run(io, [scenePath, trajectoryPath], { checker, certificate }) {
    if (certificate !== undefined) checkOutput(certificate);
    const { scene, robot, warnings } = await loadScene(scenePath!, { cache: false });
    const model = createSceneRobot({ scene, robot });
    const joints = model.variables.map((joint) => joint.name);
    const read = await readTrajectory(await readContent(trajectoryPath!), trajectoryPath!, joints);
    const trajectory = completeProgram(read, model, scene, trajectoryPath!);
    io.warn([...warnings, ...limitWarnings(model)]);
    if (trajectory.statedHash !== undefined && trajectory.statedHash !== trajectoryHash(trajectory)) {
      io.warn([
        `${trajectoryPath}: the hash in the file does not match its points: they were changed after it was written`,
      ]);
    }
    const manager = new CollisionManager(new CollisionModel(model, scene), { checker });
    const program =
      scene.steps === undefined
        ? undefined
        : io.compute(() => checkProgram(model, scene, trajectory, { checker, place: trajectoryPath }));
    const result = program ?? io.compute(() => createTrajectoryChecker(model, manager)(trajectory, trajectoryPath));
    const faults = [...(program?.stepFaults.map(({ what }) => what) ?? []), ...describeFaults(result)];
    for (const fault of faults) io.say(fault);
    if (!result.valid && !program && trajectoryPath !== '-')
      io.say(`to repair it: elbowroom repair ${shellWord(scenePath!)} ${shellWord(trajectoryPath!)} -o repaired.json`);
    const { valid, duration, ratios } = result;
    const limit_ratios = duration === undefined ? undefined : ratios;
    if (valid && certificate !== undefined) {
      const proof = io.compute(() =>
        program
          ? certifyProgram(trajectory, program.intervals, model, scene)
          : certifyTrajectory(manager.posed, trajectory, trajectoryPath),
      );
      if (proof) await writeAtomically(certificate, certificateText(proof));
      else io.warn([missingCertificateReason(manager.model)]);
    }
    await io.write(`${JSON.stringify({ valid, points: trajectory.points.length, duration, limit_ratios, faults })}\n`);
    return valid ? ExitCode.Ok : ExitCode.No;
  },
});
