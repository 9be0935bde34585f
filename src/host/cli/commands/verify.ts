import { INFEASIBILITY_FORMAT, type InfeasibilityCertificate } from '../../../core/certificate/cells/infeasibility.ts';
import { verifyInfeasibility } from '../../../core/certificate/cells/verifyInfeasibility.ts';
import { CERTIFICATE_FORMAT, type Certificate } from '../../../core/certificate/certificate.ts';
import type { CoordinationCertificate } from '../../../core/certificate/coordination/cellCertificate.ts';
import { readCoordination } from '../../../core/certificate/coordination/coordinationRecord.ts';
import type { MoveCertificate } from '../../../core/certificate/moves/moveCertificate.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { startWarnings, withoutStart } from '../../../core/scene/configurationOf.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { readTrajectory } from '../../../formats/trajectories/index.ts';
import { completeJoints } from '../../../tasks/checking/completeJoints.ts';
import { pathOf, unjudgedMoveWarnings, unjudgedSpeedWarnings } from '../../../tasks/checking/moves/readMoveProgram.ts';
import { membersOf, withTrajectory } from '../../../tasks/coordination/coordinatedRobots.ts';
import { evidenceSheet } from '../../../tasks/reports/evidenceSheet.ts';
import {
  moveVerifyReport,
  type VerifyReport,
  verifyCoordinationReport,
  verifyReport,
} from '../../../tasks/reports/verifyReport.ts';
import type { Problem } from '../../../tasks/sceneRobot.ts';
import { loadAnyCertificate } from '../../node/certificates.ts';
import { readContent, readInputText } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { packageVersion } from '../../node/packageVersion.ts';
import { sceneFiles } from '../../node/scenes/resolved/resolvedScene.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { ANY_START, flag, text } from '../options.ts';
import { loadModel, readMotion, readMoves } from '../sceneMotion.ts';
import { sceneOperand } from '../sceneOperand.ts';
import { shellWord } from '../shellWord.ts';

export const verify = defineCommand({
  summary: 'certificate verification: does the certificate prove the trajectory collision-free?',
  operands: [
    { name: 'CERTIFICATE', meaning: 'certificate (separating planes), as plan --certificate writes it' },
    sceneOperand,
    {
      name: 'TRAJECTORY',
      meaning:
        'trajectory or path of the certificate; of a coordination: the output of coordinate, then the trajectories; ' +
        'none if it proves that no motion exists',
      many: true,
      optional: true,
    },
  ],
  options: {
    anyStart: flag(ANY_START),
    evidence: text('FILE', 'output file of a sheet (HTML, to be printed) with all that the proof is about and assumes'),
  },
  details: `Every plane is proved again over its whole time interval with an independent implementation of kinematics
and bounds: no code of
the planner, of the narrow phase or of the program that wrote the certificate is used. Path constraints of the scene and
of steps are proved likewise, and the motion from the start of the scene to a first point after time 0. Joint limits, tcp_speed, goals and lines are not checked: see check.
A proof that no motion exists (plan --infeasible) has no trajectory: every cell in collision is proved again, and that
the start is not connected with a goal by other cells; its line is {"proved", "reason", "cells", "problems"}.
The certificate of a program of moves (UR script) proves every motion that the manual allows for it (docs/urscript.md).
The certificate of a coordination proves each trajectory by itself, all free cells, and that the schedule and its delays
stay in them.
A certificate that names a scene or robot by its hash (scene_hash, robot_hash) is refused for any other one; recertify
proves the motion in a changed scene.
Writes one line of JSON, {"proved", "pairs", "spans", "least_gap", "problems": [...], "unchecked"}; least_gap: proved
lower bound on the distance of every pair, metres; unchecked: number of pairs that need no proof, by reason.
Exit code 0: proved, 1: not proved.`,

  async run(io, [certificatePath, scenePath, ...words], { anyStart, evidence }) {
    if (evidence !== undefined) checkOutput(evidence);
    const certificate = await loadAnyCertificate(certificatePath!);
    const files = words.filter((word) => word !== undefined);
    if (files.length === 0 && certificate.format !== INFEASIBILITY_FORMAT)
      throw new InputError('verify: TRAJECTORY is missing', 'Usage: elbowroom verify CERTIFICATE SCENE TRAJECTORY...');
    const { scene: stated, robot, model, warnings } = await loadModel(scenePath!, { cache: false });
    if (certificate.format === INFEASIBILITY_FORMAT) {
      refuseOfMotions(files, { '--evidence': evidence !== undefined, '--any-start': anyStart });
      return reportNoMotion(io, certificate, { scene: stated, robot, model }, warnings, certificatePath!, scenePath!);
    }
    const scene = anyStart ? withoutStart(stated) : stated;
    const problem = { scene, robot, model };
    const isCoordination = certificate.format !== CERTIFICATE_FORMAT;
    const own = isCoordination
      ? await reportOfCoordination(io, certificate, problem, scenePath!, files)
      : 'set' in certificate
        ? await reportOfMoves(io, certificate, problem, files)
        : await reportOfMotion(io, certificate, problem, stated, files);
    const report = isCoordination ? own : await boundToScene(io, own, certificate, scenePath!);
    io.warn([...warnings, ...(anyStart || isCoordination ? [] : startWarnings(scene))]);
    for (const problem of report.problems) io.say(`${certificatePath}: ${problem}`);
    if (evidence !== undefined)
      io.save(
        evidence,
        await evidenceOf(certificate, problem, report, [certificatePath!, scenePath!, files[0]!], anyStart),
      );
    await io.write(`${JSON.stringify(report)}\n`);
    return report.proved ? ExitCode.Ok : ExitCode.No;
  },
});

