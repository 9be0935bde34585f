import type { Certificate } from '../../certificate/certificate.ts';
import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { PosedBodies } from '../../collision/posedBodies.ts';
import { type AnyWriter, contentOf, readTrajectory } from '../../formats/trajectories/index.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Scene } from '../../scene/scene.ts';
import { certifyTrajectory } from '../../tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker, describeFaults } from '../../tasks/checking/checkTrajectory.ts';
import type { PlanAnswer } from '../../tasks/planning/planMotion.ts';
import { executedPoints, segmentKinds, type Trajectory } from '../../trajectory/trajectory.ts';
import { trajectoryHash } from '../../trajectory/trajectoryHash.ts';

const NO_PLANES =
  'no certificate: the motion comes between points of a cloud that stand in one group; it is proved free, but no plane parts it from them';
const TOO_CLOSE =
  'no certificate: the motion is proved free, but comes so close to the padding that planes cannot be verified; a padding less by 1e-6 m leaves room for rounding';

/** Why a motion that is proved free has no certificate. */
export function noCertificate(model: CollisionModel): string {
  const hasGroups = Array.from({ length: model.pairCount }, (_, pair) => pair).some((pair) => model.hasBalls(pair));
  return hasGroups ? NO_PLANES : TOO_CLOSE;
}

interface Setting {
  readonly scene: Scene;
  readonly model: RobotModel;
}

/** The answer, if the motion that its file will carry is proved, else none: see `faultAsWritten`. */
export async function provedAsWritten(answer: PlanAnswer, setting: Setting, writer: AnyWriter): Promise<PlanAnswer> {
  const { trajectory, stats } = answer;
  const reason = trajectory && (await faultAsWritten(trajectory, setting, writer));
  if (reason === undefined) return answer;
  const status = 'unresolved';
  return { ...answer, status, reason, trajectory: undefined, certificate: undefined, stats: { ...stats, status } };
}

/**
 * Why a motion that is proved is not as its file would carry it; undefined where it is. Set points are joined by lines, times of messages are
 * whole nanoseconds: such a file carries another curve, and where the motion passes by a hair that one may not.
 */
export async function faultAsWritten(
  trajectory: Trajectory,
  setting: Setting,
  writer: AnyWriter,
): Promise<string | undefined> {
  const written = await asWritten(trajectory, setting, writer);
  if (isSameCurve(trajectory, written)) return undefined;
  const { model, scene } = setting;
  const checked = createTrajectoryChecker(model, new CollisionManager(new CollisionModel(model, scene)))(written);
  if (checked.valid) return undefined;
  const why = describeFaults(checked).join('; ');
  return `as its file would carry it, the motion is not proved: ${why}; --format json carries it as it is`;
}

/** True if both have the same values that a curve depends on, and segments of the same kinds. */
function isSameCurve(one: Trajectory, other: Trajectory): boolean {
  const curveOf = (motion: Trajectory) =>
    JSON.stringify([motion.jointNames, segmentKinds(motion), executedPoints(motion), motion.setPoints]);
  return curveOf(one) === curveOf(other);
}

async function asWritten(trajectory: Trajectory, { scene, model }: Setting, writer: AnyWriter): Promise<Trajectory> {
  const joints = model.variables.map((joint) => joint.name);
  const content = await contentOf(writer, trajectory, { robot: model, scene });
  return readTrajectory(content, `${scene.name}${writer.ending}`, joints);
}

/**
 * The certificate of a planned motion as its file carries it. A certificate names its motion by every digit, and all formats but the
 * project's own leave something out: digits of times, curves between points. So the file is read back, and what it says is
 * proved. Undefined where there was no certificate, or where what is left of the motion cannot be proved.
 */
export async function certificateAsWritten(
  { trajectory, certificate }: PlanAnswer,
  setting: Setting,
  writer: AnyWriter,
): Promise<Certificate | undefined> {
  if (!trajectory || !certificate) return undefined;
  const written = await asWritten(trajectory, setting, writer);
  if (trajectoryHash(written) === certificate.trajectory) return certificate;
  return certifyTrajectory(new PosedBodies(new CollisionModel(setting.model, setting.scene)), written);
}
