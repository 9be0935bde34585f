import { massFaults } from '../../src/core/dynamics/arm/armModel.ts';
import { combined, inertiaOf, volumeIntegrals } from '../../src/core/hulls/massProperties.ts';
import { transformOfPose } from '../../src/core/kinematics/pose.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import type { Scene } from '../../src/core/scene/scene.ts';
import { createShape } from '../../src/core/shapes/index.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import { cpuMilliseconds } from '../constraints/cpuTime.ts';
import { bundledScenes } from '../scenes.ts';

/** A scene with and without limits of torque. */
export interface ForceProblem {
  readonly name: string;
  readonly robot: RobotModel;
  readonly plain: Scene;
  readonly limited: Scene;
}

/** The bundled scenes whose robots have known masses and maximum torques. */
export async function forceProblems(): Promise<ForceProblem[]> {
  const scenes = await bundledScenes();
  return scenes
    .filter(({ name, robot }) => !name.startsWith('shared') && massFaults(robot).length === 0)
    .map(({ name, robot, scene }) => ({ name, robot, ...withTorque(scene) }));
}

/** A scene without limits of torque, and with those of the robot, or its own. */
export function withTorque({ torque = { scale: 1 }, ...plain }: Scene): {
  readonly plain: Scene;
  readonly limited: Scene;
} {
  return { plain, limited: { ...plain, torque } };
}

/** Plans a motion; its CPU time in ms. */
export function planned(robot: RobotModel, scene: Scene, seed: number) {
  const begun = cpuMilliseconds();
  const { trajectory, stats } = planMotion({ scene, robot: robot.description, model: robot }, { seed });
  return { trajectory, duration: stats.duration ?? Number.NaN, ms: cpuMilliseconds() - begun };
}

/** A robot whose collision geometry has a uniform density, such that its moving and fixed links weigh so much, kg. */
export function withUniformDensity(robot: RobotModel, weight: number): RobotModel {
  const bodies = robot.description.links.map(({ collisions }) =>
    combined(
      collisions.map(({ shape, pose }) => ({ own: volumeIntegrals(createShape(shape)), at: transformOfPose(pose) })),
    ),
  );
  const density = weight / bodies.reduce((sum, { volume }) => sum + volume, 0);
  const links = robot.description.links.map((link, i) => {
    const { volume, center, moments } = bodies[i];
    if (!(volume > 0)) return link;
    const inertia = inertiaOf(moments).map((moment) => density * moment);
    return { ...link, inertial: { mass: density * volume, center, inertia } };
  });
  return { ...robot, description: { ...robot.description, links } };
}
