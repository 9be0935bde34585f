import type { Certificate } from '../../certificate/certificate.ts';
import { verifyCertificate } from '../../certificate/verify.ts';
import { verifyProgram } from '../../certificate/verifyProgram.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';

/** Result of `verify`, as it is printed. */
export interface VerifyReport {
  /** True if the certificate proves the motion collision-free, and its constraints are proved. */
  readonly proved: boolean;
  /** Number of pairs of the certificate. */
  readonly pairs: number;
  /** Number of spans that are proved. */
  readonly spans: number;
  /** Proved lower bound on the distance of every pair, metres; null if there is none. */
  readonly least_gap: number | null;
  /** Why the certificate is no proof, one line each. */
  readonly problems: readonly string[];
}

/**
 * Verifies a certificate of a motion or a program, and proves the path constraints of the scene. Throws `InputError`
 * for joints that are not the robot's.
 */
export function verifyReport(
  certificate: Certificate,
  robot: RobotModel,
  scene: Scene,
  trajectory: Trajectory,
): VerifyReport {
  const verify = scene.steps === undefined ? verifyCertificate : verifyProgram;
  const { proved, problems, spans, leastGap } = verify(certificate, robot, scene, trajectory);
  const segments = certificate.segments ?? [certificate];
  return {
    proved,
    pairs: segments.reduce((sum, { pairs }) => sum + pairs.length, 0),
    spans,
    least_gap: leastGap ?? null,
    problems,
  };
}
