import { requireCollisionGeometry } from '../kinematics/collisionGeometry.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import { jointValueProblem } from '../math/magnitudes.ts';
import { startStateOf } from '../scene/configurationOf.ts';
import { isForceConstraint, isStopConstraint, type PathConstraint } from '../scene/constraints.ts';
import { kindOf } from '../scene/movingScene.ts';
import { coveredMotion } from '../trajectory/leadIn/leadIn.ts';
import {
  inJointOrder,
  isTimed,
  sceneEventFault,
  segmentKinds,
  type Trajectory,
  type TrajectoryPoint,
} from '../trajectory/trajectory.ts';
import { trajectoryHash } from '../trajectory/trajectoryHash.ts';
import { createSceneWorld, type SceneWorld } from '../world/sceneWorld.ts';
import type { Certificate } from './certificate.ts';
import { ConstraintProver } from './constraints/constraintProver.ts';
import type { CertifiedScene } from './convexParts.ts';
import { type MotionPiece, motionPieces } from './motionPieces.ts';
import { StopPairProof } from './torques/stopPairs.ts';
import { type StopInterval, stopProblems } from './torques/verifyStops.ts';
import { holdingProblems, type RestClaim, torqueProblems, velocityJump } from './torques/verifyTorques.ts';
import { type Interval, refused, spanCount, type VerifyResult, verifyPairs } from './verifyPairs.ts';
import { worldPieces } from './worldPieces.ts';

/**
 * Verifies that a certificate proves a trajectory collision-free in a scene (CONTRACT: certificate). Forward
 * kinematics, support functions, bounds and coverage are recomputed independently of the narrow phase, the collision
 * manager and the prover. Moving obstacles and other robots are covered until all is at rest, and the motion from the
 * start that the scene states to a first point after time 0. A motion that begins elsewhere is not proved.
 * The path constraints of the scene are proved with bounds of its own, too; they need nothing from the certificate.
 * @param interrupt ends the verification, which then has not proved the certificate
 * @throws InputError if the joints of the trajectory are not those of the robot
 */
export function verifyCertificate(
  certificate: Certificate,
  robot: RobotModel,
  scene: CertifiedScene,
  trajectory: Trajectory,
  interrupt: Interrupt = never,
): VerifyResult {
  return verifyMotion(certificate, robot, scene, trajectory, interrupt, {
    problems: (motion, { end }) => {
      const event = sceneEventFault(trajectory);
      return [
        ...(end > 0 && !isTimed(motion) ? ['the motion has no times, but something else moves'] : []),
        ...(kindOf(scene) === 'program' ? ['the scene is a program: certificates of single motions do not apply'] : []),
        ...(event === undefined ? [] : [event]),
        ...(certificate.segments ? ['it is the certificate of a program, the scene has no steps'] : []),
      ];
    },
    intervals: (world, motion) => [
      { from: 0, to: Math.max(endOf(motion), world.end), world, claim: certificate, place: '' },
    ],
    constraints: (prover) => prover.problems(othersOf(scene)),
  });
}

/** An interval of a motion in one world, and the part of a certificate that claims it. */
export interface ClaimedInterval extends Interval {
  readonly world: SceneWorld;
  readonly claim: Pick<Certificate, 'pairs' | 'torques' | 'stops' | 'stop_pairs'>;
  /** Where the arm must be held at rest: in this interval, or in one before it that lasts no time; default: nowhere. */
  readonly rests?: readonly RestClaim[];
  /** Scale of the limits of acceleration in a piece of the motion; undefined: 1. */
  readonly scaleOf?: StopInterval['scaleOf'];
  /** Prefix of problems. */
  readonly place: string;
}

/** Why the intervals of a certificate are not those of the motion. */
export interface Misfit {
  readonly problems: readonly string[];
}

/** The parts of a verification in which single motions and programs differ. */
export interface MotionClaims<S extends CertifiedScene> {
  /** Returns problems of the certificate, or of the motion in the order of the robot's joints, as a whole. */
  problems(motion: Trajectory, world: SceneWorld<S>): string[];
  /**
   * Returns the intervals that together are the motion, in the order of time, or why the certificate does not fit.
   * @param whole the motion, lead-in included
   */
  intervals(world: SceneWorld<S>, motion: Trajectory, whole: Trajectory): readonly ClaimedInterval[] | Misfit;
  /** Returns the problems of the path constraints. */
  constraints(prover: ConstraintProver, motion: Trajectory): string[];
}

