import type { Certificate } from '../../../core/certificate/certificate.ts';
import type { CollisionModel } from '../../../core/collision/model/collisionModel.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../../core/math/interrupt.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { executedPoints, segmentKinds, type Trajectory } from '../../../core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../../core/trajectory/trajectoryHash.ts';
import { type AnyWriter, contentOf, readTrajectory } from '../../../formats/trajectories/index.ts';
import { describeFaults } from '../../../tasks/checking/describeFaults.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planMotion.ts';
import { TimeLimit } from '../../../tasks/planning/stopwatch.ts';
import type { World } from '../../../tasks/world.ts';
import type { Io } from '../io.ts';

const POINT_GROUPS =
  'no certificate: the motion is proved collision-free, but it passes between points of a cloud that form one ' +
  'group, and no plane separates it from them';
const TOO_CLOSE =
  'no certificate: the motion is proved collision-free, but its clearance is so close to the padding that planes ' +
  'cannot be verified; reduce the padding by 1e-6 m to allow for rounding';

/** Returns the reason why a motion that is proved collision-free has no certificate. */
export function missingCertificateReason(model: CollisionModel): string {
  const hasGroups = Array.from({ length: model.pairCount }, (_, pair) => pair).some((pair) =>
    model.hasSphereCloud(pair),
  );
  return hasGroups ? POINT_GROUPS : TOO_CLOSE;
}

/**
 * Returns a line that states why a plan has no certificate as the file format stores its motion.
 * @param limit the time limit of `certificateAsWritten`
 */
export async function missingCertificate(
  setting: Setting,
  { certificate, isCertificateCut }: PlanMotionResult,
  { hasEnded }: TimeLimit,
  format: string,
): Promise<string> {
  const { scene } = setting;
  if (isCertificateCut || hasEnded)
    return `${scene.name}: no certificate: the time limit ended its computation; increase --time-limit`;
  if (certificate) return `${scene.name}: no certificate: the motion as ${format} stores it cannot be proved`;
  return missingCertificateReason((await worldOf(setting)).model);
}

/** Returns the rest of the time limit after planning: for the optimization, and for proofs of the motion as written. */
export function remainingLimit(clock: () => number, { stats }: PlanMotionResult, timeLimit: number): TimeLimit {
  const { setup_ms, planning_ms, shortcut_ms, timing_ms, check_ms } = stats;
  return new TimeLimit(clock, timeLimit - (setup_ms + planning_ms + shortcut_ms + timing_ms + check_ms) / 1000);
}

interface Setting {
  readonly scene: Scene;
  readonly model: RobotModel;
}

async function worldOf({ model, scene }: Setting): Promise<World> {
  const { World } = await import('../../../tasks/world.ts');
  return new World(model, scene);
}

/**
 * Returns the first plan that is proved as the file format stores it: the optimized one, else the planned one, else a
 * plan of status `unresolved`.
 */
export async function provedResult(
  io: Io,
  found: PlanMotionResult,
  planned: PlanMotionResult,
  problem: Setting,
  writer: AnyWriter,
  { isOver }: TimeLimit,
): Promise<PlanMotionResult> {
  const answer = await provedAsWritten(found, problem, writer, isOver);
  if (answer === found) return found;
  io.say(`${problem.scene.name}: ${answer.reason}`);
  if (found === planned) return answer;
  io.say(`${problem.scene.name}: the motion is written as planned, not optimized`);
  const unoptimized = await provedAsWritten(planned, problem, writer, isOver);
  if (unoptimized !== planned) io.say(`${problem.scene.name}: ${unoptimized.reason}`);
  return unoptimized;
}

/**
 * Returns the plan if its motion as the file format stores it is proved, else a plan of status `unresolved`: see
 * `faultAsWritten`.
 */
export async function provedAsWritten(
  answer: PlanMotionResult,
  setting: Setting,
  writer: AnyWriter,
  interrupt: Interrupt = never,
): Promise<PlanMotionResult> {
  const { trajectory, stats } = answer;
  const reason = trajectory && (await faultAsWritten(trajectory, setting, writer, interrupt));
  if (reason === undefined) return answer;
  const status = 'unresolved';
  return { ...answer, status, reason, trajectory: undefined, certificate: undefined, stats: { ...stats, status } };
}

/**
 * Checks a proved motion as the file format stores it; returns the reason if that curve is not valid, undefined if it
 * is. Formats change the curve slightly (set points are joined by lines, times of messages are whole nanoseconds), so a
 * motion with little clearance can become invalid.
 * @param interrupt ends the proof, which then is not valid
 */
export async function faultAsWritten(
  trajectory: Trajectory,
  setting: Setting,
  writer: AnyWriter,
  interrupt: Interrupt = never,
): Promise<string | undefined> {
  const written = await asWritten(trajectory, setting, writer);
  if (isSameCurve(trajectory, written)) return undefined;
  const { checkMotion } = await import('../../../tasks/checkMotion.ts');
  const checked = checkMotion(await worldOf(setting), written, undefined, interrupt).result;
  if (checked.valid) return undefined;
  const why = describeFaults(checked).join('; ');
  return `the motion as --format stores it is not proved: ${why}; --format json stores it exactly`;
}

/**
 * Returns true if both have the same executed points and the same interpolation, that is, the same curve, and the same
 * segments, events and signals.
 */
function isSameCurve(one: Trajectory, other: Trajectory): boolean {
  const curveOf = (motion: Trajectory) =>
    JSON.stringify([
      motion.jointNames,
      segmentKinds(motion),
      executedPoints(motion),
      motion.setPoints,
      motion.segments,
      motion.events,
      motion.signals,
    ]);
  return curveOf(one) === curveOf(other);
}

/** Writes the motion in the format and reads it back; returns the motion if the format cannot be read. */
async function asWritten(trajectory: Trajectory, { scene, model }: Setting, writer: AnyWriter): Promise<Trajectory> {
  if ('isWriteOnly' in writer) return trajectory;
  const content = await contentOf(writer, trajectory, { robot: model, scene });
  const { completeProgram } = await import('../../../tasks/programs/completeProgram.ts');
  const file = `${scene.name}${writer.ending}`;
  return completeProgram(await readTrajectory(content, file, model), model, scene, file);
}

/**
 * Returns the certificate of the motion as the file format stores it. A certificate refers to its motion by a hash of
 * all digits, and every format but the project's own omits something (digits of times, curves between points). So the
 * motion is read back and certified again. Undefined if the plan has no certificate, or if the motion read back cannot
 * be certified.
 * @param interrupt ends the computation, which then returns undefined
 */
export async function certificateAsWritten(
  { trajectory, certificate }: PlanMotionResult,
  setting: Setting,
  writer: AnyWriter,
  interrupt: Interrupt = never,
): Promise<Certificate | undefined> {
  if (!trajectory || !certificate) return undefined;
  const written = await asWritten(trajectory, setting, writer);
  if (trajectoryHash(written) === certificate.trajectory) return certificate;
  const { certifyMotion } = await import('../../../tasks/checkMotion.ts');
  return certifyMotion(await worldOf(setting), written, undefined, interrupt);
}
