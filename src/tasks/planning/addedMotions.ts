import type { Configuration } from '../../core/math/configuration.ts';
import type { CountingMotions } from './edgeValidation.ts';

/** Edge validation that adds checks of its own to those of another one, whose counters and proofs it has. */
export abstract class AddedMotions implements CountingMotions {
  constructor(protected readonly inner: CountingMotions) {}

  get counters() {
    return this.inner.counters;
  }

  get proofs() {
    return this.inner.proofs;
  }

  get isInterrupted(): boolean {
    return this.inner.isInterrupted === true;
  }

  abstract isStateValid(q: Configuration): boolean;
  abstract isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid?: boolean, isLikely?: boolean): boolean;
}
