import { CERTIFICATE_FORMAT, type Certificate } from '../../certificate/certificate.ts';
import { motionPieces, reachedPositions } from '../../certificate/motionPieces.ts';
import { motionProblems, verifyCertificate } from '../../certificate/verify.ts';
import { MotionProver } from '../../collision/motionProver.ts';
import type { PosedBodies } from '../../collision/posedBodies.ts';
import { InputError, InputErrors } from '../../errors.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import { isGiven, isTimed, type Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { trajectoryHash } from '../../trajectory/trajectoryHash.ts';
import { proofDefaults } from './checkTrajectory.ts';
import { curveMotions } from './curveMotions.ts';
import { recordFarPairs } from './distantPairs.ts';
import { SpanRecorder } from './spanRecorder.ts';

/**
 * The certificate of a trajectory: for each pair of convex parts that may not touch, the separating directions that the prover found,
 * from 0 to the end. It is verified before it is returned. Undefined where the motion cannot be proved free, or comes between the points of one group of a cloud: free, but not by planes. Its hash is that of the points as they are given, in the order of
 * joints that they are given in: of a file, the points that reading it gives.
 * @param place what errors begin with: the file that the motion was read from
 * @throws InputError for joints that are not the robot's, and for motions that no certificate can speak of: those that begin before 0
 */
export function certifyTrajectory(posed: PosedBodies, given: Trajectory, place?: string): Certificate | undefined {
  const { model } = posed;
  const trajectory = certifiable(given, jointNamesOf(posed), place);
  const curve = new TrajectoryCurve(trajectory);
  const reached = reachedPositions(motionPieces(trajectory), curve.dof);
  const prover = new MotionProver(posed, proofDefaults);
  prover.reckonWith(reached);
  const recorder = new SpanRecorder(model);
  const near = posed.tree ? recordFarPairs(posed, curve, recorder, reached) : undefined;
  for (const [k, motion] of curveMotions(curve).entries())
    if (prover.prove(motion, recorder, near?.[k]) !== 'certified') return undefined;
  const certificate: Certificate = {
    format: CERTIFICATE_FORMAT,
    trajectory: trajectoryHash(given),
    ...saidInterpolation(given),
    duration: curve.end,
    pairs: Array.from({ length: model.pairCount }, (_, pair) => recorder.pair(pair, curve.start, curve.end)),
  };
  return verifyCertificate(certificate, model.robot, model.scene, given).proved ? certificate : undefined;
}

/** What a certificate states of the curve between the points, for its hash does not: timed straight lines, and cubics that ignore accelerations. */
export function saidInterpolation(trajectory: Trajectory): Pick<Certificate, 'interpolation'> {
  const { interpolation, points } = trajectory;
  if (interpolation === 'linear' && isTimed(trajectory)) return { interpolation };
  const isCubicByStatement = interpolation === 'cubic' && points.some((point) => isGiven(point.accelerations));
  return isCubicByStatement ? { interpolation } : {};
}

/** The motion in the order of the robot's joints. Throws InputError where a certificate cannot speak of it. */
export function certifiable(given: Trajectory, names: readonly string[], place = 'trajectory'): Trajectory {
  const trajectory = inJointOrder(given, names, place);
  const problems = motionProblems(trajectory);
  if (problems.length === 0) return trajectory;
  const note =
    'Certificates count from 0: give the motion finite numbers, and times that begin at 0 or later and increase.';
  throw new InputErrors(problems.map((problem) => new InputError(`${place}: ${problem}`, note)));
}

const jointNamesOf = ({ model }: PosedBodies) => model.robot.variables.map((joint) => joint.name);
