import { certificateText } from '../../src/core/certificate/certificate.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { certifyTrajectory } from '../../src/tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker } from '../../src/tasks/checking/checkTrajectory.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import type { BenchScene } from './samples.ts';

export interface CertificateRow {
  readonly [column: string]: string | number;
  readonly scene: string;
}

/**
 * Whole planned trajectories: checked, certified and verified; the least of three times, milliseconds. Undefined where
 * nothing is planned.
 */
export function certificateRow({ name, robot, scene }: BenchScene): CertificateRow | undefined {
  if (scene.start === undefined || scene.goals.some((goal) => goal.kind !== 'joints')) return undefined;
  const { trajectory } = planMotion({ scene, robot: robot.description, model: robot });
  if (trajectory === undefined) return undefined;
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const check = createTrajectoryChecker(robot, manager);
  const certify = () => certifyTrajectory(manager.posed, trajectory);
  const certificate = certify();
  if (certificate === undefined) return undefined;
  let proved = true;
  const verify = () => {
    proved = verifyCertificate(certificate, robot, scene, trajectory).proved && proved;
  };
  const row = {
    scene: name,
    points: trajectory.points.length,
    'check ms': leastOfThree(() => check(trajectory)),
    'certify ms': leastOfThree(certify),
    'verify ms': leastOfThree(verify),
    'certificate kB': certificateText(certificate).length / 1000,
  };
  return { ...row, proved: proved ? 'yes' : 'NO' };
}

function leastOfThree(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const before = performance.now();
    run();
    least = Math.min(least, performance.now() - before);
  }
  return least;
}
