import { statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { startWarnings } from '../../../core/scene/configurationOf.ts';
import { requireSingleMotion } from '../../../core/scene/program.ts';
import { durationOf, type Trajectory } from '../../../core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../../core/trajectory/trajectoryHash.ts';
import { InputError, InputErrors } from '../../../errors.ts';
import { describeFaults } from '../../../tasks/checking/describeFaults.ts';
import { unjudgedSpeedWarnings } from '../../../tasks/checking/moves/readMoveProgram.ts';
import { type LostPair, Recertifier, type RecertifyResult } from '../../../tasks/checking/recertify.ts';
import { recertifyReport } from '../../../tasks/reports/recertifyReport.ts';
import { limitWarnings } from '../../../tasks/sceneRobot.ts';
import { certificatesIn } from '../../node/certificates.ts';
import { OutputError } from '../../node/outputTarget.ts';
import { certificateTextFor } from '../../node/scenes/resolved/resolvedScene.ts';
import { defineCommand, type Values } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag, text } from '../options.ts';
import { loadModel, readMotion } from '../sceneMotion.ts';
import { sceneOperand } from '../sceneOperand.ts';

const options = {
  certificates: text(
    'PATH',
    'old certificates: a file or a folder; each is matched to its motion by the hash that it states',
  ),
  before: text('SCENE', 'scene of the old certificates; pairs that are equal in both scenes are not checked again'),
  certificate: text('DIR', 'output folder of the new certificates, one per proved motion'),
  noRoom: flag('omit "room", the distances that obstacles may move'),
};

export const recertify = defineCommand({
  summary: 'incremental certification: which trajectories are still proved in a changed scene?',
  operands: [
    { name: 'SCENE', meaning: `the changed scene: ${sceneOperand.meaning}` },
    {
      name: 'TRAJECTORY',
      meaning: 'trajectories or paths in any format that plan writes, from any program',
      many: true,
    },
  ],
  options,
  details: `Old planes are checked first; only pairs that they no longer separate are proved again.
Writes one line of JSON per motion, in order:
{"trajectory", "status": "proved|collision|unresolved|out-of-limits", "pairs": {"unchanged", "kept", "renewed", "lost"},
"collision": {"pair", "from", "until", "depth"}, "lost": [{"pair", "time", "status"}], "faults": [...], "room": {OBSTACLE: {"x": [-A, B],
"y", "z"}}, "unchecked": pairs that are not checked, by reason}
room: metres that this obstacle alone may move in both directions of each world axis while every plane of the
certificate holds (a lower bound; null: more than a kilometre), for obstacles without a motion. For a file that cannot
be used: {"trajectory", "error"}; the others are processed.
Status out-of-limits: limits or path constraints of the scene are violated, see faults.
Exit code 0: all are proved and within limits and constraints, 1: some are not, 2: a file cannot be used.`,
  examples: [
    [
      'elbowroom recertify new.yaml motions/*.json --certificates proofs --before old.yaml --certificate new-proofs',
      'a library of motions: only pairs that the new scene changed are checked',
    ],
  ],
  run,
});

async function run(
  io: Io,
  [scenePath, ...files]: readonly (string | undefined)[],
  given: Values<typeof options>,
): Promise<ExitCode> {
  const paths = files as string[];
  if (given.before !== undefined && given.certificates === undefined)
    throw new InputError('--before needs the certificates of that scene', 'Give --certificates, too.');
  const targets = given.certificate === undefined ? [] : targetsIn(given.certificate, paths);
  const certificateOf = given.certificates === undefined ? undefined : await certificatesIn(given.certificates);
  const world = await loadWorld(io, scenePath!);
  io.warn(startWarnings(world.scene));
  const before = given.before === undefined ? undefined : await loadWorld(io, given.before);
  const recertifier = new Recertifier(world, { before, room: !given.noRoom, verified: targets.length > 0 });

  const seen = { proved: 0, unusable: 0 };
  for (const [i, file] of paths.entries()) {
    try {
      const trajectory = await readMotion(io, file, world.robot, world.scene);
      io.warn(unjudgedSpeedWarnings(trajectory, world.scene, file));
      const old = await certificateOf?.(trajectoryHash(trajectory));
      const result = io.compute(`${i + 1} of ${paths.length}: certifying ${file}`, () =>
        recertifier.recertify(trajectory, old, file),
      );
      if (result.status === 'proved') seen.proved++;
      if (result.certificate && targets.length > 0)
        io.save(targets[i], await certificateTextFor(result.certificate, scenePath!));
      report(io, file, result, trajectory);
      await io.write(`${JSON.stringify({ trajectory: file, ...recertifyReport(result, trajectory) })}\n`);
    } catch (error) {
      if (!(error instanceof InputError) || error instanceof OutputError) throw error;
      seen.unusable++;
      for (const problem of error instanceof InputErrors ? error.problems : [error]) io.problem(problem);
      await io.write(`${JSON.stringify({ trajectory: file, error: error.message })}\n`);
    }
  }
  if (paths.length > 1) io.say(`${seen.proved} of ${paths.length} motions are proved`);
  if (seen.unusable > 0) return ExitCode.BadInput;
  return seen.proved === paths.length ? ExitCode.Ok : ExitCode.No;
}

