// What the scripts of this folder run of the project's sources, or of a copy with a planted fault.
import { certificateText } from '../../src/core/certificate/certificate.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { inJointOrder } from '../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { createSceneWorld } from '../../src/core/world/sceneWorld.ts';
import { InputError } from '../../src/errors.ts';
import { readTrajectory } from '../../src/formats/trajectories/index.ts';
import { loadCertificate } from '../../src/host/node/certificates.ts';
import { loadScene, readContent } from '../../src/host/node/files.ts';
import { certifyTrajectory } from '../../src/tasks/checking/certifyTrajectory.ts';
import { planDefaults } from '../../src/tasks/planning/planOptions.ts';
import { certifyProgram } from '../../src/tasks/programs/certifyProgram.ts';
import { checkProgram } from '../../src/tasks/programs/checks/checkProgram.ts';
import { verifyReport } from '../../src/tasks/reports/verifyReport.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';

async function loaded(scenePath: string, motionPath: string) {
  const { scene, robot } = await loadScene(scenePath, { cache: false });
  const model = createSceneRobot({ scene, robot });
  const trajectory = await readTrajectory(await readContent(motionPath), motionPath, model);
  return { scene, model, trajectory };
}

/** Returns the text of the certificate of a motion; undefined if it cannot be proved. */
export async function certified(scenePath: string, motionPath: string): Promise<string | undefined> {
  const { scene, model, trajectory } = await loaded(scenePath, motionPath);
  if (scene.steps !== undefined) {
    const { intervals } = checkProgram(model, scene, trajectory, { checker: planDefaults.checker });
    const program = certifyProgram(trajectory, intervals, model, scene);
    return program && certificateText(program);
  }
  const world = createSceneWorld(model, scene);
  const { posed } = new CollisionManager(new CollisionModel(world.robot, world.scene));
  const certificate = certifyTrajectory(posed, trajectory, undefined, undefined, world);
  return certificate && certificateText(certificate);
}

/** Returns the exit code of `verify`: 0 proved, 1 not proved, 2 bad input. */
export async function verified(certificatePath: string, scenePath: string, motionPath: string): Promise<0 | 1 | 2> {
  try {
    const { scene, model, trajectory } = await loaded(scenePath, motionPath);
    return verifyReport(await loadCertificate(certificatePath), model, scene, trajectory).proved ? 0 : 1;
  } catch (error) {
    if (error instanceof InputError) return 2;
    throw error;
  }
}

/** Returns the least distance of all pairs at evenly spaced times of a motion, metres; undefined if it is 0 or less. */
export async function sampledClearance(scenePath: string, motionPath: string): Promise<number | undefined> {
  const { scene, model, trajectory } = await loaded(scenePath, motionPath);
  const manager = new CollisionManager(new CollisionModel(model, { ...scene, padding: 0 }));
  const curve = new TrajectoryCurve(
    inJointOrder(
      trajectory,
      model.variables.map(({ name }) => name),
    ),
  );
  const q = new Float64Array(curve.dof);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= 60; i++) {
    curve.position(q, curve.start + ((curve.end - curve.start) * i) / 60);
    least = Math.min(least, manager.clearance(q).distance);
  }
  return least > 0 && least < Number.POSITIVE_INFINITY ? least : undefined;
}
