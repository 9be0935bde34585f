import { CERTIFICATE_FORMAT, type Certificate, type CertificateSegment } from '../../core/certificate/certificate.ts';
import { reachedPositions } from '../../core/certificate/motionPieces.ts';
import { verifyProgram } from '../../core/certificate/verifyProgram.ts';
import { worldPieces } from '../../core/certificate/worldPieces.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { coveredMotion } from '../../core/trajectory/leadIn/leadIn.ts';
import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { trajectoryHash } from '../../core/trajectory/trajectoryHash.ts';
import { statedInterpolation } from '../checking/certifyTrajectory.ts';
import { intervalLimit, proofDefaults } from '../checking/proofLimits.ts';
import { SpanRecorder } from '../checking/spanRecorder.ts';
import { curveMotions, worldMotionsWithin } from '../checking/worldMotions.ts';
import { StopLimits } from '../forces/stopLimits.ts';
import { certifiedTorques } from '../forces/torqueCheck.ts';
import type { Timeline } from '../timeline.ts';

/**
 * Computes the certificate of the trajectory of a program: separating planes for each pair in each interval between
 * events that change the scene. The certificate is verified before it is returned; undefined if an interval cannot be
 * certified by planes. It states the hash of the points as given, before their joints are sorted.
 * @param intervals of the result of `checkProgram`
 * @param interrupt ends the computation, which then returns undefined
 */
export function certifyProgram(
  given: Trajectory,
  intervals: Timeline,
  robot: RobotModel,
  scene: Scene,
  interrupt: Interrupt = never,
): Certificate | undefined {
  const names = robot.variables.map((joint) => joint.name);
  const covered = coveredMotion(inJointOrder(given, names), startStateOf(robot, scene));
  if ('problem' in covered) return undefined;
  const trajectory = covered.motion;
  const curve = new TrajectoryCurve(trajectory);
  const motions = curveMotions(curve);
  const limits = StopLimits.of(robot, scene, interrupt);
  const segments: CertificateSegment[] = [];
  for (const [k, { from, to, world }] of intervals.entries()) {
    if (!(to > from) && k < intervals.length - 1) continue; // events at the same time; the last scene is proved
    const { posed, model } = world.manager;
    const { tree } = world;
    const prover = new MotionProver(posed, proofDefaults);
    prover.setMaxJointValues(reachedPositions(worldPieces(trajectory, tree, to), tree.robot.dof));
    const recorder = new SpanRecorder(model);
    const isExhausted = intervalLimit(prover, motions.length);
    for (const motion of worldMotionsWithin(motions, tree, from, to))
      if (isExhausted() || proveUnlessInterrupted(prover, motion, interrupt, recorder) !== 'certified')
        return undefined;
    const pairs = model.certifiedPairs().map((pair) => recorder.pair(pair, from, to, from));
    const torques = certifiedTorques(robot, world.scene, trajectory, from, to, interrupt);
    if (torques === undefined) return undefined;
    const stops = limits ? limits.certified(trajectory, { from, to, world, scene: world.scene }) : {};
    if (stops === undefined) return undefined;
    segments.push({ from, to, pairs, ...torques, ...stops });
  }
  const certificate: Certificate = {
    format: CERTIFICATE_FORMAT,
    trajectory: trajectoryHash(given),
    ...statedInterpolation(trajectory),
    duration: Math.max(curve.end, segments.at(-1)?.to ?? curve.end),
    pairs: [],
    segments,
  };
  return verifyProgram(certificate, robot, scene, given, interrupt).proved ? certificate : undefined;
}
