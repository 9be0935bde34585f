import type { Certificate } from '../../core/certificate/certificate.ts';
import type { CoordinationCertificate } from '../../core/certificate/coordination/cellCertificate.ts';
import type { CoordinationRecord } from '../../core/certificate/coordination/coordinationRecord.ts';
import { type CoordinatedMember, verifyCoordination } from '../../core/certificate/coordination/verifyCoordination.ts';
import type { MoveCertificate } from '../../core/certificate/moves/moveCertificate.ts';
import { verifyCertificate } from '../../core/certificate/verify.ts';
import { verifyProgram } from '../../core/certificate/verifyProgram.ts';
import { compositeRobot } from '../../core/kinematics/composition/compositeRobot.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { AllowedPairs } from '../../core/scene/allowedCollisions.ts';
import type { MoveProgram } from '../../core/scene/moves/moveProgram.ts';
import { kindOf } from '../../core/scene/movingScene.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { addUnchecked, countUnchecked, type UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { verifyMoves } from '../checking/moves/verifyMoves.ts';
import { uncheckedPairs } from '../checking/uncheckedCount.ts';
import { withoutRobots } from '../coordination/certifyCoordination.ts';

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
  /** Pairs of links and objects that no certificate has to cover. */
  readonly unchecked: UncheckedPairs;
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
  const verify = kindOf(scene) === 'program' ? verifyProgram : verifyCertificate;
  const { proved, problems, spans, leastGap } = verify(certificate, robot, scene, trajectory);
  const segments = certificate.segments ?? [certificate];
  return {
    proved,
    pairs: segments.reduce((sum, { pairs }) => sum + pairs.length, 0),
    spans,
    least_gap: leastGap ?? null,
    problems,
    unchecked: uncheckedPairs(robot, scene),
  };
}

/** Verifies a certificate of a program of moves. */
export function moveVerifyReport(
  certificate: MoveCertificate,
  robot: RobotModel,
  scene: Scene,
  program: MoveProgram,
): VerifyReport {
  const { proved, problems, spans, leastGap } = verifyMoves(certificate, robot, scene, program);
  const pairs = (certificate.segments ?? [certificate]).reduce((sum, one) => sum + one.pairs.length, 0);
  const unchecked = uncheckedPairs(robot, scene);
  return { proved, pairs, spans, least_gap: leastGap ?? null, problems, unchecked };
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
  const still = withoutRobots(scene);
  const { proved, problems, spans, leastGap } = verifyCoordination(certificate, members, still, record);
  const all = compositeRobot('all', members);
  const unchecked = new AllowedPairs();
  addUnchecked(unchecked, all, still);
  return {
    proved,
    pairs: [...certificate.robots, ...certificate.diagrams].reduce((sum, { pairs }) => sum + pairs.length, 0),
    spans,
    least_gap: leastGap ?? null,
    problems,
    unchecked: countUnchecked(unchecked, all),
  };
}
