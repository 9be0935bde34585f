import type { RobotModel } from '../kinematics/robotModel.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import { norm } from '../math/vec3.ts';
import type { CertificatePair, Span } from './certificate.ts';
import { type CertifiedPart, type CertifiedScene, certifiedParts, checkedPairs } from './convexParts.ts';
import type { MotionPiece } from './motionPieces.ts';
import { PlaneProver } from './planeProver.ts';
import { type SpanFailure, spanFailures } from './spanProofs.ts';

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
  /** Minimum gap (metres) proved over all listed pairs; undefined if not proved, or if none is listed. */
  readonly leastGap: number | undefined;
}

/**
 * Absolute: a normal may deviate from unit length by this, because files may round it. It is normalised before it is
 * used.
 */
export const LENGTH_TOLERANCE = 1e-6;
/** Maximum number of reported problems. */
export const MAX_PROBLEMS = 10;

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
