import { optimizationDefaults } from '../../../core/optimization/trajectoryOptimization.ts';
import { requireStill } from '../../../core/scene/movingScene.ts';
import { requireSingleMotion } from '../../../core/scene/program.ts';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import { readTrajectory, writers } from '../../../formats/trajectories/index.ts';
import { certifyTrajectory } from '../../../tasks/checking/certifyTrajectory.ts';
import { uncheckedPairs } from '../../../tasks/checking/uncheckedCount.ts';
import { optimizeMotion } from '../../../tasks/planning/optimizeMotion.ts';
import { comparison } from '../../../tasks/reports/optimizedPlan.ts';
import { limitWarnings } from '../../../tasks/sceneRobot.ts';
import { World } from '../../../tasks/world.ts';
import { checkOutputs } from '../../node/outputTarget.ts';
import { certificateTextFor } from '../../node/scenes/resolved/resolvedScene.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, integer, optionalInteger, text } from '../options.ts';
import { faultAsWritten } from '../plan/verifyOutput.ts';
import { beginningWarnings, loadModel, readMotion } from '../sceneMotion.ts';
import { sceneOperand } from '../sceneOperand.ts';

const defaults = optimizationDefaults;

export const optimize = defineCommand({
  summary: 'trajectory optimization: a faster motion with no less clearance, proved collision-free',
  operands: [
    sceneOperand,
    { name: 'TRAJECTORY', meaning: 'timed trajectory from rest to rest, in any format that plan writes' },
  ],
  options: {
    pieces: optionalInteger(
      `${defaults.pieces}; then 44 if no faster motion is proved`,
      'number of cubic segments of the result',
      {
        min: 8,
        max: 200,
      },
    ),
    steps: integer(defaults.steps, 'number of quadratic programs that are solved', { min: 1, max: 1000 }),
    certificate: text('FILE', 'output file of the certificate of the result (separating planes), for verify'),
    format: choice(writers, 'json', 'trajectory format'),
    output: text('FILE', 'output file, written completely or not at all (default: stdout)', 'o'),
    stats: text(
      'FILE',
      'output file of one JSON line with status and figures before and after; - for stdout (needs -o)',
    ),
  },
  details: `The result keeps start, goal and all limits, has at least the clearance of the input (both sampled at 400
evenly spaced times), and is
proved collision-free over continuous time. If no faster motion is found, the result is the input.
Figures: duration, length in joint space, minimum clearance, root mean square of the acceleration.
Exit code 0: improved or kept, 1: refused, because the input is not valid or no timed curve from rest to rest,
or because the result as the format stores it is not proved.`,
  examples: [['elbowroom optimize scenes/table-top.yaml motion.json -o faster.json', 'after plan -o motion.json']],

  async run(io, [scenePath, trajectoryPath], given) {
    checkOutputs([given.output, given.certificate, given.stats === '-' ? undefined : given.stats]);
    const { scene, model, warnings: stated } = await loadModel(scenePath!);
    requireSingleMotion(scene, scenePath!);
    requireStill(scene, scenePath!);
    const motion = await readMotion(io, trajectoryPath!, model, scene);
    io.warn([...stated, ...limitWarnings(model, scene)]);
    const { manager } = new World(model, scene);
    const { pieces, steps } = given;
    const options = pieces === undefined ? { steps } : { pieces, steps };
    const result = io.compute('optimizing the motion', () =>
      optimizeMotion(motion, model, manager, options, trajectoryPath),
    );
    if (result.status !== 'refused') io.warn(beginningWarnings(result.trajectory, model, scene, trajectoryPath!));
    io.say(
      result.status === 'improved'
        ? comparison(result.before!, result.after!, model)
        : `${result.status}: ${result.reason}`,
    );
    const storedFault = (one: Trajectory) =>
      given.format === 'json' ? undefined : faultAsWritten(one, { scene, model }, writers[given.format]);
    let fault = result.status === 'refused' ? undefined : await storedFault(result.trajectory);
    let { status, reason, trajectory, after } = result;
    const { before } = result;
    if (fault !== undefined && status === 'improved') {
      io.say(`${fault}; the input motion is written`);
      fault = await storedFault(motion);
      ({ status, reason, trajectory, after } = {
        status: 'kept',
        reason: 'no faster motion is proved',
        trajectory: motion,
        after: before,
      });
    }
    if (given.stats !== undefined) {
      const unchecked = uncheckedPairs(model, scene);
      const { warnings } = io;
      await io.put(given.stats, `${JSON.stringify({ status, reason, before, after, unchecked, warnings })}\n`);
    }
    if (status === 'refused') return ExitCode.No;
    if (fault !== undefined) {
      io.say(fault);
      return ExitCode.No;
    }
    const content = writers[given.format].write(trajectory);
    if (given.output !== undefined || given.stats !== '-') await io.put(given.output, content);
    if (given.certificate !== undefined) {
      const written = await readTrajectory(content, given.output ?? trajectoryPath!, model);
      const proof = io.compute('certifying the motion', () => certifyTrajectory(manager.posed, written));
      if (proof) io.save(given.certificate, await certificateTextFor(proof, scenePath!));
      else io.warn([`no certificate: the motion as ${given.format} stores it cannot be proved`]);
    }
    return ExitCode.Ok;
  },
});
