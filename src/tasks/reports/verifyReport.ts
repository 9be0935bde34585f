import type { Certificate } from '../../certificate/certificate.ts';
import type { CoordinationCertificate } from '../../certificate/coordination/cellCertificate.ts';
import type { CoordinationRecord } from '../../certificate/coordination/coordinationRecord.ts';
import { type CoordinatedMember, verifyCoordination } from '../../certificate/coordination/verifyCoordination.ts';
import { verifyCertificate } from '../../certificate/verify.ts';
import { verifyProgram } from '../../certificate/verifyProgram.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Scene } from '../../scene/scene.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { createConstraintCheck } from '../checking/constraintFaults.ts';
import { withoutRobots } from '../coordination/certifyCoordination.ts';
import { checkProgram } from '../programs/checkProgram.ts';

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
  const violations = proved ? constraintProblems(robot, scene, trajectory) : [];
  const segments = certificate.segments ?? [certificate];
  return {
    proved: proved && violations.length === 0,
    pairs: segments.reduce((sum, { pairs }) => sum + pairs.length, 0),
    spans,
    least_gap: leastGap ?? null,
    problems: [...problems, ...violations],
  };
}

/**
 * Verifies the certificate of a coordination, and proves the path constraints of the scene, which apply to its own
 * robot: the first member. Throws `InputError` for joints that are not those of the robot.
 */
export function verifyCoordinationReport(
  certificate: CoordinationCertificate,
  members: readonly CoordinatedMember[],
  scene: Scene,
  record: CoordinationRecord,
): VerifyReport {
  const { proved, problems, spans, leastGap } = verifyCoordination(certificate, members, withoutRobots(scene), record);
  const violations = proved ? constraintProblems(members[0].model, scene, members[0].trajectory) : [];
  return {
    proved: proved && violations.length === 0,
    pairs: [...certificate.robots, ...certificate.diagrams].reduce((sum, { pairs }) => sum + pairs.length, 0),
    spans,
    least_gap: leastGap ?? null,
    problems: [...problems, ...violations],
  };
}

/** Returns the constraints of a scene, or of the steps of its program, that a motion is not proved to satisfy. */
function constraintProblems(model: RobotModel, scene: Scene, trajectory: Trajectory): string[] {
  const motion = inJointOrder(
    trajectory,
    model.variables.map((joint) => joint.name),
  );
  if (scene.steps === undefined)
    return createConstraintCheck(
      model,
      scene,
    )(motion).map(({ label, time }) => `constraint "${label}" is not proved at ${time}`);
  const own = scene.steps.some((step) => 'constraints' in step && step.constraints.length > 0);
  if (!own && (scene.constraints ?? []).length === 0) return [];
  const { stepFaults, faults } = checkProgram(model, scene, motion, { checker: 'growth-distance' });
  if (faults.some(({ kind }) => kind === 'time')) return ['the constraints are not proved: the times do not increase'];
  return stepFaults.map(({ what }) => what);
}
