/**
 * Hands on what promises bring, in the order in which they were added, each as soon as it and all before it are there. No more than `most`
 * are under way at a time, so that neither a slow worker nor a slow reader makes them pile up.
 */
export class InOrder<T> {
  private readonly underWay: Promise<void>[] = [];
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly most: number,
    private readonly handOn: (value: T) => Promise<void>,
  ) {}

  /** Resolves when there is room for another one; rejects where one before has failed. */
  async add(promise: Promise<T>): Promise<void> {
    this.last = this.after(this.last, promise);
    this.last.catch(() => {}); // told to whoever adds, or waits for the end
    this.underWay.push(this.last);
    while (this.underWay.length >= this.most) await this.underWay[0];
  }

  /** Resolves when everything has been handed on. */
  end(): Promise<void> {
    return this.last;
  }

  private async after(before: Promise<void>, promise: Promise<T>): Promise<void> {
    promise.catch(() => {}); // its turn comes later
    await before;
    await this.handOn(await promise);
    this.underWay.shift();
  }
}
