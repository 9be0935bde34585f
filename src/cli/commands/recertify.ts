import { statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { certificateText } from '../../certificate/certificate.ts';
import { InputError, InputErrors } from '../../errors.ts';
import { readTrajectory } from '../../formats/trajectories/index.ts';
import { certificatesIn } from '../../node/certificates.ts';
import { loadScene, readContent, writeWhole } from '../../node/files.ts';
import { describeFaults } from '../../tasks/checking/checkTrajectory.ts';
import { Recertifier, type RecertifyAnswer } from '../../tasks/checking/recertify.ts';
import type { CertifiedWorld } from '../../tasks/checking/unchangedPairs.ts';
import { createSceneRobot, limitWarnings } from '../../tasks/sceneRobot.ts';
import { durationOf, type Trajectory } from '../../trajectory/trajectory.ts';
import { trajectoryHash } from '../../trajectory/trajectoryHash.ts';
import { defineCommand, type Values } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag, text } from '../options.ts';
import { sceneOperand } from '../sceneOperand.ts';

const options = {
  certificates: text(
    'PATH',
    'old certificates: a file, or a folder of them; each belongs to the motion whose hash it states',
  ),
  before: text(
    'SCENE',
    'the scene that the old certificates hold in: pairs that are the same in both are not looked at',
  ),
  certificate: text('DIR', 'write the new certificates there, one for each motion that is proved'),
  noRoom: flag('leave out how far the obstacles may move'),
};