async function loadWorld(io: Io, path: string) {
  const { scene, model, warnings } = await loadModel(path);
  requireSingleMotion(scene, path);
  io.warn([...warnings, ...limitWarnings(model, scene)]);
  return { robot: model, scene };
}

/** Returns the certificate file of each motion; throws `InputError` if two are equal or one is a motion file. */
function targetsIn(folder: string, paths: readonly string[]): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new InputError(`--certificate: ${folder} is a file`, 'Name a folder: each motion gets a file in it.');
  const targets = paths.map((path) => join(folder, `${basename(path, extname(path))}.json`));
  const motions = new Set(paths.map((path) => resolve(path)));
  for (const [i, target] of targets.entries()) {
    const first = targets.indexOf(target);
    if (first !== i)
      throw new InputError(
        `--certificate: ${paths[first]} and ${paths[i]} would both write ${target}`,
        'Give the motions distinct names, or write their certificates in two runs.',
      );
    if (motions.has(resolve(target)))
      throw new InputError(`--certificate: ${target} is one of the motions`, 'Name another folder.');
  }
  return targets;
}

/**
 * Writes to stderr the counts of pairs, the obstacle with the least room, and each reason why the motion is not proved.
 */
function report(io: Io, file: string, result: RecertifyResult, trajectory: Trajectory): void {
  const { unchanged, kept, renewed, lost } = result.pairs;
  const counts = `${unchanged} pairs unchanged, ${kept} kept, ${renewed} renewed, ${lost} lost`;
  io.say(`${file}: ${result.status} (${counts})${result.room ? leastRoom(result.room) : ''}`);
  const duration = durationOf(trajectory);
  const reasons = [
    ...describeFaults({ faults: result.faults, duration }),
    ...describeFaults({ faults: [], duration, collision: result.collision }),
    ...result.lost.filter(({ pair }) => pair !== result.collision?.pair).map((one) => lostText(one, duration)),
  ];
  for (const reason of reasons) io.say(`  ${reason}`);
}

/** Describes a lost pair: from when on it collides, or where it is unresolved. */
function lostText({ pair, time, status }: LostPair, duration: number | undefined): string {
  if (status === 'unresolved') return describeFaults({ faults: [], duration, unresolved: { pair, time } })[0];
  const at = Number(time.toPrecision(6));
  return `${pair.join(' and ')} collide, first at ${duration === undefined ? `waypoint ${at}` : `${at} s`}`;
}

/** Formats the smallest room: `; least room: table, 0.0123 m along +z`; empty if no obstacle is limited. */
function leastRoom(room: NonNullable<RecertifyResult['room']>): string {
  const moves = Object.entries(room).flatMap(([name, axes]) =>
    Object.entries(axes).flatMap(([axis, [back, forth]]: [string, readonly (number | null)[]]) => [
      { name, direction: `-${axis}`, metres: back === null ? Number.POSITIVE_INFINITY : -back },
      { name, direction: `+${axis}`, metres: forth ?? Number.POSITIVE_INFINITY },
    ]),
  );
  const least = moves.reduce((one, other) => (other.metres < one.metres ? other : one), {
    name: '',
    direction: '',
    metres: Number.POSITIVE_INFINITY,
  });
  return Number.isFinite(least.metres) ? `; least room: ${least.name}, ${least.metres} m along ${least.direction}` : '';
}
