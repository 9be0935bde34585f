import { certificateText } from '../../certificate/certificate.ts';
import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { readTrajectory, writers } from '../../formats/trajectories/index.ts';
import { loadScene, readContent, writeWhole } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { optimizationDefaults } from '../../optimization/trajectoryOptimization.ts';
import { certifyTrajectory } from '../../tasks/checking/certifyTrajectory.ts';
import { optimizeMotion } from '../../tasks/planning/optimizeMotion.ts';
import { createSceneRobot, limitWarnings } from '../../tasks/sceneRobot.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, integer, optionalInteger, text } from '../options.ts';
import { comparison } from '../plan/optimizedPlan.ts';
import { faultAsWritten } from '../plan/verifyOutput.ts';
import { sceneOperand } from '../sceneOperand.ts';

const defaults = optimizationDefaults;

export const optimize = defineCommand({
  summary: 'make a timed motion faster at no less clearance, and prove it; or return it as it is',
  operands: [
    sceneOperand,
    { name: 'TRAJECTORY', meaning: 'timed motion from rest to rest, in any format that plan writes' },
  ],
  options: {
    pieces: optionalInteger(`${defaults.pieces}, or 44 where these lead to nothing`, 'cubic pieces of the answer', {
      least: 8,
      most: 200,
    }),
    steps: integer(defaults.steps, 'quadratic programs that are solved', { least: 1, most: 1000 }),
    certificate: text('FILE', 'write the planes that prove the answer there, for verify'),
    format: choice(writers, 'json', 'form of the trajectory'),
    output: text('FILE', 'write there, whole or not at all, instead of stdout', 'o'),
    stats: text('FILE', 'a line of JSON with status and figures before and after; - for stdout, with -o'),
  },
  details: `The answer keeps start, goal and all limits, comes no nearer to anything than the motion given did at 400 moments spread evenly over each,
and is proved free of collision over continuous time. Where no such motion is found that is faster, the motion given is the answer.
Figures: duration, length in joint space, least clearance, root mean square of the acceleration.
Exit code 0: improved or kept, 1: refused, for the motion given is not valid, or no timed curve from rest to rest,
or because the answer is not proved as a file of that format would carry it.`,
  examples: [['elbowroom optimize scenes/table-top.yaml motion.json -o faster.json', 'after plan -o motion.json']],

  async run(io, [scenePath, trajectoryPath], given) {
    for (const file of [given.output, given.certificate]) if (file !== undefined) checkOutput(file);
    const { scene, robot, warnings } = await loadScene(scenePath!);
    const model = createSceneRobot({ scene, robot });
    const joints = model.variables.map((joint) => joint.name);
    const motion = await readTrajectory(await readContent(trajectoryPath!), trajectoryPath!, joints);
    io.warn([...warnings, ...limitWarnings(model)]);
    const manager = new CollisionManager(new CollisionModel(model, scene));
    const { pieces, steps } = given;
    const options = pieces === undefined ? { steps } : { pieces, steps };
    const answer = io.compute(() => optimizeMotion(motion, model, manager, options, trajectoryPath));
    io.say(
      answer.status === 'improved' ? comparison(answer.before!, answer.after!) : `${answer.status}: ${answer.reason}`,
    );
    const carried = (one: Trajectory) =>
      given.format === 'json' ? undefined : faultAsWritten(one, { scene, model }, writers[given.format]);
    let fault = answer.status === 'refused' ? undefined : await carried(answer.trajectory);
    let { status, reason, trajectory, after } = answer;
    const { before } = answer;
    if (fault !== undefined && status === 'improved') {
      io.say(`${fault}; the motion is written as it was`);
      fault = await carried(motion);
      ({ status, reason, trajectory, after } = {
        status: 'kept',
        reason: 'no faster motion is proved',
        trajectory: motion,
        after: before,
      });
    }
    if (given.stats !== undefined) {
      const line = `${JSON.stringify({ status, reason, before, after })}\n`;
      if (given.stats === '-') await io.write(line);
      else await writeWhole(given.stats, line);
    }
    if (status === 'refused') return ExitCode.No;
    if (fault !== undefined) {
      io.say(fault);
      return ExitCode.No;
    }
    const content = writers[given.format].write(trajectory);
    if (given.output !== undefined) await writeWhole(given.output, content);
    else if (given.stats !== '-') await io.write(content);
    if (given.certificate !== undefined) {
      const written = await readTrajectory(content, given.output ?? trajectoryPath!, joints);
      const proof = io.compute(() => certifyTrajectory(manager.posed, written));
      if (proof) await writeWhole(given.certificate, certificateText(proof));
      else io.warn([`as ${given.format} carries it, the motion cannot be proved: no certificate`]);
    }
    return ExitCode.Ok;
  },
});
