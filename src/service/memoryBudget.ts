/** A store of bytes that many share: whoever keeps something for a while takes as much from it, and gives it back. */
export class Allowance {
  private left: number;

  /** @param whole what this is a part of: what is taken here is taken there too */
  constructor(
    readonly total: number,
    private readonly whole?: Allowance,
  ) {
    this.left = total;
  }

  get taken(): number {
    return this.total - this.left;
  }

  /** False, and nothing is taken, where there is not as much left. */
  take(bytes: number): boolean {
    if (bytes > this.left || this.whole?.take(bytes) === false) return false;
    this.left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.left += bytes;
    this.whole?.giveBack(bytes);
  }
}
