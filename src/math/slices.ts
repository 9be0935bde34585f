/** Work that pauses now and then, so that its caller can do something else between two slices of it. */
export type Slices<T> = Generator<undefined, T, undefined>;

/** Runs the work to its end without a pause; returns its result. */
export function completed<T>(work: Slices<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
