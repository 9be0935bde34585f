/**
 * Returns true if a computation is to end early, for example because a time limit has passed, and from then on always.
 * Called only while work remains: true means that the result is incomplete.
 */
export type Interrupt = () => boolean;

/** Interrupt of computations without a time limit. */
export const never: Interrupt = () => false;

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
