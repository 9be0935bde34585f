import type { Certificate } from '../certificate/certificate.ts';
import { CollisionModel } from '../collision/collisionModel.ts';
import { PosedBodies } from '../collision/posedBodies.ts';
import { type AnyWriter, contentOf, readTrajectory } from '../formats/index.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Scene } from '../scene/scene.ts';
import { certifyTrajectory } from '../tasks/certifyTrajectory.ts';
import type { PlanAnswer } from '../tasks/planMotion.ts';
import { trajectoryHash } from '../trajectory/trajectoryHash.ts';

/** Why a motion that is proved free may have no certificate. */
export const NO_PLANES =
  'no certificate: the motion comes between points of a cloud that stand in one group; it is proved free, but no plane parts it from them';

/**
 * The certificate of a planned motion as its file carries it. A certificate names its motion by every digit, and all formats but the
 * project's own leave something out: accelerations, digits of times, curves between points. So the file is read back, and what it says is
 * proved. Undefined where there was no certificate, or where what is left of the motion cannot be proved.
 */
export async function certificateAsWritten(
  { trajectory, certificate }: PlanAnswer,
  { scene, model }: { readonly scene: Scene; readonly model: RobotModel },
  writer: AnyWriter,
): Promise<Certificate | undefined> {
  if (!trajectory || !certificate) return undefined;
  const joints = model.variables.map((joint) => joint.name);
  const content = await contentOf(writer, trajectory, { robot: model, scene });
  const written = await readTrajectory(content, `${scene.name}${writer.ending}`, joints);
  if (trajectoryHash(written) === certificate.trajectory) return certificate;
  return certifyTrajectory(new PosedBodies(new CollisionModel(model, scene)), written);
}
