import { requireCollisionGeometry } from '../kinematics/collisionGeometry.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import { jointValueProblem } from '../math/magnitudes.ts';
import { norm } from '../math/vec3.ts';
import { kindOf } from '../scene/sceneKind.ts';
import { startStateOf } from '../scene/statedStart.ts';
import { inJointOrder } from '../trajectory/jointOrder.ts';
import { coveredMotion } from '../trajectory/leadIn/leadIn.ts';
import { sceneEventFault } from '../trajectory/sceneEvents.ts';
import { isTimed, segmentKinds, type Trajectory, type TrajectoryPoint } from '../trajectory/trajectory.ts';
import { trajectoryHash } from '../trajectory/trajectoryHash.ts';
import { createSceneWorld } from '../world/sceneWorld.ts';
import type { Certificate, CertificatePair, Span } from './certificate.ts';
import { ConstraintProver } from './constraints/constraintProver.ts';
import { type CertifiedPart, type CertifiedScene, certifiedParts, checkedPairs } from './convexParts.ts';
import { type MotionPiece, motionPieces } from './motionPieces.ts';
import { PlaneProver } from './planeProver.ts';
import { type SpanFailure, spanFailures } from './spanProofs.ts';
import { torqueProblems } from './torques/verifyTorques.ts';
import { worldPieces } from './worldPieces.ts';

/** Result of verifying a certificate. */
export interface VerifyResult {
  /**
   * True if every checked pair is proved to be separated by a plane, and every path constraint to be satisfied, at
   * every instant of the motion.
   */
  readonly proved: boolean;
  /** Reasons why it is not proved, one line each; at most MAX_PROBLEMS. */
  readonly problems: readonly string[];
  /** Number of spans in the certificate. */
  readonly spans: number;
  /** Minimum gap (metres) proved over all listed pairs; undefined if not proved. */
  readonly leastGap: number | undefined;
}

/**
 * Absolute: a normal may deviate from unit length by this, because files may round it. It is normalised before it is
 * used.
 */
export const LENGTH_TOLERANCE = 1e-6;
/** Maximum number of reported problems. */
export const MAX_PROBLEMS = 10;

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
  requireCollisionGeometry(robot);
  const motion = inJointOrder(
    trajectory,
    robot.variables.map((joint) => joint.name),
  );
  const world = createSceneWorld(robot, scene);
  const problems = bindingProblems(certificate, motion, trajectory, world.end);
  if (world.end > 0 && !isTimed(motion)) problems.push('the motion has no times, but something else moves');
  if (kindOf(scene) === 'program') problems.push('the scene is a program: certificates of single motions do not apply');
  const event = sceneEventFault(trajectory);
  if (event !== undefined) problems.push(event);
  if (certificate.segments !== undefined) problems.push('it is the certificate of a program, the scene has no steps');
  if (problems.length > 0) return refused(problems, spanCount(certificate.pairs));
  const covered = coveredMotion(motion, startStateOf(robot, scene));
  if ('problem' in covered) return refused([covered.problem], spanCount(certificate.pairs));
  const interval = { from: 0, to: Math.max(endOf(motion), world.end) };
  const pieces = worldPieces(covered.motion, world);
  const result = verifyPairs(certificate.pairs, world.robot, world.scene, pieces, interval, interrupt);
  if (!result.proved) return result;
  const { constraints = [], tcp } = scene;
  const own = motionPieces(covered.motion);
  const { torques } = certificate;
  const open = torqueProblems(torques, robot, scene, own, interval.from, endOf(motion), isTimed(motion), interrupt);
  if (constraints.length === 0) return withConstraints(result, open);
  const prover = new ConstraintProver(robot, own, isTimed(motion), tcp, interrupt);
  return withConstraints(result, [...open, ...prover.problems(constraints)]);
}

/** Returns a result of `verifyPairs` with the problems of torques and path constraints. */
export const withConstraints = (result: VerifyResult, problems: readonly string[]): VerifyResult =>
  problems.length === 0 ? result : refused(problems, result.spans);

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

/** Returns the number of spans of all pairs. */
export const spanCount = (pairs: readonly CertificatePair[]) => pairs.reduce((sum, pair) => sum + pair.spans.length, 0);

/** Returns the result of a certificate that is refused. */
export const refused = (problems: readonly string[], spans: number): VerifyResult => ({
  proved: false,
  problems: problems.slice(0, MAX_PROBLEMS),
  spans,
  leastGap: undefined,
});

/**
 * Verifies that the planes of pairs separate every checked pair of a scene over an interval of a motion.
 * @param pieces of the motion of all joints of `robot`
 * @param interrupt ends the verification, which then has not proved the pairs
 */
export function verifyPairs(
  pairs: readonly CertificatePair[],
  robot: RobotModel,
  scene: CertifiedScene,
  pieces: readonly MotionPiece[],
  interval: Interval,
  interrupt: Interrupt = never,
): VerifyResult {
  const parts = certifiedParts(robot, scene);
  const prover = new PlaneProver(robot, pieces, scene);
  return verifyRequiredPairs(pairs, checkedPairs(robot, scene, parts), parts, prover, interval, interrupt);
}