/** A certificate that may name its scene and robot by their hashes. */
type HashedCertificate = Pick<Certificate, 'scene_hash' | 'robot_hash'>;

/** A scene and the model of its robot. */
type ModelProblem = Problem & { readonly model: RobotModel };

/**
 * Verifies the certificate of a motion or a program.
 * @param stated the scene with its start, which joints keep that the trajectory does not list
 */
async function reportOfMotion(
  io: Io,
  certificate: Certificate,
  { scene, model }: ModelProblem,
  stated: Scene,
  [file, ...more]: readonly string[],
): Promise<VerifyReport> {
  if (more.length > 0)
    throw new InputError(`unexpected operand ${JSON.stringify(more[0])}`, 'This certificate is that of one motion.');
  const program = await readMoves(file, model, scene);
  const trajectory = await readMotion(io, file, model, stated, program && pathOf(program, model, scene));
  io.warn(unjudgedSpeedWarnings(trajectory, scene, file));
  return io.compute('verifying the certificate', () => verifyReport(certificate, model, scene, trajectory));
}

/** Verifies the certificate of a program of moves. */
async function reportOfMoves(
  io: Io,
  certificate: MoveCertificate,
  { scene, model }: ModelProblem,
  [file, ...more]: readonly string[],
): Promise<VerifyReport> {
  if (more.length > 0)
    throw new InputError(`unexpected operand ${JSON.stringify(more[0])}`, 'This certificate is that of one program.');
  const program = await readMoves(file, model, scene);
  if (program === undefined)
    throw new InputError(`${file}: no program of moves`, 'The certificate is that of a UR program, FILE.script.');
  io.warn(unjudgedMoveWarnings(scene, file!));
  return io.compute('verifying the certificate', () => moveVerifyReport(certificate, model, scene, program));
}

/** Files of a verification. */
type Verified = readonly [certificate: string, scene: string, motion: string];

/** Returns the commands that verify a motion again. The second checker reads JSON: resolved scenes, points. */
function commandsFor(paths: Verified, anyStart: boolean): string[] {
  const [certificate, scene, motion] = paths.map(shellWord);
  const [, scenePath, file] = paths;
  const option = anyStart ? ' --any-start' : '';
  const first = `elbowroom verify ${certificate} ${scene} ${motion}${option}`;
  if (!file.endsWith('.json')) return [first];
  const second = (resolved: string) => `python3 -m elbowroom_verify ${certificate} ${resolved} ${motion}${option}`;
  if (scenePath.endsWith('.json')) return [first, second(scene)];
  return [first, `elbowroom scene ${scene} --resolved -o scene.json`, second('scene.json')];
}

