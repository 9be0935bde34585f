import { InputError } from '../../errors.ts';

/**
 * Refuses nested use of scratch memory: a query that a callback of another query starts (a shape function, a motion, a
 * recorder, a checker, an interrupt) would overwrite the state of the outer one, whose verdict would then be wrong.
 */
export class Exclusion {
  private isTaken = false;

  /** @param owner what is used, for messages: `collision manager` */
  constructor(private readonly owner: string) {}

  /** Starts a use. Throws `InputError` if another one has not ended. Call `leave` in a `finally` block. */
  enter(): void {
    this.requireFree();
    this.isTaken = true;
  }

  /** Ends a use. */
  leave(): void {
    this.isTaken = false;
  }

  /** Throws `InputError` during a use. */
  requireFree(): void {
    if (this.isTaken) throw nested(this.owner);
  }

  /** Calls a function during a use; returns its result. */
  during<T>(work: () => T): T {
    this.enter();
    try {
      return work();
    } finally {
      this.leave();
    }
  }
}

/** Error of a call of something that is in use. */
const nested = (owner: string): InputError =>
  new InputError(
    `a ${owner} is called by a callback of its own query`,
    `Callbacks (shape functions, motions, recorders, checkers, interrupts) need a ${owner} of their own.`,
  );
