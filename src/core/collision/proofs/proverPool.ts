import type { PosedParts } from '../model/posedParts.ts';
import { MotionProver } from '../motions/motionProver.ts';
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