/** Two parts that must be separated. */
export type RequiredPair = readonly [CertifiedPart, CertifiedPart];

/**
 * As `verifyPairs`, for the required pairs only.
 * @param parts all parts that pairs may name
 * @param prover of the motion
 */
export function verifyRequiredPairs(
  pairs: readonly CertificatePair[],
  required: readonly RequiredPair[],
  parts: readonly CertifiedPart[],
  prover: PlaneProver,
  interval: Interval,
  interrupt: Interrupt = never,
): VerifyResult {
  const spans = spanCount(pairs);
  const named = namedParts(parts);
  const problems = [...coverageProblems(pairs, interval, named), ...missingPairs(pairs, required)];
  if (problems.length > 0) return refused(problems, spans);

  const separated = pairs.map((pair) => ({
    a: named.get(partKey(pair.a, pair.partA))!,
    b: named.get(partKey(pair.b, pair.partB))!,
    spans: pair.spans,
    pair,
  }));
  const failures = spanFailures(prover, separated, interrupt, MAX_PROBLEMS);
  if (failures === undefined) return refused(['the time limit ended the verification'], spans);
  for (const one of separated) {
    const failure = failures.get(one);
    if (failure) problems.push(planeProblem(one.pair, failure));
  }
  if (problems.length > 0) return refused(problems, spans);
  return { proved: true, problems, spans, leastGap: prover.minGap };
}

/** Interval of time that the spans of each pair must cover, seconds or waypoints. */
export interface Interval {
  readonly from: number;
  readonly to: number;
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

/** Returns formal problems of a certificate: unknown parts, invalid normals, times without a plane. */
function coverageProblems(pairs: readonly CertificatePair[], interval: Interval, parts: NamedParts): string[] {
  return pairs.flatMap((pair) => {
    const name = nameOf(pair);
    const a = parts.get(partKey(pair.a, pair.partA));
    const b = parts.get(partKey(pair.b, pair.partB));
    if (!a || !b) return [`${name}: the scene has no such part`];
    if (a.link < 0) return [`${name}: "${pair.a}" is an obstacle, it must come second`];
    return spanProblems(pair.spans, interval.to, interval.from).map((problem) => `${name}: ${problem}`);
  });
}

/** Returns the problems of the spans of a pair: they may overlap, but must cover [start, end] in ascending order. */
export function spanProblems(spans: readonly Span[], end: number, start = 0): string[] {
  if (spans.length === 0) return ['it has no spans'];
  let covered = start;
  for (const [from, to, ...n] of spans) {
    if (!(from >= start && to >= from && to <= end)) return [`a span from ${from} to ${to}, the motion ends at ${end}`];
    if (from > covered) return [`a hole from ${covered} to ${from}`];
    const length = norm(Float64Array.from(n));
    if (!(Math.abs(length - 1) <= LENGTH_TOLERANCE)) return [`a direction of length ${length} at ${from}`];
    covered = Math.max(covered, to);
  }
  return covered < end ? [`a hole from ${covered} to ${end}`] : [];
}

/** Returns a problem for each required pair that a certificate does not list. */
export function missingPairs(
  pairs: readonly Pick<CertificatePair, 'a' | 'partA' | 'b' | 'partB'>[],
  required: readonly RequiredPair[],
): string[] {
  const listed = new Set(
    pairs.flatMap(({ a, partA, b, partB }) => [keyOf(a, partA, b, partB), keyOf(b, partB, a, partA)]),
  );
  return required
    .map(([a, b]) => ({ a: a.object, partA: a.part, b: b.object, partB: b.part }))
    .filter(({ a, partA, b, partB }) => !listed.has(keyOf(a, partA, b, partB)))
    .map((pair) => `${nameOf(pair)}: the pair is missing`);
}

/** Returns the problem of a plane that is not proved. */
function planeProblem(pair: CertificatePair, { span: [from, to], gap, time }: SpanFailure): string {
  const found = `leaves ${Number(gap.toPrecision(6))} m at t = ${time}`;
  return `${nameOf(pair)}: the plane of the span from ${from} to ${to} ${found}`;
}

/** All parts by `partKey`. */
export type NamedParts = ReadonlyMap<string, CertifiedPart>;

/** Returns parts by `partKey`. */
export const namedParts = (parts: readonly CertifiedPart[]): NamedParts =>
  new Map(parts.map((part) => [partKey(part.object, part.part), part]));

/** Key of a part. */
export const partKey = (body: string, part: number) => `${part} ${body}`;

const keyOf = (a: string, partA: number, b: string, partB: number) => JSON.stringify([a, partA, b, partB]);

/** Name of a pair in messages. */
export const nameOf = ({ a, partA, b, partB }: Pick<CertificatePair, 'a' | 'partA' | 'b' | 'partB'>) =>
  `${a} (part ${partA}) and ${b} (part ${partB})`;
