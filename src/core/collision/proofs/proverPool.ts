import { InputError } from '../../../errors.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { type Motion, MotionInterval } from '../motions/motion.ts';
import { MotionProver, type MotionVerdict } from '../motions/motionProver.ts';
import type { ProofRecorder } from '../motions/pairProver.ts';
import type { ProverOptions } from './proverOptions.ts';

/** Maximum number of idle provers; a planning query takes three, and another one for each repeated search. */
const MOST_IDLE = 4;

/**
 * Motion provers that are kept from one query of the same poses to the next: creating a prover allocates memory for
 * each collision pair, which takes as long as many proofs. All provers that were taken belong to the current query,
 * until `reclaim`.
 */
export class ProverPool {
  private idle: MotionProver[] = [];
  private readonly taken: MotionProver[] = [];

  constructor(private readonly posed: PosedParts) {}

  /** Returns a prover in the state of a new one; parameters as of `MotionProver`. */
  take(options: ProverOptions, pieceLength = Number.POSITIVE_INFINITY): MotionProver {
    const kept = this.idle.find((prover) => prover.hasOptions(options, pieceLength));
    this.idle = this.idle.filter((prover) => prover !== kept);
    const prover = kept ?? new MotionProver(this.posed, options, pieceLength);
    this.taken.push(prover);
    return prover;
  }

  /** Takes back all provers at the end of their query, which must not use them any more. */
  reclaim(): void {
    for (const prover of this.taken) prover.reset();
    this.idle = [...this.taken.splice(0), ...this.idle].slice(0, MOST_IDLE);
  }
}

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

/** Seconds, or waypoints of a path: resolution of the time at which a motion first cannot be certified. */
export const CONTACT_WIDTH = 1e-6;

/** The first instant of a motion that cannot be certified, up to `CONTACT_WIDTH`. */
export interface Uncertified {
  /** The motion is certified from its start to this time. */
  readonly until: number;
  /** Time after `until` at which `pair` is in collision or unresolved. */
  readonly time: number;
  /** Index of the pair. */
  readonly pair: number;
  /** Verdict of the proof that found `pair` at `time`. */
  readonly verdict: MotionVerdict;
}

/**
 * Bisects for the first instant of a motion that cannot be certified.
 * @param prover which has just refused the motion with this verdict
 * @param pairs those that are checked; default: all
 * @param interrupt ends the bisection early, with a coarser result
 */
export function firstUncertified(
  prover: MotionProver,
  motion: Motion,
  verdict: MotionVerdict,
  interrupt: Interrupt,
  pairs?: readonly number[],
): Uncertified {
  let { pair, time } = prover;
  let until = motion.start;
  let last = verdict;
  while (time - until > CONTACT_WIDTH) {
    const middle = 0.5 * (until + time);
    if (!(middle > until && middle < time)) break;
    const part = new MotionInterval(motion, until, middle);
    const found = proveUnlessInterrupted(prover, part, interrupt, undefined, pairs);
    if (found === undefined) break;
    if (found === 'certified') until = middle;
    else {
      ({ pair, time } = prover);
      last = found;
    }
  }
  return { until, time, pair, verdict: last };
}