/** Returns the sheet of a verified certificate of a motion or a program. */
async function evidenceOf(
  certificate: Certificate | MoveCertificate | CoordinationCertificate,
  { scene, model }: ModelProblem,
  report: VerifyReport,
  paths: Verified,
  anyStart: boolean,
): Promise<string> {
  if (certificate.format !== CERTIFICATE_FORMAT)
    throw new InputError('--evidence: for the certificate of a motion or a program, not of a coordination');
  const { identity, hashes } = (await sceneFiles(paths[1])) ?? {};
  return evidenceSheet({
    certificate,
    robot: model,
    scene,
    report,
    hashes: { ...identity, trajectory: certificate.trajectory },
    files: hashes ?? {},
    commands: commandsFor(paths, anyStart),
    versions: { elbowroom: packageVersion(), Node: process.versions.node },
  });
}

/** Returns the report, refused if the certificate names another scene or robot by its hash. */
async function boundToScene(
  io: Io,
  report: VerifyReport,
  certificate: HashedCertificate,
  path: string,
): Promise<VerifyReport> {
  const problems = await otherHashes(io, certificate, path);
  if (problems.length === 0) return report;
  return { ...report, proved: false, least_gap: null, problems: [...problems, ...report.problems] };
}

/** Returns a problem for each hash of a certificate that is not that of the scene or its robot. */
async function otherHashes(io: Io, { scene_hash, robot_hash }: HashedCertificate, path: string): Promise<string[]> {
  if (scene_hash === undefined && robot_hash === undefined) return [];
  const identity = (await sceneFiles(path))?.identity;
  if (identity === undefined) {
    io.say(`${path}: its hash is not compared with that of the certificate: the scene cannot be resolved`);
    return [];
  }
  return [
    ...(robot_hash !== undefined && robot_hash !== identity.robot_hash ? ['robot'] : []),
    ...(scene_hash !== undefined && scene_hash !== identity.scene_hash ? ['scene'] : []),
  ].map((what) => `it is the certificate of another ${what}: the hashes differ`);
}

/** Throws `InputError` for operands and options that a proof that no motion exists does not have. */
function refuseOfMotions(files: readonly string[], options: Readonly<Record<string, boolean>>): void {
  if (files.length > 0)
    throw new InputError(
      `unexpected operand ${JSON.stringify(files[0])}`,
      'A proof that no motion exists has no trajectory.',
    );
  const option = Object.keys(options).find((name) => options[name]);
  if (option !== undefined)
    throw new InputError(`unexpected option ${option}`, 'A proof that no motion exists is that of one start.');
}

/** Verifies a proof that no motion exists. */
async function reportNoMotion(
  io: Io,
  certificate: InfeasibilityCertificate,
  { scene, model }: ModelProblem,
  warnings: readonly string[],
  certificatePath: string,
  scenePath: string,
): Promise<ExitCode> {
  io.warn(warnings);
  const result = io.compute('verifying the certificate', () => verifyInfeasibility(certificate, model, scene));
  const others = await otherHashes(io, certificate, scenePath);
  const problems = [...others, ...result.problems];
  for (const one of problems) io.say(`${certificatePath}: ${one}`);
  const proved = result.proved && problems.length === 0;
  await io.write(`${JSON.stringify({ proved, reason: certificate.reason, cells: result.cells, problems })}\n`);
  return proved ? ExitCode.Ok : ExitCode.No;
}

/** Verifies the certificate of a coordination: the output of `coordinate`, and one trajectory per robot. */
async function reportOfCoordination(
  io: Io,
  certificate: CoordinationCertificate,
  { scene, robot }: Problem,
  scenePath: string,
  [recordPath, ...files]: readonly string[],
): Promise<VerifyReport> {
  const members = membersOf({ scene, robot }, scenePath);
  if (files.length !== members.length)
    throw new InputError(
      `the certificate of a coordination needs its result and ${members.length} trajectories, not ${files.length}`,
      'Usage: elbowroom verify CERTIFICATE SCENE RESULT A.json B.json ..., RESULT as coordinate writes it.',
    );
  const record = readCoordination(await readInputText(recordPath), recordPath);
  const read = await Promise.all(
    members.map(async (member, i) => {
      const stated = await readTrajectory(await readContent(files[i]), files[i], member.model);
      const { trajectory } = completeJoints(stated, member.model, {}, files[i]);
      withTrajectory(member, trajectory, members, files[i]); // checks it
      return { ...member, trajectory };
    }),
  );
  return io.compute('verifying the certificates', () => verifyCoordinationReport(certificate, read, scene, record));
}
