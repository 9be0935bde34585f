import type { Transform } from '../math/transform.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import type { Checker, PairCache, Verdict } from './solver.ts';

/** One of so many checks is timed; prime, so that it does not coincide with the number of pairs of a state. */
const STRIDE = 13;
/** Milliseconds. A check takes 0.1 to 20 µs; a longer sample was interrupted by another process and is dropped. */
const INTERRUPTED = 0.1;
/** Number of clock readings from which the duration of one is estimated. */
const READINGS = 200;

/**
 * Estimates the time spent in Boolean checks: measures one of 13 with a clock and extrapolates, so that the clock,
 * which takes as long as a short check, hardly slows the program that is measured.
 */
export class CheckTimer {
  /** Number of checks so far. */
  checks = 0;
  private timed = 0;
  private elapsed = 0;
  private readonly overhead: number;

  /** @param clock monotonic clock, milliseconds with fractions */
  constructor(private readonly clock: () => number) {
    let overhead = Number.POSITIVE_INFINITY;
    for (let i = 0; i < READINGS; i++) {
      const before = clock();
      overhead = Math.min(overhead, clock() - before);
    }
    this.overhead = overhead;
  }

  /** Estimated time of all checks so far, milliseconds; 0 if none was timed. */
  get milliseconds(): number {
    if (this.timed === 0) return 0;
    return (Math.max(0, this.elapsed - this.timed * this.overhead) * this.checks) / this.timed;
  }

  /** Returns a checker with the verdicts, caches and iterations of `inner`, whose checks are counted and timed. */
  wrap(inner: Checker): Checker {
    return new TimedChecker(inner, this);
  }

  /** Checks a pair and counts it; times it if it is one of 13. */
  check(
    inner: Checker,
    a: ConvexShape,
    T_b_a: Transform,
    b: ConvexShape,
    minDistance: number,
    cache: PairCache,
  ): Verdict {
    if (this.checks++ % STRIDE !== 0) return inner.check(a, T_b_a, b, minDistance, cache);
    const before = this.clock();
    const verdict = inner.check(a, T_b_a, b, minDistance, cache);
    const elapsed = this.clock() - before;
    if (elapsed > INTERRUPTED) return verdict;
    this.elapsed += elapsed;
    this.timed++;
    return verdict;
  }
}

class TimedChecker implements Checker {
  constructor(
    private readonly inner: Checker,
    private readonly timer: CheckTimer,
  ) {}

  get iterations(): number {
    return this.inner.iterations;
  }

  set iterations(count: number) {
    this.inner.iterations = count;
  }

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    return this.timer.check(this.inner, a, T_b_a, b, minDistance, cache);
  }
}
