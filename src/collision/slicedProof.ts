import type { Slices } from '../math/slices.ts';
import type { Motion } from './motion.ts';
import { bytesOfProof, type MotionProver, type MotionVerdict } from './motionProver.ts';

export { completed, type Slices } from '../math/slices.ts';

/** How finely work is sliced. */
export interface Slicing {
  /** Pair checks between two pauses, about. */
  readonly checks: number;
  /** Receives, at each pause, the bytes that the interrupted work holds, and 0 at its end. What it throws ends the work. */
  readonly hold?: (bytes: number) => void;
}

/** Work that does not pause. */
export const UNSLICED: Slicing = { checks: Number.POSITIVE_INFINITY };

/**
 * As `prover.prove(motion)`, in slices. The prover may prove other motions in the pauses; `prover.pair` and `prover.time` are those of this motion
 * until the caller pauses. The motion must not change.
 */
export function* proveInSlices(prover: MotionProver, motion: Motion, { checks, hold }: Slicing): Slices<MotionVerdict> {
  let verdict = prover.begin(motion) ?? prover.proceed(checks);
  if (verdict !== undefined) return verdict;
  try {
    while (verdict === undefined) {
      const proof = prover.suspend();
      hold?.(bytesOfProof(proof));
      yield;
      prover.restore(proof);
      verdict = prover.proceed(checks);
    }
    return verdict;
  } finally {
    hold?.(0);
  }
}
