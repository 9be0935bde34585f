import { certificateText } from '../../certificate/certificate.ts';
import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { readTrajectory } from '../../formats/trajectories/index.ts';
import { checkers } from '../../narrowphase/index.ts';
import { loadScene, readContent, writeWhole } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { certifyTrajectory } from '../../tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker, describeFaults } from '../../tasks/checking/checkTrajectory.ts';
import { createSceneRobot, limitWarnings } from '../../tasks/sceneRobot.ts';
import { trajectoryHash } from '../../trajectory/trajectoryHash.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, text } from '../options.ts';
import { noCertificate } from '../plan/verifyOutput.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const check = defineCommand({
  summary: 'is this trajectory free of collision over continuous time and within its limits?',
  operands: [
    sceneOperand,
    { name: 'TRAJECTORY', meaning: 'trajectory or path in any format that plan writes, whoever made it' },
  ],
  options: {
    checker: choice(checkers, 'growth-distance', 'narrow phase'),
    certificate: text('FILE', 'write the planes that prove a valid trajectory there, for verify'),
  },
  details: `Checks the curve that a joint trajectory controller executes, segment by segment, or that the file states (interpolation):
linear between positions alone, cubic with velocities at both ends, quintic with velocities and accelerations at both ends.
A jump of the velocity, and a start or end that is not at rest, is a fault (not for servoj set points at most 8 ms apart).
A line of JSON on stdout, {"valid", "points", "duration", "limit_ratios": {"velocity", "acceleration", "jerk"}, "faults": [...]};
limit_ratios: the greatest value over its limit at any moment, 1 at most where all are kept, null where infinite;
a path without times has none.
Exit code 0: valid, 1: not.`,

  async run(io, [scenePath, trajectoryPath], { checker, certificate }) {
    if (certificate !== undefined) checkOutput(certificate);
    const { scene, robot, warnings } = await loadScene(scenePath!, { cache: false });
    const model = createSceneRobot({ scene, robot });
    const joints = model.variables.map((joint) => joint.name);
    const trajectory = await readTrajectory(await readContent(trajectoryPath!), trajectoryPath!, joints);
    io.warn([...warnings, ...limitWarnings(model)]);
    if (trajectory.statedHash !== undefined && trajectory.statedHash !== trajectoryHash(trajectory)) {
      io.warn([
        `${trajectoryPath}: the hash in the file is not that of its points: they were changed after it was written`,
      ]);
    }
    const manager = new CollisionManager(new CollisionModel(model, scene), { checker });
    const answer = io.compute(() => createTrajectoryChecker(model, manager)(trajectory, trajectoryPath));
    const faults = describeFaults(answer);
    for (const fault of faults) io.say(fault);
    const { valid, duration, ratios } = answer;
    const limit_ratios = duration === undefined ? undefined : ratios;
    if (valid && certificate !== undefined) {
      const proof = io.compute(() => certifyTrajectory(manager.posed, trajectory, trajectoryPath));
      if (proof) await writeWhole(certificate, certificateText(proof));
      else io.warn([noCertificate(manager.model)]);
    }
    await io.write(`${JSON.stringify({ valid, points: trajectory.points.length, duration, limit_ratios, faults })}\n`);
    return valid ? ExitCode.Ok : ExitCode.No;
  },
});
