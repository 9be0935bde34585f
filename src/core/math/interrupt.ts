/**
 * Returns true if a computation is to end early, for example because a time limit has passed, and from then on always.
 * Called only while work remains: true means that the result is incomplete.
 */
export type Interrupt = () => boolean;

/** Interrupt of computations without a time limit. */
export const never: Interrupt = () => false;

/**
 * Runs a computation and returns its result; undefined if it was interrupted.
 * @param run calls its argument before each step, which throws once the interrupt returns true
 */
export function unlessInterrupted<T>(interrupt: Interrupt, run: (check: () => void) => T): T | undefined {
  const end = new Error('interrupted');
  const check = () => {
    if (interrupt()) throw end;
  };
  try {
    check();
    return run(check);
  } catch (error) {
    if (error === end) return undefined;
    throw error;
  }
}

/**
 * Calls an interrupt once per `period` units of work, since reading a clock costs as much as a small collision check;
 * remembers its result.
 */
export class PacedInterrupt {
  /** True once the interrupt returned true. */
  isRaised = false;
  /** Calls the interrupt at once. */
  readonly now: Interrupt = () => {
    this.isRaised ||= this.interrupt();
    return this.isRaised;
  };
  private work = 0;

  constructor(
    private readonly interrupt: Interrupt,
    private readonly period: number,
  ) {}

  /** Returns true if the computation is to end early. */
  before(work: number): boolean {
    this.work += work;
    if (this.work < this.period) return this.isRaised;
    this.work = 0;
    return this.now();
  }
}
