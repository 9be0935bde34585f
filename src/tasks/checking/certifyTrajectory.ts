import { CERTIFICATE_FORMAT, type Certificate } from '../../core/certificate/certificate.ts';
import { reachedPositions } from '../../core/certificate/motionPieces.ts';
import { motionProblems, verifyCertificate } from '../../core/certificate/verify.ts';
import { worldPieces } from '../../core/certificate/worldPieces.ts';
import type { PosedParts } from '../../core/collision/model/posedParts.ts';
import type { Motion } from '../../core/collision/motions/motion.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import type { ProofRecorder } from '../../core/collision/motions/pairProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import { requireSingleMotion } from '../../core/scene/program.ts';
import { coveredMotion } from '../../core/trajectory/leadIn/leadIn.ts';
import { inJointOrder, isGiven, isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { trajectoryHash } from '../../core/trajectory/trajectoryHash.ts';
import { createSceneWorld, type SceneWorld } from '../../core/world/sceneWorld.ts';
import { InputError, InputErrors } from '../../errors.ts';
import { StopLimits } from '../forces/stopLimits.ts';
import { certifiedTorques } from '../forces/torqueCheck.ts';
import { intervalLimit, proofDefaults } from './proofLimits.ts';
import { SpanRecorder } from './spanRecorder.ts';
import { isAlone, worldMotions } from './worldMotions.ts';

/**
 * Computes the certificate of a trajectory: for each checked pair of convex parts, the separating directions that the
 * prover found, from time 0 to the end, the motion from the start of the scene included. The certificate is verified
 * before it is returned. Undefined if the motion
 * cannot be proved collision-free, or if it passes between points of one group of a cloud, which is collision-free but
 * has no separating plane. It states the hash of the points as given, before their joints are sorted.
 * @param place prefix of error messages: the file that the motion was read from
 * @param interrupt ends the computation, which then returns undefined
 * @param world the world that `posed` was created for, if its scene has moving obstacles or other robots
 * @throws InputError if the joints are not the robot's, if the motion begins before time 0, or if the scene is a
 *   program
 */
export function certifyTrajectory(
  posed: PosedParts,
  given: Trajectory,
  place?: string,
  interrupt: Interrupt = never,
  world: SceneWorld = worldOf(posed),
): Certificate | undefined {
  const { model } = posed;
  requireSingleMotion(model.scene, place ?? 'trajectory');
  const covered = coveredMotion(
    requireCertifiable(given, jointNamesOf(world.planned), place),
    startStateOf(world.planned, world.given),
  );
  if ('problem' in covered) return undefined;
  const trajectory = covered.motion;
  const curve = new TrajectoryCurve(trajectory);
  const reached = reachedPositions(worldPieces(trajectory, world), model.robot.dof);
  const prover = new MotionProver(posed, proofDefaults);
  prover.setMaxJointValues(reached);
  const recorder = new SpanRecorder(model);
  const motions = worldMotions(curve, world);
  const [start, end] = [motions[0].start, motions[motions.length - 1].end];
  const pieces = isAlone(world)
    ? piecesWithOpenPairs(prover, curve, recorder)
    : motions.map((_, k) => [k, undefined] as const);
  const isExhausted = intervalLimit(prover, motions.length);
  for (const [k, open] of pieces)
    if (proveUnlessInterrupted(prover, motions[k], interrupt, recorder, open) !== 'certified' || isExhausted())
      return undefined;
  const torques = certifiedTorques(world.planned, world.given, trajectory, 0, curve.end, interrupt);
  const limits = StopLimits.of(world.planned, world.given, interrupt, { tree: world, manager: { posed } });
  const stops = torques && (limits ? limits.certified(trajectory) : {});
  if (stops === undefined) return undefined;
  const certificate: Certificate = {
    format: CERTIFICATE_FORMAT,
    trajectory: trajectoryHash(given),
    ...statedInterpolation(given),
    duration: end,
    pairs: model.certifiedPairs().map((pair) => recorder.pair(pair, start, end)),
    ...torques,
    ...stops,
  };
  return verifyCertificate(certificate, world.planned, world.given, given, interrupt).proved ? certificate : undefined;
}

/**
 * Returns the interpolation if the points alone do not determine it, so that a certificate must state it: timed
 * straight lines, and cubic splines whose points also have accelerations.
 */
export function statedInterpolation(trajectory: Trajectory): Pick<Certificate, 'interpolation'> {
  const { interpolation, points } = trajectory;
  if (interpolation === 'linear' && isTimed(trajectory)) return { interpolation };
  const ignoresAccelerations = interpolation === 'cubic' && points.some((point) => isGiven(point.accelerations));
  return ignoresAccelerations ? { interpolation } : {};
}

/** Returns the motion in the order of the robot's joints. Throws `InputError` if a certificate cannot describe it. */
export function requireCertifiable(given: Trajectory, names: readonly string[], place = 'trajectory'): Trajectory {
  const trajectory = inJointOrder(given, names, place);
  const problems = motionProblems(trajectory);
  if (problems.length === 0) return trajectory;
  const note =
    'Certificates cover times from 0 on: use finite numbers, and times that start at 0 or later and increase.';
  throw new InputErrors(problems.map((problem) => new InputError(`${place}: ${problem}`, note)));
}

const jointNamesOf = (robot: RobotModel) => robot.variables.map((joint) => joint.name);

/** Returns the world of a model in which nothing moves but the robot. */
const worldOf = ({ model: { robot, scene } }: PosedParts): SceneWorld => createSceneWorld(robot, scene);

/** Pieces of the longest intervals over which pairs are tried, a power of two. */
const BLOCK = 64;

/**
 * Visits the pieces of a curve in order with the pairs that are still open there, which the caller must prove before
 * the next piece. Other pairs are recorded, each plane over up to `BLOCK` pieces: those that their last planes or their
 * boxes separate by more than their relative motion can close. In a scan with thousands of parts nearly all pairs are
 * distant, and each would otherwise be checked in every piece.
 */
function* piecesWithOpenPairs(
  prover: MotionProver,
  curve: TrajectoryCurve,
  recorder: ProofRecorder,
): Generator<readonly [piece: number, open: readonly number[]]> {
  const { times, pieces } = curve;
  const motion = wholeCurve(curve);
  const all = Array.from({ length: prover.posed.model.pairCount }, (_, pair) => pair);
  function* within(first: number, count: number, pairs: readonly number[]): ReturnType<typeof piecesWithOpenPairs> {
    const end = Math.min(first + count, pieces);
    if (first >= end) return;
    const open = prover.recordDistantPairs(motion, { start: times[first], end: times[end] }, recorder, pairs);
    if (count === 1) yield [first, open];
    else for (const half of [first, first + count / 2]) yield* within(half, count / 2, open);
  }
  for (let first = 0; first < pieces; first += BLOCK) yield* within(first, BLOCK, all);
}

/**
 * Returns all pieces as one motion. Only speeds are bounded: the velocity may jump between pieces, so accelerations are
 * not.
 */
function wholeCurve(curve: TrajectoryCurve): Motion {
  const { dof, start, end } = curve;
  const terms = new Float64Array(dof);
  for (const [i, value] of curve.terms.entries()) terms[i % dof] = Math.max(terms[i % dof], value);
  return {
    dof,
    start,
    end,
    terms,
    positionAt: (out, t) => curve.position(out, t),
    velocityAt: (out, t) => curve.velocity(out, t),
    boundsOver(velocity, acceleration, from, to) {
      curve.speedBounds(velocity, from, to);
      acceleration.fill(0); // only velocity bounds are used
    },
  };
}
