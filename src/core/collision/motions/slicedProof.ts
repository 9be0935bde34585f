import { InputError } from '../../../errors.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import type { Slices } from '../../math/slices.ts';
import type { PosedParts } from '../model/posedParts.ts';
import type { Motion } from './motion.ts';
import type { MotionProver, MotionVerdict, SuspendedProof } from './motionProver.ts';
import type { ProofRecorder } from './pairProver.ts';

export { completed, type Slices } from '../../math/slices.ts';

/** Length of the slices of a computation, and a hook for its pauses. */
export interface Slicing {
  /** Approximate number of pair checks between two pauses. */
  readonly checks: number;
  /**
   * Called at each pause with the bytes that the suspended computation holds, and with 0 at its end. If it throws, the
   * computation ends.
   */
  readonly hold?: (bytes: number) => void;
}

/** Slicing without pauses. */
export const UNSLICED: Slicing = { checks: Number.POSITIVE_INFINITY };

/** Pair checks between two calls of an interrupt: about 10 ms. */
export const CHECKS_PER_INTERRUPT = 10_000;

/** Returns the bytes of memory that a suspended proof holds. */
const bytesOfProof = ({ queue, right }: SuspendedProof): number => queue.bytes + 4 * right.length;

/**
 * As `prover.prove`; undefined if it is interrupted before the motion is decided, or if the interrupt began another
 * proof with the prover.
 */
export function proveUnlessInterrupted(
  prover: MotionProver,
  motion: Motion,
  interrupt: Interrupt,
  recorder?: ProofRecorder,
  pairs?: readonly number[],
): MotionVerdict | undefined {
  if (interrupt()) return undefined;
  let verdict = prover.begin(motion, recorder, pairs) ?? prover.proceed(CHECKS_PER_INTERRUPT);
  const { proofs } = prover;
  const { generation } = prover.posed;
  while (verdict === undefined && !interrupt() && prover.proofs === proofs) {
    requireSameObstacles(prover.posed, generation);
    verdict = prover.proceed(CHECKS_PER_INTERRUPT);
  }
  return verdict;
}

/**
 * As `prover.prove(motion)`, in slices. The prover may prove other motions during the pauses; when this generator
 * returns, `prover.pair` and `prover.time` are those of this motion. The motion must not change until then. Throws
 * `InputError` if an obstacle was moved during a pause.
 */
export function* proveInSlices(prover: MotionProver, motion: Motion, { checks, hold }: Slicing): Slices<MotionVerdict> {
  let verdict = prover.begin(motion) ?? prover.proceed(checks);
  if (verdict !== undefined) return verdict;
  const { generation } = prover.posed;
  try {
    while (verdict === undefined) {
      const proof = prover.suspend();
      hold?.(bytesOfProof(proof));
      yield;
      requireSameObstacles(prover.posed, generation);
      prover.restore(proof);
      verdict = prover.proceed(checks);
    }
    return verdict;
  } finally {
    hold?.(0);
  }
}

/** Throws `InputError` if an obstacle was moved since the poses had this generation. */
export function requireSameObstacles(posed: Pick<PosedParts, 'generation'>, generation: number): void {
  if (posed.generation !== generation) {
    throw new InputError(
      'an obstacle was moved while a check was paused',
      'What was checked before holds for the old pose: start the check again.',
    );
  }
}