/** Verifies the certificate of a motion of any kind, as `verifyCertificate` and `verifyProgram`. */
export function verifyMotion<S extends CertifiedScene>(
  certificate: Certificate,
  robot: RobotModel,
  scene: S,
  trajectory: Trajectory,
  interrupt: Interrupt,
  claims: MotionClaims<S>,
): VerifyResult {
  requireCollisionGeometry(robot);
  const names = robot.variables.map((joint) => joint.name);
  const motion = inJointOrder(trajectory, names);
  const first = createSceneWorld(robot, scene);
  const problems = [...bindingProblems(certificate, motion, trajectory, first.end), ...claims.problems(motion, first)];
  if (problems.length > 0) return refused(problems, spanCount(certificate.pairs));
  const covered = coveredMotion(motion, startStateOf(robot, scene));
  if ('problem' in covered) return refused([covered.problem], spanCount(certificate.pairs));
  const intervals = claims.intervals(first, motion, covered.motion);
  if ('problems' in intervals) return refused(intervals.problems, spanCount(certificate.pairs));
  const pieces = motionPieces(covered.motion);
  const timed = isTimed(motion);
  const end = endOf(motion);
  const [{ from: begin }] = intervals;
  if (begin > 0) problems.push(...holdingProblems(robot, [{ time: begin, scene }], pieces)); // it rests before
  let spans = 0;
  let leastGap = Number.POSITIVE_INFINITY;
  for (const { from, to, world, claim, place, rests = [], scaleOf } of intervals) {
    const all = worldPieces(covered.motion, world, to, pieces);
    const result = verifyPairs(claim.pairs, world.robot, world.scene, all, { from, to }, interrupt);
    spans += result.spans;
    if (!result.proved) return refused(placed(place, result.problems), spans);
    leastGap = Math.min(leastGap, result.leastGap!);
    const last = Math.max(from, Math.min(to, end)); // the robot rests after it
    const open = torqueProblems(claim.torques, robot, world.scene, pieces, from, last, timed, interrupt);
    const forces = forceProblems(robot, scene, world.scene, pieces, from, last, timed, interrupt);
    const part = { from: Math.max(from, pieces[0].start), to: last, scaleOf };
    const during = { ...world.scene, constraints: scene.constraints ?? [] };
    const { stops: stated = [], stop_pairs: planes } = claim;
    if (planes !== undefined && planes.length !== stated.length)
      problems.push(`${place}stop_pairs: ${planes.length} lists for ${stated.length} stops`);
    const contacts = new StopPairProof(planes, world, interrupt);
    const stops = stopProblems(claim.stops, robot, during, pieces, part, timed, interrupt, contacts);
    const held = holdingProblems(robot, rests, pieces);
    problems.push(...placed(place, [...open, ...held, ...forces, ...stops]));
  }
  problems.push(...claims.constraints(new ConstraintProver(robot, pieces, timed, scene, interrupt), motion));
  if (problems.length > 0) return refused(problems, spans);
  return { proved: true, problems, spans, leastGap: Number.isFinite(leastGap) ? leastGap : undefined };
}

/** Returns the constraints that do not depend on what the robot carries. */
export const othersOf = ({ constraints = [] }: CertifiedScene): PathConstraint[] =>
  constraints.filter((one) => !isForceConstraint(one));

/** Returns the problems of the limits of momentum and power in an interval, with what the robot carries then. */
function forceProblems(
  robot: RobotModel,
  { constraints = [] }: CertifiedScene,
  during: CertifiedScene,
  pieces: readonly MotionPiece[],
  from: number,
  to: number,
  isTimed: boolean,
  interrupt: Interrupt,
): string[] {
  const limits = constraints.filter((one) => isForceConstraint(one) && !isStopConstraint(one));
  if (limits.length === 0 || !isTimed) return [];
  const jump = limits.some(({ type }) => type === 'power') ? velocityJump(robot, pieces, from, to) : undefined;
  const open = new ConstraintProver(robot, pieces, isTimed, during, interrupt).problems(limits, from, to);
  return jump === undefined ? open : [jump, ...open];
}

const placed = (place: string, problems: readonly string[]) => problems.map((problem) => place + problem);

/**
 * Returns the problems of a certificate as a whole: it must be that of the motion.
 * @param motion the trajectory in the order of the robot's joints
 * @param end time from which on everything else rests
 */
export function bindingProblems(
  certificate: Certificate,
  motion: Trajectory,
  trajectory: Trajectory,
  end = 0,
): string[] {
  const problems = motionProblems(motion);
  if (certificate.trajectory !== trajectoryHash(trajectory))
    problems.push('it is the certificate of another motion: the hashes differ');
  problems.push(...statementProblems(certificate, motion));
  const duration = problems.length === 0 ? Math.max(endOf(motion), end) : 0;
  if (problems.length === 0 && certificate.duration !== duration)
    problems.push(
      `its duration is ${certificate.duration}, ${end > 0 ? 'all is at rest at' : "the motion's is"} ${duration}`,
    );
  return problems;
}

/**
 * Returns the reasons why no certificate can apply to a motion: invalid values, or times that do not increase from t >=
 * 0.
 */
export function motionProblems({ points }: Trajectory): string[] {
  if (points.length === 0) return ['the motion has no points'];
  const hasFiniteValues = ({ positions, velocities = [], accelerations = [], time_from_start = 0 }: TrajectoryPoint) =>
    [positions, velocities, accelerations, [time_from_start]].every((values) => values.every(Number.isFinite));
  if (!points.every(hasFiniteValues))
    return ['the motion has positions, velocities, accelerations or times that are not finite'];
  const large = points.flatMap((point) => point.positions).find((value) => jointValueProblem(value) !== undefined);
  if (large !== undefined) return [`the motion has the position ${large}, which ${jointValueProblem(large)}`];
  const times = points.map((point, i) => point.time_from_start ?? i);
  if (times[0] < 0) return [`the motion begins at t = ${times[0]}, before 0`];
  const late = times.findIndex((time, i) => i > 0 && !(time > times[i - 1]));
  return late < 0 ? [] : [`times of the motion do not increase: ${times[late]} comes after ${times[late - 1]}`];
}

/**
 * Checks that the interpolation which the certificate states is that of the motion; the hash covers the points only.
 */
function statementProblems({ interpolation }: Certificate, motion: Trajectory): string[] {
  if (interpolation === undefined || motion.points.length === 0) return [];
  const other = segmentKinds(motion).findIndex((kind) => kind !== interpolation);
  return other < 0 ? [] : [`its interpolation is ${interpolation}, segment ${other} of the motion is of another kind`];
}

/** Returns the end time of a motion as certificates state it: seconds, or waypoints for a path. */
export function endOf(trajectory: Trajectory): number {
  const last = trajectory.points.length - 1;
  return isTimed(trajectory) ? trajectory.points[last].time_from_start! : last;
}
