/**
 * Passes the results of promises to a consumer in the order in which the promises were added, each as soon as it and
 * all before it have been resolved. At most `most` are pending at a time: back-pressure for slow workers and slow
 * consumers.
 */
export class OrderedOutput<T> {
  private readonly pending: Promise<void>[] = [];
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly most: number,
    private readonly consume: (value: T) => Promise<void>,
  ) {}

  /** Adds a promise. Resolves when another one may be added; rejects if an earlier one has failed. */
  async add(promise: Promise<T>): Promise<void> {
    this.last = this.after(this.last, promise);
    this.last.catch(() => {}); // reported by `add` and `end`
    this.pending.push(this.last);
    while (this.pending.length >= this.most) await this.pending[0];
  }

  /** Resolves when the consumer has processed all results. */
  end(): Promise<void> {
    return this.last;
  }

  private async after(before: Promise<void>, promise: Promise<T>): Promise<void> {
    promise.catch(() => {}); // a rejection is handled below, in order
    await before;
    await this.consume(await promise);
    this.pending.shift();
  }
}