export const recertify = defineCommand({
  summary: 'which of these motions are still proved in a scene that has changed?',
  operands: [
    { name: 'SCENE', meaning: `the scene as it is now: ${sceneOperand.meaning}` },
    {
      name: 'TRAJECTORY',
      meaning: 'trajectories or paths in any format that plan writes, whoever made them',
      many: true,
    },
  ],
  options,
  details: `Old planes are tried first; pairs that they part no longer are proved anew, those pairs alone.
A line of JSON for each motion on stdout, in order:
{"trajectory", "status": "proved|collision|unresolved|out-of-limits", "pairs": {"unchanged", "kept", "renewed", "lost"},
"collision": {"pair", "time"}, "lost": [{"pair", "time", "status"}], "faults": [...], "room": {OBSTACLE: {"x": [-A, B], "y", "z"}}}
room: metres that the obstacle alone may move back and forth along each axis of the world before a plane of the proof fails,
never too much; null: more than a kilometre. A file that cannot be used: {"trajectory", "error"}; the rest is still answered.
Exit code 0: all are proved and within limits, 1: some are not, 2: a file cannot be used.`,
  examples: [
    [
      'elbowroom recertify new.yaml motions/*.json --certificates proofs --before old.yaml --certificate new-proofs',
      'a library of motions, of which only what the new scene changed is looked at',
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
    throw new InputError(
      '--before tells which old planes need no look, but there are none',
      'Give --certificates, too.',
    );
  const targets = given.certificate === undefined ? [] : targetsIn(given.certificate, paths);
  const certificateOf = given.certificates === undefined ? undefined : await certificatesIn(given.certificates);
  const world = await loadWorld(io, scenePath!);
  const before = given.before === undefined ? undefined : await loadWorld(io, given.before);
  const recertifier = new Recertifier(world, { before, room: !given.noRoom, verified: targets.length > 0 });
  const joints = world.robot.variables.map((joint) => joint.name);

  const seen = { proved: 0, unusable: 0 };
  for (const [i, file] of paths.entries()) {
    io.progress(`${i + 1} of ${paths.length}: ${file}`);
    try {
      const trajectory = await readTrajectory(await readContent(file), file, joints);
      const old = await certificateOf?.(trajectoryHash(trajectory));
      const answer = io.compute(() => recertifier.recertify(trajectory, old, file));
      if (answer.status === 'proved') seen.proved++;
      if (answer.certificate && targets.length > 0) await writeWhole(targets[i], certificateText(answer.certificate));
      report(io, file, answer, trajectory);
      await io.write(`${JSON.stringify(lineOf(file, answer, trajectory))}\n`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      seen.unusable++;
      for (const problem of error instanceof InputErrors ? error.problems : [error]) io.problem(problem);
      await io.write(`${JSON.stringify({ trajectory: file, error: error.message })}\n`);
    }
  }
  if (paths.length > 1) io.say(`${seen.proved} of ${paths.length} motions are proved`);
  if (seen.unusable > 0) return ExitCode.BadInput;
  return seen.proved === paths.length ? ExitCode.Ok : ExitCode.No;
}

async function loadWorld(io: Io, path: string): Promise<CertifiedWorld> {
  const { scene, robot, warnings } = await loadScene(path);
  const model = createSceneRobot({ scene, robot });
  io.warn([...warnings, ...limitWarnings(model)]);
  return { robot: model, scene };
}

/** Where the certificate of each motion goes: no two to one place, and none over a motion. */
function targetsIn(folder: string, paths: readonly string[]): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new InputError(`--certificate: ${folder} is a file`, 'Name a folder: each motion gets a file in it.');
  const targets = paths.map((path) => join(folder, `${basename(path, extname(path))}.json`));
  const motions = new Set(paths.map((path) => resolve(path)));
  for (const [i, target] of targets.entries()) {
    const first = targets.indexOf(target);
    if (first !== i)
      throw new InputError(
        `--certificate: ${paths[first]} and ${paths[i]} would both be proved in ${target}`,
        'Give the motions names of their own, or write their certificates in two runs.',
      );
    if (motions.has(resolve(target)))
      throw new InputError(`--certificate: ${target} is one of the motions`, 'Name another folder.');
  }
  return targets;
}

/** What the line on stdout says; fields that say nothing are left out. */
function lineOf(file: string, { status, pairs, lost, room, faults }: RecertifyAnswer, trajectory: Trajectory) {
  const collision = lost.find((one) => one.status === 'collision');
  return {
    trajectory: file,
    status,
    pairs,
    ...(collision && { collision: { pair: collision.pair, time: collision.time } }),
    ...(lost.length > 0 && { lost }),
    ...(faults.length > 0 && {
      faults: describeFaults({ faults, duration: durationOf(trajectory) }),
    }),
    ...(room && { room }),
  };
}

/** A line of counts, and one for each reason why not; of a proof the obstacle that has the least room. */
function report(io: Io, file: string, answer: RecertifyAnswer, trajectory: Trajectory): void {
  const { unchanged, kept, renewed, lost } = answer.pairs;
  const counts = `${unchanged} pairs unchanged, ${kept} kept, ${renewed} renewed, ${lost} lost`;
  io.say(`${file}: ${answer.status} (${counts})${answer.room ? leastRoom(answer.room) : ''}`);
  const duration = durationOf(trajectory);
  const reasons = [
    ...describeFaults({ faults: answer.faults, duration }),
    ...answer.lost.flatMap((one) => describeFaults({ faults: [], duration, [one.status]: one })),
  ];
  for (const reason of reasons) io.say(`  ${reason}`);
}

/** `; least room: table, 0.0123 m along z`. */
function leastRoom(room: NonNullable<RecertifyAnswer['room']>): string {
  const ways = Object.entries(room).flatMap(([name, axes]) =>
    Object.entries(axes).flatMap(([axis, [back, forth]]: [string, readonly (number | null)[]]) => [
      { name, way: `-${axis}`, metres: back === null ? Number.POSITIVE_INFINITY : -back },
      { name, way: `+${axis}`, metres: forth ?? Number.POSITIVE_INFINITY },
    ]),
  );
  const least = ways.reduce((one, other) => (other.metres < one.metres ? other : one), {
    name: '',
    way: '',
    metres: Number.POSITIVE_INFINITY,
  });
  return Number.isFinite(least.metres) ? `; least room: ${least.name}, ${least.metres} m along ${least.way}` : '';
}
