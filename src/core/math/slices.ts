import type { Interrupt } from './interrupt.ts';

/**
 * Generator of a computation that yields at points at which its caller may do other work; `completed` runs it to its
 * end.
 */
export type Slices<T> = Generator<undefined, T, undefined>;

/** Runs the work until it ends or is interrupted at a pause; returns its result, undefined if it was interrupted. */
export function completedUnless<T>(interrupt: Interrupt, work: Slices<T>): T | undefined {
  while (!interrupt()) {
    const { done, value } = work.next();
    if (done) return value;
  }
  work.return(undefined as T);
  return undefined;
}

/** Runs the work to its end without a pause; returns its result. */
export function completed<T>(work: Slices<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
