import { InputError } from '../../../errors.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import type { PosedParts } from '../model/posedParts.ts';
import type { Motion } from './motion.ts';
import type { MotionProver, MotionVerdict } from './motionProver.ts';
import type { ProofRecorder } from './pairProver.ts';

/** Pair checks between two calls of an interrupt: about 10 ms. */
export const CHECKS_PER_INTERRUPT = 10_000;

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

/** Throws `InputError` if an obstacle was moved since the poses had this generation. */
export function requireSameObstacles(posed: Pick<PosedParts, 'generation'>, generation: number): void {
  if (posed.generation !== generation) {
    throw new InputError(
      'an obstacle was moved while a check was paused',
      'What was checked before holds for the old pose: start the check again.',
    );
  }
}
