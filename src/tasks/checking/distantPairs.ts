import type { Motion } from '../../core/collision/motions/motion.ts';
import type { MotionProver } from '../../core/collision/motions/motionProver.ts';
import type { ProofRecorder } from '../../core/collision/motions/pairProver.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/** Pieces of the longest intervals over which pairs are tried, a power of two. */
const BLOCK = 64;

/**
 * Visits the pieces of a curve in order with the pairs that are still open there, which the caller must prove before
 * the next piece. Other pairs are recorded, each plane over up to `BLOCK` pieces: those that their last planes or their
 * boxes separate by more than their relative motion can close. In a scan with thousands of parts nearly all pairs are
 * distant, and each would otherwise be checked in every piece.
 */
export function* piecesWithOpenPairs(
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
