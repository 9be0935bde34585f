import { distanceUnit } from '../../../core/kinematics/robotModel.ts';
import { requireStill } from '../../../core/scene/movingScene.ts';
import { requireSingleMotion } from '../../../core/scene/program.ts';
import { durationOf } from '../../../core/trajectory/trajectory.ts';
import { contentOf, motionFormats, readTrajectory } from '../../../formats/trajectories/index.ts';
import { certifyTrajectory } from '../../../tasks/checking/certifyTrajectory.ts';
import { statedWarnings } from '../../../tasks/checking/statedWarnings.ts';
import { limitWarnings } from '../../../tasks/sceneRobot.ts';
import { blendRules } from '../../../tasks/timing/blendRules.ts';
import { timePath } from '../../../tasks/timing/timePath.ts';
import { World } from '../../../tasks/world.ts';
import { checkOutputs } from '../../node/outputTarget.ts';
import { certificateTextFor } from '../../node/scenes/resolved/resolvedScene.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, flag, text } from '../options.ts';
import { motionFile, saveMotion } from '../plan/motionFiles.ts';
import { faultAsWritten, missingCertificateReason } from '../plan/verifyOutput.ts';
import { beginningWarnings, loadModel, readMotion } from '../sceneMotion.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const time = defineCommand({
  summary: 'time parameterization: the fastest motion along a given path, proved collision-free',
  operands: [sceneOperand, { name: 'PATH', meaning: 'path in any format that plan writes, from any program' }],
  options: {
    corners: choice(blendRules, 'blend', 'corner blending'),
    replaceTimes: flag('accept a trajectory: its times and velocities are replaced'),
    certificate: text('FILE', 'output file of the certificate of the motion (separating planes), for verify'),
    format: choice(motionFormats, 'json', 'trajectory format'),
    output: text(
      'FILE',
      'output file, written completely or not at all (default: stdout); for ros-goal: a folder',
      'o',
    ),
  },
  details: `The path is the straight joint-space lines through its points; repeated points are dropped, and jumps of
continuous joints by full turns unwrapped. With --corners stop
the motion is exactly on it, and at rest at each corner. With --corners blend the motion leaves
the path at corners; stderr states how far. If no motion with blends is proved, the motion stops at each corner.
The motion is proved collision-free over continuous time, and within all limits, before it is written.
Exit code 0: timed, 1: the motion along the path cannot be proved; nothing is written.`,
  examples: [
    ['elbowroom time scenes/table-top.yaml path.json -o motion.json', 'after plan --no-timing -o path.json'],
    ['elbowroom time cell.yaml path.csv --corners stop --format csv', 'exactly along the path'],
  ],

  async run(io, [scenePath, pathName], given) {
    const writer = motionFormats[given.format];
    checkOutputs([motionFile(writer, given.output), given.certificate]);
    const { scene, model, warnings } = await loadModel(scenePath!);
    requireSingleMotion(scene, scenePath!);
    requireStill(scene, scenePath!);
    const path = await readMotion(io, pathName!, model, scene);
    io.warn([...warnings, ...limitWarnings(model, scene), ...statedWarnings(path, model, pathName!)]);
    const { manager } = new World(model, scene);
    const { corners, replaceTimes } = given;
    const result = io.compute('timing the path', () =>
      timePath(path, model, manager, { corners, replaceTimes }, pathName!),
    );
    if (result.status === 'failed') {
      io.say(`${pathName}: not timed: ${result.reason}`);
      return ExitCode.No;
    }
    const { blends, repeated, turned, deviation } = result;
    io.warn(beginningWarnings(result.trajectory, model, scene, pathName!));
    const trajectory = { ...result.trajectory, scene: scene.name };
    const setting = { scene, model };
    const fault = given.format === 'json' ? undefined : await faultAsWritten(trajectory, setting, writer);
    if (fault !== undefined) {
      io.say(`${pathName}: not timed: ${fault}`);
      return ExitCode.No;
    }
    const content = await contentOf(writer, trajectory, { robot: model, scene });
    const certificate =
      given.certificate === undefined
        ? undefined
        : certifyTrajectory(
            manager.posed,
            'isWriteOnly' in writer ? trajectory : await readTrajectory(content, given.output ?? pathName!, model),
          );
    const unit = distanceUnit(model);
    const how =
      blends > 0 ? `${blends} blends within ${Number(deviation.toPrecision(3))} ${unit} of the path` : 'no blends';
    const dropped = repeated > 0 ? `, ${repeated} repeated ${repeated === 1 ? 'point' : 'points'} dropped` : '';
    io.say(`${pathName}: timed: ${durationOf(trajectory)!.toFixed(3)} s of motion, ${how}${dropped}`);
    if (turned.length > 0) io.say(`${pathName}: full turns of ${turned.join(', ')} unwrapped`);
    if (certificate) io.save(given.certificate!, await certificateTextFor(certificate, scenePath!));
    else if (given.certificate !== undefined) io.warn([missingCertificateReason(manager.model)]);
    await saveMotion(io, writer, given.output, trajectory, content);
    return ExitCode.Ok;
  },
});
