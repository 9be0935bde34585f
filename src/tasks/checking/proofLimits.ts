import type { MotionProver } from '../../core/collision/motions/motionProver.ts';

/**
 * Limits of proofs of trajectories, finer than those of planners, so that a motion with a tiny clearance is certified
 * and a penetration of a micrometre is found. `resolution` in joint space (rad, m): an interval of this length that is
 * not proved is unresolved.
 */
export const proofDefaults = { resolution: 1e-6, intervals: 200_000 };

/** Intervals of the proofs of the motions in one world at most, and those that are added for each of its motions. */
const MAX_INTERVALS = { all: 4_000_000, each: 64 };

/** Returns a function that returns true once the prover has used up the intervals of that many motions. */
export function intervalLimit(prover: MotionProver, motions: number): () => boolean {
  const last = prover.intervals + MAX_INTERVALS.all + MAX_INTERVALS.each * motions;
  return () => prover.intervals > last;
}
